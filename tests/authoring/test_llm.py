"""A model as teacher, at a server of our own: what it is asked, what becomes of bad replies, and what is paid."""

import json
import logging
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import count

import pytest

from sqlrl.authoring import ledger
from sqlrl.authoring.cells import all_cells
from sqlrl.authoring.instances import Instances, open_instances
from sqlrl.authoring.ledger import PaidReply
from sqlrl.authoring.llm_form import FORM
from sqlrl.authoring.llm_settings import Batch
from sqlrl.authoring.spending import SpendingLimit
from sqlrl.authoring.teacher import Candidate
from sqlrl.errors import UserError
from sqlrl.records import read_jsonl
from sqlrl.sampling import asking
from tests.answering_server import (
    CACHED_TOKENS,
    KEY,
    PROMPT_TOKENS,
    REPLY_TOKENS,
    AnsweringServer,
    answering,
    cut_off,
    garbled,
    shapeless,
    silent,
    status,
)
from tests.authoring.teaching import (
    PRICE,
    SETTINGS,
    SOME,
    Desk,
    good_question,
    good_reply,
    wanted_cells,
)

WHOLE = PROMPT_TOKENS + REPLY_TOKENS
ALONE = replace(SETTINGS, batch=Batch(1, 2), quota=1)


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAR_KEY", KEY)
    monkeypatch.setattr(asking, "FIRST_PAUSE", 0.01)


@pytest.fixture(scope="module")
def instances(small_dumps) -> Iterator[Instances]:
    """main alone, as a teacher's work is checked."""
    with open_instances({"main": small_dumps["main"]}, 2.0) as instances:
        yield instances


@pytest.fixture
def server() -> Iterator[AnsweringServer]:
    with answering() as server:
        server.state.text = good_reply
        yield server


@pytest.fixture(params=["openai", "anthropic"])
def desk(request, tmp_path, small_dumps, instances, server) -> Desk:
    return Desk(tmp_path, small_dumps["main"], instances, server, request.param)


def paid(desk: Desk) -> list[PaidReply]:
    return read_jsonl(desk.replies, PaidReply)


def cell_names(prompt: str) -> set[str]:
    return {one.name for one in wanted_cells(prompt)}


def test_every_cell_gets_its_quota_of_different_questions(desk, server):
    candidates = desk.author(replace(SETTINGS, quota=3))
    assert {cell: sum(one.cell == cell for one in candidates) for cell in SOME} == dict.fromkeys(SOME, 3)
    assert len({one.question for one in candidates}) == 18
    # Two questions of two cells a prompt, then the third of each.
    assert len(server.state.asked) == 6
    assert [[one.count for one in wanted_cells(prompt)] for prompt in desk.prompts] == [[2, 2]] * 3 + [
        [1, 1]
    ] * 3


def test_a_prompt_has_the_schema_its_notes_and_what_the_cell_and_its_style_mean(desk, server):
    desk.author(cells=SOME[:2])
    asked = server.state.asked[0]
    system = asked.body.get("system") or asked.body["messages"][0]["content"]
    rules = system if isinstance(system, str) else system[0]["text"]
    for part in (
        "CREATE TABLE items",
        "stock is NULL where nobody counted",
        "which rows count",
        "what to return",
    ):
        assert part in rules
    for part in ("one aggregate of one table", "a business user in conversation", "a reporting request"):
        assert part in asked.question
    assert '{"questions": [{"cell": 1' in asked.question


def test_cells_that_are_much_alike_come_in_different_prompts(desk):
    desk.author(replace(SETTINGS, batch=Batch(4, 1), quota=1), all_cells()[:12])
    assert all(len({name.split(", ")[1] for name in cell_names(prompt)}) > 1 for prompt in desk.prompts)


def test_all_prompts_begin_with_the_same_words_that_the_server_is_told_to_cache(desk, server):
    desk.author()
    if desk.kind == "anthropic":
        systems = [one.body["system"] for one in server.state.asked]
        assert all(one[0]["cache_control"] == {"type": "ephemeral"} for one in systems)
    else:
        systems = [one.body["messages"][0] for one in server.state.asked]
    assert len(systems) > 1
    assert all(one == systems[0] for one in systems)


def test_the_model_is_held_to_the_form(desk, server):
    desk.author(cells=SOME[:1])
    body = server.state.asked[0].body
    if desk.kind == "anthropic":
        assert body["tools"][0]["input_schema"] == FORM.schema
        assert body["tool_choice"] == {"type": "tool", "name": FORM.name}
    else:
        assert body["response_format"]["json_schema"]["schema"] == FORM.schema
        assert body["response_format"]["json_schema"]["strict"] is True


