"""What one reply may use. A change here changes verdicts, so these are code and not settings.

statement_timeout is a setting, since a larger database needs a larger one. The limits on the text itself
are the grammar's and stand in guard.py.
"""

MEGABYTE = 1 << 20

# Beyond statement_timeout: how long the server may take to notice before the session is dropped.
GRACE_SECONDS = 1.0
# The server's own bound on all statements of a reply together; it ends the session, so it comes later.
TRANSACTION_GRACE_SECONDS = 0.5

# Private memory of a worker process, and of each process of an embedded server on top of what it
# needs for itself (program, libraries, shared buffers: about 95 MiB of address space).
MEMORY_MEGABYTES = 384
SERVER_BASE_MEGABYTES = 128

# Disk that the sorts and joins of one query may fill.
TEMPORARY_MEGABYTES = 64

# Longer cells, or more of them, are no answer that a person reads; making keys of them takes a second.
MAXIMUM_CELL_BYTES = 200_000
MAXIMUM_RESULT_BYTES = 1_000_000

# Cells looked at in one comparison, about a second of work. A regular design of 14 columns needs a thousandth.
COMPARISON_BUDGET = 4_000_000

# A reference may take longer than a reply, but no answer to a question has more rows.
REFERENCE_SECONDS = 30.0
MAXIMUM_REFERENCE_ROWS = 20_000

# Workers beyond the setting, started only while slow queries hold up the others.
SPARE_WORKERS = 14

# Connections that all workers together keep open, and each spare one; a server has places for about a hundred.
SESSIONS_KEPT = 80
SESSIONS_KEPT_BY_SPARE = 2
