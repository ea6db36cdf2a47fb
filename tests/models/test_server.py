"""How a model behind an API is asked, as the words of one argument."""

import pytest

from sqlrl.errors import UserError
from sqlrl.models.server import Price, ServerSettings, parse_server

WORDS = "key_variable=FAR_KEY,concurrency=8,tokens_per_second=20,retries=6"


def test_words_are_read_with_a_price_and_without():
    without = ServerSettings("FAR_KEY", 8, 20.0, 6, None)
    assert parse_server(WORDS, "--server") == without
    assert parse_server(f"{WORDS},input_price=2.0", "--server") == without
    priced = parse_server(f"{WORDS},input_price=2.0,output_price=10", "--server")
    assert priced == ServerSettings("FAR_KEY", 8, 20.0, 6, Price(2.0, 10.0))


def test_none_is_a_model_whose_weights_are_here():
    assert parse_server("none", "--server") is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("key_variable=FAR_KEY,retries=6", "--server: concurrency, tokens_per_second missing in"),
        (
            f"{WORDS},speed=3",
            '--server: "speed=3" is no setting; expected NAME=VALUE, NAME one of key_',
        ),
        (f"{WORDS},retries=many", '--server: "retries=many" is no setting'),
    ],
)
def test_other_words_are_named(text: str, message: str):
    with pytest.raises(UserError) as error:
        parse_server(text, "--server")
    assert str(error.value).startswith(message)
