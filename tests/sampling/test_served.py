"""Models behind an API: every request is tried until it is answered, and no key leaves the process by our hand."""

import logging
import time
from collections.abc import Iterator
from dataclasses import replace
from email.utils import formatdate

import pytest

from sqlrl.errors import UserError
from sqlrl.models.folder import ModelManifest
from sqlrl.models.server import ServerSettings
from sqlrl.sampling import asking
from sqlrl.sampling.asking import call_seconds
from sqlrl.sampling.faults import asked_wait
from sqlrl.sampling.open import open_served
from sqlrl.sampling.sampler import LandingSampler, Prompt, Reply, Request, SamplingSettings
from sqlrl.sampling.served import ServedSampler
from tests.answering_server import (
    KEY,
    AnsweringServer,
    answering,
    cut_off,
    garbled,
    shapeless,
    silent,
    status,
)

SETTINGS = SamplingSettings(temperature=0.7, top_p=0.9, max_tokens=64, batch_size=64)
ASKED = ServerSettings("FAR_KEY", concurrency=4, tokens_per_second=1000.0, retries=3, price=None)
KINDS = ("openai", "anthropic")


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAR_KEY", KEY)
    monkeypatch.setattr(asking, "FIRST_PAUSE", 0.01)


@pytest.fixture
def server() -> Iterator[AnsweringServer]:
    with answering() as server:
        yield server


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    return request.param


def open_on(
    server: AnsweringServer, kind: str, thinking: bool | None = None, **asked: object
) -> ServedSampler:
    origin = {"id": "big", "base_url": server.address(kind)}
    model = ModelManifest("far", {}, "0" * 64, kind, origin, {})
    return open_served(kind, model, replace(ASKED, **asked), thinking)


def make_prompts(count: int) -> list[Prompt]:
    return [Prompt(f"t{n}", (), 0, make_messages(f"question {n}")) for n in range(count)]


def make_messages(question: str) -> tuple[dict[str, str], ...]:
    return ({"role": "system", "content": "The rule."}, {"role": "user", "content": question})


def draw(
    sampler: ServedSampler, count: int = 1, n: int = 1, settings: SamplingSettings = SETTINGS
) -> list[Reply]:
    return sampler.sample(make_prompts(count), n, settings, None, seed=1)


def test_it_is_a_sampler_that_hands_over_each_reply(server, kind):
    assert isinstance(open_on(server, kind), LandingSampler)


def test_replies_are_in_order_whatever_the_order_of_the_answers(server, kind):
    server.state.delay = lambda question: 0.2 if question == "question 0" else 0.0
    sampler = open_on(server, kind)
    wanted = [Request(prompt, number) for prompt in make_prompts(4) for number in range(2)]
    landed = [(one.task_id, one.sample) for one in sampler.land(wanted, SETTINGS, None, 1)]
    assert landed[0][0] != "t0"
    replies = draw(sampler, 4, 2)
    assert [(one.task_id, one.sample) for one in replies] == [
        (f"t{n}", s) for n in range(4) for s in range(2)
    ]
    assert [one.text for one in replies[::2]] == [f"about question {n}" for n in range(4)]


def test_no_more_requests_are_under_way_than_were_allowed(server, kind):
    server.state.delay = lambda question: 0.05
    draw(open_on(server, kind, concurrency=3), 12)
    assert server.state.busiest == 3


def test_a_reply_has_the_servers_token_counts_and_no_token_ids(server, kind):
    (reply,) = draw(open_on(server, kind))
    assert reply == Reply("t0", 0, "about question 0", (), (), "stop", 11, 7)


def test_what_passes_is_tried_again_until_it_has_passed(server, kind):
    faults = [
        status(429, headers={"Retry-After": "0"}),
        status(500),
        status(529),
        cut_off,
        garbled,
        shapeless,
    ]
    server.state.faults.extend(faults)
    (reply,) = draw(open_on(server, kind, retries=6))
    assert reply.text == "about question 0"
    assert len(server.state.asked) == 7


def test_tries_come_to_an_end_with_one_message(server, kind):
    server.state.faults.extend([status(503, "overloaded, sorry")] * 9)
    with pytest.raises(UserError) as caught:
        draw(open_on(server, kind, retries=2))
    assert len(server.state.asked) == 3
    for part in (
        "models.far (big at http://127.0.0.1",
        "task t0, sample 0, in 3 tries",
        "503: overloaded, sorry",
    ):
        assert part in str(caught.value)


def test_a_server_that_is_not_there_is_named(server, kind):
    sampler = open_on(server, kind, retries=1)
    server.server_close()
    with pytest.raises(UserError, match=r"models\.far .* in 2 tries; the last: the connection broke"):
        draw(sampler)


