"""Rollouts land piece by piece and go on after a kill to the same bytes."""

from collections.abc import Generator, Sequence
from pathlib import Path

import pytest

from sqlrl.errors import UserError
from sqlrl.records import to_line
from sqlrl.sampling.rollouts import REPLIES, read_spent, sample_tasks, work_folder
from sqlrl.sampling.sampler import Prompt, Reply, Request, SamplingSettings

SETTINGS = SamplingSettings(temperature=0.7, top_p=1.0, max_tokens=8, batch_size=3)
PROMPTS = [Prompt(f"task-{i}", (1, 2, i), 2) for i in range(11)]


class Scripted:
    """A sampler that writes down what it was asked for, and dies when told to."""

    def __init__(self, pieces: int = 99) -> None:
        self.left, self.asked = pieces, []

    def sample(
        self, prompts: Sequence[Prompt], n: int, settings: SamplingSettings, adapter: Path | None, seed: int
    ) -> list[Reply]:
        if self.left == 0:
            raise KeyboardInterrupt
        self.left -= 1
        self.asked.append([prompt.key for prompt in prompts])
        return [
            Reply(p.key, number, f"é {p.key} {seed}", (5, number), (-0.5, -1.25), "stop", len(p.token_ids), 2)
            for p in prompts
            for number in range(n)
        ]

    def close(self) -> None: ...


class Landing(Scripted):
    """A sampler whose replies land one by one, the last first, and that dies when told to."""

    closed = False

    def land(
        self, wanted: Sequence[Request], settings: SamplingSettings, adapter: Path | None, seed: int
    ) -> Generator[Reply, None, None]:
        self.asked.append([(one.prompt.key, one.sample) for one in wanted])
        try:
            for one in reversed(wanted):
                if self.left == 0:
                    raise KeyboardInterrupt
                self.left -= 1
                yield Reply(one.prompt.key, one.sample, f"é {one.prompt.key}", (), (), "stop", 9, 2)
        finally:
            self.closed = True


def run(sampler: Scripted, work: Path, k: int = 4) -> list[Reply]:
    return sample_tasks(sampler, PROMPTS, k, SETTINGS, None, 1, work)


def test_pieces_are_whole_tasks_of_four_batches(tmp_path: Path):
    sampler = Scripted()
    replies = run(sampler, tmp_path)
    assert [len(piece) for piece in sampler.asked] == [3, 3, 3, 2]
    assert [(r.task_id, r.sample) for r in replies] == [(p.key, n) for p in PROMPTS for n in range(4)]


def test_a_killed_job_goes_on_with_the_next_piece(tmp_path: Path):
    whole = run(Scripted(), tmp_path / "whole")
    with pytest.raises(KeyboardInterrupt):
        run(Scripted(2), tmp_path / "killed")
    sampler = Scripted()
    assert run(sampler, tmp_path / "killed") == whole
    assert sampler.asked[0][0] == "task-6"
    assert (tmp_path / "killed" / REPLIES).read_bytes() == (tmp_path / "whole" / REPLIES).read_bytes()


@pytest.mark.parametrize("cut", [1, 40, 300, 900])
def test_a_piece_that_was_cut_off_is_drawn_again(tmp_path: Path, cut: int):
    whole = run(Scripted(), tmp_path)
    content = (tmp_path / REPLIES).read_bytes()
    (tmp_path / REPLIES).write_bytes(content[:-cut])
    assert run(Scripted(), tmp_path) == whole
    assert (tmp_path / REPLIES).read_bytes() == content


def test_a_finished_job_draws_nothing(tmp_path: Path):
    whole = run(Scripted(), tmp_path)
    assert run(Scripted(0), tmp_path) == whole


def test_replies_of_another_job_are_not_taken(tmp_path: Path):
    run(Scripted(), tmp_path)
    lines = (tmp_path / REPLIES).read_text().splitlines(keepends=True)
    (tmp_path / REPLIES).write_text("".join([lines[1], lines[0], *lines[2:]]))
    with pytest.raises(UserError, match="another job"):
        run(Scripted(), tmp_path)


def test_a_task_that_occurs_twice_is_refused(tmp_path: Path):
    with pytest.raises(UserError, match="twice"):
        sample_tasks(Scripted(), [*PROMPTS, PROMPTS[0]], 1, SETTINGS, None, 1, tmp_path)


def test_time_spent_before_a_kill_counts(tmp_path: Path):
    with pytest.raises(KeyboardInterrupt):
        run(Scripted(2), tmp_path)
    before = read_spent(tmp_path)
    assert before > 0
    run(Scripted(), tmp_path)
    assert read_spent(tmp_path) > before


def test_other_inputs_get_another_folder(tmp_path: Path):
    one, same, other = (work_folder(tmp_path, {"seed": 1, "in": [n]}) for n in ("a", "a", "b"))
    assert one == same != other
    assert one.parent == tmp_path


def test_a_reply_survives_its_line():
    reply = Reply("t", 0, 'a\u2028b\n"é"', (1,), (-0.1,), "length", 3, 1)
    assert to_line(reply).count("\n") == 1


ALL = [(prompt.key, number) for prompt in PROMPTS for number in range(4)]


def test_replies_that_land_one_by_one_end_in_the_order_of_the_tasks(tmp_path: Path):
    sampler = Landing()
    assert [(one.task_id, one.sample) for one in run(sampler, tmp_path)] == ALL
    assert sampler.asked == [ALL]


@pytest.mark.parametrize("cut", [0, 1, 30])
def test_a_killed_job_asks_only_for_what_did_not_land(tmp_path: Path, cut: int):
    whole = run(Landing(), tmp_path / "whole")
    with pytest.raises(KeyboardInterrupt):
        run(Landing(10), tmp_path / "killed")
    file = tmp_path / "killed" / REPLIES
    content = file.read_bytes()
    file.write_bytes(content[: len(content) - cut])
    landed = 10 if cut == 0 else 9
    sampler = Landing()
    assert run(sampler, tmp_path / "killed") == whole
    assert sampler.asked == [ALL[: len(ALL) - landed]]
    assert file.read_bytes().count(b"\n") == len(ALL)


def test_time_of_replies_that_landed_before_a_kill_counts(tmp_path: Path):
    with pytest.raises(KeyboardInterrupt):
        run(Landing(10), tmp_path)
    before = read_spent(tmp_path)
    run(Landing(), tmp_path)
    assert 0 < before < read_spent(tmp_path)


def test_landed_replies_of_another_job_are_not_taken(tmp_path: Path):
    run(Landing(), tmp_path)
    with pytest.raises(UserError, match="another job"):
        run(Landing(), tmp_path, k=3)


def test_a_full_disk_ends_the_asking(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def fail(*_: object) -> None:
        raise OSError("no space")

    monkeypatch.setattr("sqlrl.sampling.rollouts.append_records", fail)
    sampler = Landing()
    with pytest.raises(OSError, match="no space"):
        run(sampler, tmp_path)
    assert sampler.closed