def test_a_server_that_knows_no_form_is_asked_in_words_from_then_on(desk, server, caplog):
    caplog.set_level(logging.INFO)
    server.state.faults.append(status(400, "response_format is not supported"))
    assert len(desk.author()) == 12
    formed = ["response_format" in one.body or "tools" in one.body for one in server.state.asked]
    assert formed == [True] + [False] * 3
    assert "can't be held to a form" in caplog.text


def test_what_passes_is_tried_again_until_it_has_passed(desk, server):
    faults = [status(429, headers={"Retry-After": "0"}), status(500), cut_off, garbled, shapeless]
    server.state.faults.extend(faults)
    assert len(desk.author(cells=SOME[:2], retries=6)) == 4
    assert len(server.state.asked) == 1 + len(faults)
    assert len(paid(desk)) == 1


def test_a_server_that_asks_for_patience_gets_it(desk, server):
    server.state.faults.append(status(429, headers={"Retry-After": "0.4"}))
    start = time.monotonic()
    desk.author(cells=SOME[:1])
    assert time.monotonic() - start >= 0.4


def test_a_silent_server_is_given_up_and_asked_again(desk, server, monkeypatch):
    monkeypatch.setattr(asking, "SPARE_SECONDS", 0.3)
    server.state.faults.append(silent(3))
    start = time.monotonic()
    assert len(desk.author(cells=SOME[:1], tokens_per_second=10_000.0)) == 2
    assert time.monotonic() - start < 2.5
    assert len(server.state.asked) == 2


def test_no_more_requests_are_under_way_than_were_allowed_and_the_first_goes_alone(desk, server):
    busy: list[int] = []

    def delay(question: str) -> float:
        busy.append(server.state.busy)
        return 0.1

    server.state.delay = delay
    desk.author(replace(ALONE, batch=Batch(1, 1)), all_cells()[:12], concurrency=3)
    assert busy[0] == 1
    assert len(server.state.asked) == 12
    assert max(busy) <= 3
    assert server.state.busiest == 3


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("I am sorry, but here is some prose about { shops }.", "the reply was not the JSON"),
        ("", "the reply was empty"),
        ('{"questions": []}', "the reply had no question for this cell"),
    ],
)
def test_a_reply_that_cannot_be_read_is_asked_for_again_with_the_reason(desk, server, said, told):
    def answer(prompt: str) -> str:
        return good_reply(prompt) if told in prompt else said

    server.state.text = answer
    assert len(desk.author(cells=SOME[:1])) == 2
    assert len(server.state.asked) == 2
    assert told in desk.prompts[1]


def test_a_reply_that_is_cut_off_keeps_its_whole_questions(desk, server):
    """Only a plain text can be cut off in the middle: a tool is given whole or not at all."""

    def answer(prompt: str) -> str:
        reply = good_reply(prompt)
        return reply if "Asked already" in prompt else reply[: reply.rindex('"sql"')]

    server.state.text, server.state.ending = answer, "max_tokens" if desk.kind == "anthropic" else "length"
    assert len(desk.author(replace(SETTINGS, quota=2), SOME[:1])) == 2
    assert [wanted_cells(prompt)[0].count for prompt in desk.prompts] == [2, 1]


def test_an_sql_that_does_not_run_is_asked_for_again_with_postgresqls_words(desk, server):
    def spoil(cell, one):
        if 'column "cost" does not exist' not in cell.lines:
            one["sql"] = "SELECT max(cost) FROM items"
        return one

    server.state.text = lambda prompt: good_reply(prompt, spoil)
    candidates = desk.author(cells=SOME[:2])
    assert len(candidates) == 4
    assert "SELECT max(cost) FROM items" in desk.prompts[1]
    assert "the SQL fails" in desk.prompts[1]
    assert all("cost" not in one.reference_sql for one in candidates)


@pytest.mark.parametrize(
    ("sql", "told"),
    [
        ("SELEC 1", "the SQL is not exactly one plain query: "),
        ("DELETE FROM items RETURNING id", "the SQL is not exactly one plain query: "),
        ("SELECT now(), count(*) FROM items", "a function that depends on time or chance: now"),
        ("SELECT name FROM items WHERE id < 0", "it gives no rows"),
        ("SELECT name FROM items ORDER BY kind LIMIT 2", "its LIMIT cuts through a tie"),
    ],
)
def test_what_cannot_be_graded_is_asked_for_again_with_the_reason(desk, server, sql, told):
    def spoil(cell, one):
        return {**one, "sql": sql} if "Refused" not in cell.lines else one

    server.state.text = lambda prompt: good_reply(prompt, spoil)
    assert len(desk.author(ALONE, SOME[:1])) == 1
    assert told in desk.prompts[1]