def test_a_server_that_asks_for_patience_gets_it(server, kind):
    server.state.faults.append(status(429, headers={"Retry-After": "0.4"}))
    start = time.monotonic()
    draw(open_on(server, kind))
    assert time.monotonic() - start >= 0.4


@pytest.mark.parametrize(("text", "seconds"), [("3", 3.0), ("0.5", 0.5), ("-1", 0.0)])
def test_patience_is_asked_for_in_seconds(text, seconds):
    assert asked_wait({"retry-after": text}) == seconds
    assert asked_wait({"retry-after-ms": text, "retry-after": "9"}) == seconds / 1000


def test_patience_is_asked_for_until_a_date():
    wait = asked_wait({"retry-after": formatdate(time.time() + 60, usegmt=True)})
    assert wait is not None
    assert 20 <= wait <= 60


def test_no_patience_is_asked_for_without_the_header_or_in_words():
    assert asked_wait({}) is None
    assert asked_wait({"retry-after": "soon"}) is None


def test_a_call_may_take_the_time_of_its_whole_budget_at_the_slowest_speed():
    assert call_seconds(512, 20.0) == asking.SPARE_SECONDS + 25.6


def test_a_call_that_takes_longer_is_given_up_and_made_again(server, kind, monkeypatch, caplog):
    caplog.set_level(logging.INFO)
    monkeypatch.setattr(asking, "SPARE_SECONDS", 0.3)
    server.state.faults.append(silent(1.5))
    start = time.monotonic()
    (reply,) = draw(open_on(server, kind))
    assert reply.text
    assert 0.3 < time.monotonic() - start < 1.4
    assert "no answer within 0 s" in caplog.text


@pytest.mark.parametrize("code", [400, 401, 403, 404, 422])
def test_what_no_retry_mends_ends_the_job_at_once_with_one_message(server, kind, code):
    server.state.faults.extend([status(code, f"not with the key {KEY}, dear")] * 99)
    with pytest.raises(UserError) as caught:
        draw(open_on(server, kind), 60)
    assert len(server.state.asked) <= 2 * ASKED.concurrency
    for part in ("models.far (big at", f"answers {code}: not with the key ***, dear", "FAR_KEY"):
        assert part in str(caught.value)
    assert KEY not in str(caught.value)


def test_a_quota_that_is_used_up_is_not_waited_for(server):
    server.state.faults.append(status(429, "You exceeded your quota", code="insufficient_quota"))
    with pytest.raises(UserError, match="429: You exceeded your quota"):
        draw(open_on(server, "openai"))
    assert len(server.state.asked) == 1


def test_replies_under_way_land_before_the_job_ends(server, kind):
    server.state.delay = lambda question: 0.0 if question == "question 3" else 0.3
    server.state.text = lambda question: question
    sampler = open_on(server, kind)
    wanted = [Request(prompt, 0) for prompt in make_prompts(9)]

    def refuse(prompt, *_):
        raise UserError("refused")

    ask = sampler._client.ask
    sampler._client.ask = lambda prompt, *rest: (refuse if prompt.key == "t3" else ask)(prompt, *rest)
    landed: list[str] = []
    with pytest.raises(UserError, match="refused"):
        listen(sampler.land(wanted, SETTINGS, None, 1), landed)
    assert sorted(landed) == ["t0", "t1", "t2"]


def listen(replies: Iterator[Reply], landed: list[str]) -> None:
    for one in replies:
        landed.append(one.task_id)


def test_who_stops_listening_stops_the_asking(server, kind):
    server.state.delay = lambda question: 0.02
    replies = open_on(server, kind, concurrency=2).land(
        [Request(prompt, 0) for prompt in make_prompts(40)], SETTINGS, None, 1
    )
    next(replies)
    replies.close()
    time.sleep(0.2)
    assert len(server.state.asked) <= 5


def test_the_key_is_sent_and_never_logged(server, kind, caplog):
    caplog.set_level(logging.DEBUG)
    server.state.faults.extend([status(500, f"your key {KEY} is fine"), cut_off])
    draw(open_on(server, kind))
    headers = server.state.asked[0].headers
    assert KEY in (headers.get("authorization", "") + headers.get("x-api-key", ""))
    assert "once more in" in caplog.text
    assert KEY not in caplog.text


def test_no_other_credential_of_the_environment_goes_along(server, monkeypatch):
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "another-secret")
    draw(open_on(server, "anthropic"))
    assert "another-secret" not in str(server.state.asked[0].headers)


def test_a_key_that_is_not_set_is_named_by_its_variable(kind, monkeypatch):
    monkeypatch.delenv("FAR_KEY")
    model = ModelManifest("far", {}, "0" * 64, kind, {"id": "big"}, {})
    with pytest.raises(
        UserError, match=r"the environment variable FAR_KEY is not set.*models\.far\.key_variable"
    ):
        open_served(kind, model, ASKED, None)


