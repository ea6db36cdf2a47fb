"""Faults that a user can mend: one clear message, no traceback."""


class UserError(Exception):
    """Bad input: the message names the file, the key or the task and says what would be right.

    Scripts print it to stderr and exit with code 2. Everything else that is raised is a fault of
    the program or of the machine and keeps its traceback.
    """
