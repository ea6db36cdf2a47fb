"""Hand-made tasks over the small database: good ones, and one with each fault that a review must find."""

from dataclasses import replace

from sqlrl.authoring.review import ReviewSettings
from sqlrl.authoring.screen import Rejection
from sqlrl.authoring.task import Task
from sqlrl.sampling.sampler import Reply
from tests.authoring.small import candidate, task

SETTINGS = ReviewSettings(drop=(), question_similarity=0.9, statement_timeout_seconds=2.0)


def asks(question: str, sql: str) -> Task:
    return replace(task(question), reference_sql=sql)


GOOD = asks("How much is the dearest toy?", "SELECT MAX(price) FROM items WHERE kind = 'toy'")
# The reference sums up the toys.
WRONG = asks("What are all books worth?", "SELECT SUM(price) FROM items WHERE kind = 'toy'")
RIGHT_OF_WRONG = "SELECT SUM(price) FROM items WHERE kind = 'book'"
AMBIGUOUS = asks(
    "Which is the best tool?", "SELECT name, price FROM items WHERE kind = 'tool' ORDER BY price DESC LIMIT 1"
)
TIE = asks("What is the cheapest item?", "SELECT name, stock FROM items ORDER BY price LIMIT 1")
ONE_OF_TWO = asks(
    "What is the average price of a tool with stock?",
    "SELECT AVG(price) FROM items WHERE kind = 'tool' AND stock IS NOT NULL",
)
OTHER_OF_TWO = asks(
    "Average price of the tools with stock, please",
    "SELECT AVG(price + stock) FROM items WHERE kind = 'tool'",
)
FAILING = asks("Which colours are there?", "SELECT colour FROM items")
CONSTANT = asks("How many items of each kind?", "SELECT kind, COUNT(*) FROM items GROUP BY kind")
EMPTY = asks("Which tool costs 60.25?", "SELECT name FROM items WHERE kind = 'tool' AND price = 60.25")
EXPOSED = asks("What is the largest id of a book?", "SELECT SUM(price) FROM items WHERE kind = 'book'")
# Nearly the same words, but another constant: no conflict.
LONG = (
    "How many prices do tools, toys and books with name, kind, price, stock and id over {} sum to "
    "among all items there, in the whole table of the small shop?"
)
SEVEN = asks(LONG.format(7), "SELECT SUM(price) FROM items WHERE id > 7")
NINE = asks(LONG.format(9), "SELECT SUM(price) FROM items WHERE id > 9")
# Its replies guess what the dearest tool costs on main.
GUESSED = asks("How much is the dearest tool?", "SELECT MAX(price) FROM items WHERE kind = 'tool'")
GUESS = "SELECT 60.250"
# Another question for the same rows.
PARAPHRASE = asks("Top price over the toys", "SELECT MAX(i.price) FROM items i WHERE i.kind = 'toy'")

TASKS = [
    GOOD,
    WRONG,
    AMBIGUOUS,
    TIE,
    ONE_OF_TWO,
    OTHER_OF_TWO,
    FAILING,
    CONSTANT,
    EMPTY,
    EXPOSED,
    GUESSED,
    SEVEN,
    NINE,
    PARAPHRASE,
]
REFUSED = [Rejection(candidate(EXPOSED.reference_sql, EXPOSED.question), "exposed", "predicate dropped: ...")]


def reply(asked: Task, sample: int, text: str) -> Reply:
    return Reply(asked.id, sample, text, (), (), "stop", 10, 10)


def replies(asked: Task, *queries: str) -> list[Reply]:
    """Replies whose SQL these are."""
    return [reply(asked, number, f"```sql\n{sql}\n```") for number, sql in enumerate(queries)]