def test_a_server_of_ones_own_needs_no_key(server, kind, monkeypatch):
    monkeypatch.delenv("FAR_KEY")
    assert draw(open_on(server, kind))[0].text


def test_the_environment_does_not_redirect_the_vendors_own_address(kind, monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")
    sampler = open_served(kind, ModelManifest("far", {}, "0" * 64, kind, {"id": "big"}, {}), ASKED, None)
    assert str(sampler._client._client.base_url).startswith(f"https://api.{kind}.com")


def test_other_servers_are_told_every_setting_and_a_seed_of_each_sample(server):
    draw(open_on(server, "openai", thinking=False), 2, 2)
    draw(open_on(server, "openai", thinking=False), 2, 2)
    bodies = [one.body for one in sorted(server.state.asked, key=lambda one: one.body["seed"])]
    assert bodies[0] == bodies[1]
    assert len({body["seed"] for body in bodies}) == 4
    expected = {"model": "big", "temperature": 0.7, "top_p": 0.9, "max_tokens": 64}
    expected |= {"chat_template_kwargs": {"enable_thinking": False}}
    assert {key: bodies[0][key] for key in expected} == expected
    assert [one["role"] for one in bodies[0]["messages"]] == ["system", "user"]


def test_anthropic_gets_the_system_prompt_apart(server):
    draw(open_on(server, "anthropic"))
    body = server.state.asked[0].body
    assert body["system"] == "The rule."
    assert body["messages"] == [{"role": "user", "content": "question 0"}]
    assert body["max_tokens"] == 64


def test_anthropic_is_asked_for_another_distribution_only_by_the_version_that_takes_it(server):
    draw(open_on(server, "anthropic"), settings=replace(SETTINGS, top_p=1.0))
    draw(open_on(server, "anthropic"), settings=replace(SETTINGS, temperature=1.0, top_p=1.0))
    unusual, usual = server.state.asked
    assert (unusual.body["temperature"], "top_p" in unusual.body) == (0.7, False)
    assert unusual.headers["anthropic-version"] == "2023-06-01"
    assert not {"temperature", "top_p", "top_k"} & usual.body.keys()
    assert usual.headers["anthropic-version"] > "2023-06-01"


def test_openai_itself_is_told_only_what_is_not_the_default(server, monkeypatch):
    monkeypatch.setattr("sqlrl.sampling.openai.OWN_ADDRESS", server.address("openai"))
    draw(open_on(server, "openai"), settings=replace(SETTINGS, temperature=1.0))
    body = server.state.asked[0].body
    assert body["max_completion_tokens"] == 64
    assert body["top_p"] == 0.9
    assert not {"temperature", "seed", "max_tokens"} & body.keys()


@pytest.mark.parametrize("kind", KINDS)
def test_a_thinking_switch_that_cannot_be_passed_is_refused(kind):
    model = ModelManifest("far", {}, "0" * 64, kind, {"id": "big"}, {})
    with pytest.raises(UserError, match=r"prompt\.thinking is True"):
        open_served(kind, model, ASKED, True)


@pytest.mark.parametrize(
    ("kind", "ending", "text", "expected"),
    [
        ("openai", "length", "SELECT", ("SELECT", "length")),
        ("openai", "content_filter", "SELECT", ("", "stop")),
        ("openai", "tool_calls", None, ("", "stop")),
        ("anthropic", "max_tokens", "SELECT", ("SELECT", "length")),
        ("anthropic", "stop_sequence", "SELECT", ("SELECT", "stop")),
        ("anthropic", "refusal", "I will", ("", "stop")),
        ("anthropic", "end_turn", None, ("", "stop")),
    ],
)
def test_every_ending_is_a_reply(server, caplog, kind, ending, text, expected):
    caplog.set_level(logging.INFO)
    server.state.ending, server.state.text = ending, lambda question: text
    (reply,) = draw(open_on(server, kind))
    assert (reply.text, reply.finish_reason) == expected
    assert ("1 of 1 replies are empty" in caplog.text) == (expected[0] == "")


def test_a_prompt_that_a_filter_refuses_is_an_empty_reply(server):
    server.state.faults.append(status(400, "filtered", code="content_filter"))
    replies = draw(open_on(server, "openai", concurrency=1), 2)
    assert [one.text for one in replies] == ["", "about question 1"]


def test_an_adapter_is_refused(server, kind, tmp_path):
    with pytest.raises(UserError, match="takes no adapter"):
        open_on(server, kind).sample(make_prompts(1), 1, SETTINGS, tmp_path, 1)