def test_a_repeated_question_is_asked_for_again_with_the_one_it_repeats(desk, server):
    same = good_question("same", 0)

    def spoil(cell, one):
        return one if "Refused" in cell.lines else {**one, **same}

    server.state.text = lambda prompt: good_reply(prompt, spoil)
    assert len(desk.author(ALONE, SOME[:2])) == 2
    assert f"a kept task asks this question: {same['question']}" in desk.prompts[2]


def test_an_endless_sql_is_not_repeated_to_its_end(desk, server):
    endless = "SELECT no_such_column" + " + 1" * 4000

    def spoil(cell, one):
        return one if "Refused" in cell.lines else {**one, "sql": endless}

    server.state.text = lambda prompt: good_reply(prompt, spoil)
    assert len(desk.author(ALONE, SOME[:1])) == 1
    assert len(desk.prompts[1]) < len(desk.prompts[0]) + 1200
    assert "SELECT no_such_column + 1" in desk.prompts[1]


def test_accepted_questions_are_listed_so_that_others_are_asked(desk):
    desk.author(replace(SETTINGS, quota=4), SOME[:1])
    first = good_question(str(SOME[0]), 0)["question"]
    assert "Asked already" not in desk.prompts[0]
    assert f"  - {first}" in desk.prompts[1]


def test_a_cell_that_brings_nothing_is_given_up_and_the_others_are_kept(desk, server, caplog):
    caplog.set_level(logging.INFO)
    hopeless = str(SOME[1])
    server.state.text = lambda prompt: good_reply(
        prompt, lambda cell, one: one if cell.name != hopeless else None
    )
    candidates = desk.author(replace(SETTINGS, tries=3))
    assert len(candidates) == 10
    assert sum(hopeless in cell_names(prompt) for prompt in desk.prompts) == 3
    assert f"{hopeless}: given up with 0 questions: the reply had no question for this cell" in caplog.text
    assert "1 of 6 cells have fewer than 2 questions" in caplog.text


def test_a_model_that_only_talks_ends_in_one_message_with_everything_kept(desk, server):
    server.state.text = lambda prompt: "As a language model I like tables."
    with pytest.raises(UserError) as caught:
        desk.author()
    message = str(caught.value)
    assert "0 questions were accepted so far, in 0 of 6 cells (refused: 12 not_the_form)" in message
    assert "All replies are kept" in message
    assert len(paid(desk)) == len(server.state.asked) == 6


def test_questions_for_cells_that_were_not_asked_for_are_left_out(desk, server):
    server.state.text = lambda prompt: good_reply(prompt, lambda cell, one: {**one, "cell": 99})
    with pytest.raises(UserError, match="missing_cell"):
        desk.author(cells=SOME[:1])


def test_the_order_in_which_replies_land_decides_nothing(desk, server, tmp_path):
    candidates = desk.author(replace(SETTINGS, quota=4))
    server.state.delay = lambda prompt: 0.2 if str(SOME[0]) in prompt else 0.0
    (tmp_path / "other").mkdir()
    assert replace(desk, folder=tmp_path / "other").author(replace(SETTINGS, quota=4)) == candidates


# -- what goes to the server ----------------------------------------------------------------------------


def everything_said(server: AnsweringServer) -> str:
    return "\n".join(json.dumps(one.body) for one in server.state.asked)


def test_by_default_no_value_of_any_row_goes_to_the_server(desk, server):
    def spoil(cell, one):
        # An error that quotes a row's value, and an answer that is refused for what it is.
        bad = ["SELECT name::integer FROM items", "SELECT name FROM items ORDER BY kind LIMIT 2"]
        return one if "Refused" in cell.lines else {**one, "sql": bad[cell.number - 1]}

    server.state.text = lambda prompt: good_reply(prompt, spoil)
    desk.author(cells=SOME[:2])
    said = everything_said(server)
    assert "the SQL fails" in said
    for value in ("tool 0", "toy 1", "book", "0.500", "60.250", "invalid input syntax"):
        assert value not in said


def test_samples_are_values_and_not_rows(desk, server):
    desk.author(replace(SETTINGS, may_see="samples"), SOME[:1])
    said = everything_said(server)
    assert "items.kind: book, tool, toy" in said
    assert "items.price: 0.500, " in said
    assert "(from 0.500 to 60.250)" in said
    assert "Some rows" not in said


def test_rows_are_shown_only_where_config_allows_it(desk, server):
    def spoil(cell, one):
        return one if "Refused" in cell.lines else {**one, "sql": "SELECT name::integer FROM items"}

    server.state.text = lambda prompt: good_reply(prompt, spoil)
    desk.author(replace(SETTINGS, may_see="rows"), SOME[:1])
    said = everything_said(server)
    assert json.dumps('{"id":1,"name":"toy 1","kind":"toy"')[1:-1] in said
    assert "invalid input syntax for type integer" in said


# -- what is paid ---------------------------------------------------------------------------------------


def test_a_limit_of_zero_asks_nothing(desk, server):
    for limit in (SpendingLimit(0.0, None), SpendingLimit(None, 0)):
        with pytest.raises(UserError, match=r"spending_limit\.\w+ is 0, so nothing is asked") as caught:
            desk.author(limit=limit)
        assert "raise the limit and run the same command" in str(caught.value)
    assert server.state.asked == []


def test_the_limit_is_never_passed_and_what_landed_is_not_paid_for_again(desk, server):
    """Each request may take some 3,000 tokens, and takes 18."""
    ends = []
    for limit in range(2_000, 8_000, 500):
        found = author_within(desk, limit)
        if isinstance(found, str):
            assert "authoring.spending_limit (tokens" in found
            assert f"is reached: {spent_tokens(desk)} tokens spent" in found
        ends.append(0 if isinstance(found, str) else len(found))
        assert spent_tokens(desk) <= limit
    assert ends[0] == 0
    assert ends[-1] == 24
    assert len(server.state.asked) == len(paid(desk)) == 6
    assert spent_tokens(desk) == 6 * WHOLE


def author_within(desk: Desk, tokens: int) -> list[Candidate] | str:
    """The candidates, or the message that ended the asking."""
    try:
        return desk.author(replace(SETTINGS, quota=4), limit=SpendingLimit(None, tokens))
    except UserError as error:
        return str(error)


def spent_tokens(desk: Desk) -> int:
    return sum(one.prompt_tokens + one.reply_tokens for one in paid(desk)) if desk.replies.exists() else 0


def test_money_is_counted_by_the_price_and_said(desk, server):
    server.state.text = lambda prompt: "prose"
    each = PRICE.of(PROMPT_TOKENS, REPLY_TOKENS)
    with pytest.raises(UserError) as caught:
        desk.author(replace(SETTINGS, tries=1000), limit=SpendingLimit(0.01, None), price=PRICE)
    money = each * len(paid(desk))
    assert f"({money:.4f} USD) spent" in str(caught.value)
    assert 0 < money <= 0.01


def test_a_limit_on_money_without_a_price_is_refused_before_anything_is_asked(desk, server):
    with pytest.raises(UserError, match="the model has no price"):
        desk.author(limit=SpendingLimit(1.0, None))
    assert server.state.asked == []


def test_requests_under_way_count_with_the_most_that_they_may_take(desk, server):
    """All take 216 tokens in the end, but each might take over 2,000: two at a time is what the limit allows."""
    server.state.delay = lambda prompt: 0.1
    assert len(desk.author(ALONE, all_cells()[:12], limit=SpendingLimit(None, 5_000))) == 12
    assert server.state.busiest == 2


def test_a_server_that_counts_no_tokens_is_taken_to_have_used_the_most(desk, server, monkeypatch):
    monkeypatch.setattr("tests.answering_server.PROMPT_TOKENS", 0)
    monkeypatch.setattr("tests.answering_server.CACHED_TOKENS", 0)
    with pytest.raises(UserError, match="is reached"):
        desk.author(limit=SpendingLimit(None, 3_000))
    assert len(server.state.asked) == 1


def test_cached_tokens_are_counted_apart(desk):
    teacher, correspondent = desk.open()
    list(teacher.author(SOME, 2))
    assert correspondent.purse.spent.prompt_tokens == 3 * PROMPT_TOKENS
    assert correspondent.counts.cached_tokens == 3 * CACHED_TOKENS


def test_a_second_run_pays_nothing_and_gives_the_same(desk, server):
    candidates = desk.author(replace(SETTINGS, quota=4))
    asked = len(server.state.asked)
    assert desk.author(replace(SETTINGS, quota=4), limit=SpendingLimit(0.0, None)) == candidates
    assert len(server.state.asked) == asked


def test_another_check_uses_the_replies_that_there_are(desk, server):
    desk.author()
    asked = len(server.state.asked)
    checks = replace(SETTINGS.checks, tasks_per_template=900, statement_timeout_seconds=1.0)
    assert len(desk.author(replace(SETTINGS, checks=checks, tries=5, duplicates_limit=0.1))) == 12
    assert len(server.state.asked) == asked


@pytest.mark.parametrize(
    "change", [{"temperature": 0.5}, {"max_tokens": 400}, {"seed": 2}, {"batch": Batch(3, 2)}]
)
def test_what_decides_a_reply_asks_anew(desk, server, change):
    desk.author()
    asked = len(server.state.asked)
    desk.author(replace(SETTINGS, **change))
    assert len(server.state.asked) > asked


def test_a_line_that_a_kill_cut_off_is_asked_for_again(desk, server):
    candidates = desk.author()
    desk.replies.write_bytes(desk.replies.read_bytes()[:-9])
    assert desk.author() == candidates
    assert len(server.state.asked) == 4
    assert len(paid(desk)) == 3


def test_replies_edited_into_nonsense_are_named_with_their_line(desk):
    desk.author()
    desk.replies.write_text(desk.replies.read_text() + '{"key": 1}\n')
    with pytest.raises(UserError, match=r"replies\.jsonl:4: PaidReply needs"):
        desk.author()


def test_nothing_is_asked_where_a_reply_would_find_no_room(desk, server, monkeypatch):
    monkeypatch.setattr(ledger, "LEAST_FREE_BYTES", 2**80)
    with pytest.raises(UserError, match="MB are free on this disk"):
        desk.author()
    assert server.state.asked == []


def test_replies_under_way_land_before_an_error_ends_the_job(desk, server):
    server.state.delay = lambda prompt: 0.2
    lock, numbers = threading.Lock(), count()

    def answer(prompt: str) -> str:
        with lock:
            number = next(numbers)
        if number == 1:
            server.state.faults.extend([status(401, "no")] * 99)
        return good_reply(prompt)

    server.state.text = answer
    with pytest.raises(UserError, match="answers 401"):
        desk.author(ALONE, all_cells())
    server.state.faults.clear()
    before, landed = len(server.state.asked), len(paid(desk))
    assert landed >= 2
    desk.author(ALONE, all_cells())
    assert len(server.state.asked) - before == 120 - landed


def test_a_model_that_repeats_itself_is_stopped_and_told_how_to_go_on(desk, server):
    fresh = replace(SETTINGS, batch=Batch(6, 6), quota=40, tries=100)

    def repeat(cell, one):
        had = len([line for line in cell.lines.splitlines() if line.startswith("  - ") and '"' not in line])
        return one if had < 6 else {**one, **good_question(cell.name, 0)}

    server.state.text = lambda prompt: good_reply(prompt, repeat)
    with pytest.raises(UserError) as caught:
        desk.author(fresh)
    for part in ("of the last 100 questions repeat", "duplicates_limit = 0.4", "Set authoring.quota to 6"):
        assert part in str(caught.value)
    asked = len(server.state.asked)
    assert len(desk.author(replace(fresh, quota=6))) == 36
    assert len(server.state.asked) == asked


# -- keys -----------------------------------------------------------------------------------------------


def test_a_wrong_key_is_one_request_and_one_message(desk, server):
    server.state.faults.extend([status(401, f"no such key: {KEY}")] * 99)
    with pytest.raises(UserError) as caught:
        desk.author()
    assert len(server.state.asked) == 1
    for part in ("models.far (big at", "answers 401: no such key: ***", "FAR_KEY"):
        assert part in str(caught.value)
    assert KEY not in str(caught.value)


def test_a_key_that_the_server_repeats_is_in_no_file_and_no_log(desk, server, caplog):
    caplog.set_level(logging.DEBUG)
    server.state.faults.append(status(500, f"is it {KEY}?"))
    server.state.text = lambda prompt: good_reply(prompt, lambda cell, one: {**one, "note": KEY})
    desk.author()
    assert KEY in str(server.state.asked[0].headers)
    written = "".join(file.read_text() for file in desk.folder.rglob("*") if file.is_file())
    assert "***" in written
    assert KEY not in written
    assert "is it ***?" in caplog.text
    assert KEY not in caplog.text
