"""The parity gate: proof that a checkpoint is served as it was trained, or the name of what went wrong."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from safetensors.torch import load_file

from sqlrl.models.architecture import linear_names
from sqlrl.parity.effect import effect_slope, mean_difference, paid_difference, surprise
from sqlrl.parity.findings import Check, Parity, ParitySettings
from sqlrl.parity.referee import Referee, exchange_of, served_of
from sqlrl.parity.suspects import name_temperature, name_weights
from sqlrl.parity.trained import Trained
from sqlrl.parity.words import Prompting, check_prompts, check_turns
from sqlrl.sampling.lint import find_faults
from sqlrl.sampling.sampler import Prompt, Reply, Sampler, SamplingSettings
from sqlrl.sampling.tokens import ReplyTokens
from sqlrl.training.exchange import Exchange
from sqlrl.training.judging import Judge, pay
from sqlrl.training.manifest import WEIGHTS
from sqlrl.verifier.reward import Submission, VerifierSettings

BASE_TOKENS = 64
# An interval this wide says nothing: the adapter's effect is below the engine's rounding.
WIDEST = 0.25
# Standard errors beyond which chance does not explain a difference.
SURPRISING, FALLEN = 4.0, 3.0

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Served:
    """A checkpoint's samples as its server drew them, prompt by prompt: with the adapter, and one each
    without it.
    """

    prompts: Sequence[Prompt]
    adapted: Sequence[Reply]
    base: Sequence[Reply]


def open_referee(trained: Trained) -> Referee:
    """The checkpoint's files, loaded by transformers and PEFT."""
    seen = [one.seen for one in trained.probes[:2]]
    return Referee(
        trained.model,
        trained.adapter,
        [Exchange(one.prompt_ids, one.reply_ids, one.prefix) for one in seen],
    )


def draw(trained: Trained, prompting: Prompting, sampler: Sampler, settings: ParitySettings) -> Served:
    """Sample the probed tasks as they are served."""
    tasks = [trained.tasks[one.seen.task_id] for one in trained.probes]
    prompts = [prompting.writer.write(task.id, task.database, task.question) for task in tasks]
    asked = SamplingSettings(settings.temperature, 1.0, settings.max_tokens, settings.batch_size)
    short = SamplingSettings(
        settings.temperature, 1.0, min(settings.max_tokens, BASE_TOKENS), settings.batch_size
    )
    adapted = sampler.sample(prompts, settings.samples, asked, trained.adapter, settings.seed)
    return Served(prompts, adapted, sampler.sample(prompts, 1, short, None, settings.seed))


class Gate:
    """Makes the checks one by one; the first failure that has a known cause names it."""

    def __init__(self, trained: Trained, settings: ParitySettings) -> None:
        self._trained, self._settings = trained, settings
        self.checks: list[Check] = []
        self.cause: str | None = None
        self.tokens = 0

    def check_files(self, prompting: Prompting) -> None:
        """What files alone show: the adapter fits the served class, the base was left alone, prompts agree."""
        trained = self._trained
        faults = find_faults(trained.adapter, linear_names(trained.model))
        tensors = load_file(trained.adapter / WEIGHTS)
        ups = [value for name, value in tensors.items() if ".lora_B." in name]
        if not faults and not any(bool(value.any()) for value in ups):
            faults = ["every lora_B is zero: the adapter does nothing, as before its first step."]
        modules = f"{len(ups)} modules, all of the served class"
        self._add(Check("adapter files", "failed" if faults else "passed", faults[0] if faults else modules))
        self._blame(faults[0] if faults else None)
        same = trained.manifest.frozen_before == trained.manifest.frozen_after
        self._add(
            Check(
                "base weights",
                "passed" if same else "failed",
                "unchanged by training" if same else "changed while the stage trained",
            )
        )
        self._blame(
            None if same else "training changed the frozen base (merged and unmerged in low precision)"
        )
        check, cause = check_prompts([one.seen for one in trained.probes], trained.tasks, prompting)
        self._add(check)
        self._blame(cause)

    def check_turns(self, served: Served, prompting: Prompting) -> None:
        """Each reply is one turn."""
        check = check_turns(served.adapted, ReplyTokens(self._trained.model), prompting.writer.tokenizer)
        self._add(check)
        self._blame("a reply holds more than one turn of the assistant" if check.state == "failed" else None)

    def check_weights(self, served: Served, referee: Referee) -> None:
        """What is served is the base with the whole adapter, drawn as asked."""
        settings = self._settings
        self._check_reload(referee)
        base = [exchange_of(*pair) for pair in zip(served.prompts, served.base, strict=True)]
        said = served_of(served.base)
        floor = mean_difference(said, referee.base(base, settings.temperature))
        fine = floor <= settings.floor
        self._add(
            Check(
                "engine floor",
                "passed" if fine else "failed",
                f"the served base is off by {floor:.4f} nats a token, at most {settings.floor:g} expected",
                floor,
            )
        )
        if not fine:
            with referee.scaled(0.0):
                self._blame_temperature(
                    referee, base, "the engine computes another base model, or in another precision"
                )
        self._check_effect(served, referee)

    def check_reward(self, served: Served, judge: Judge, payment: VerifierSettings) -> None:
        """The served checkpoint earns on training tasks what the trainer said it earns."""
        trained, settings = self._trained, self._settings
        earned = {one.seen.task_id: one.seen.rewards for one in trained.probes if one.seen.rewards}
        if not earned:
            return
        replies = [reply for reply in served.adapted if reply.task_id in earned]
        tasks = [trained.tasks[reply.task_id] for reply in replies]
        verdicts = judge(
            [
                Submission(task.database, reply.text, task.reference_sql)
                for task, reply in zip(tasks, replies, strict=True)
            ]
        )
        paid: dict[str, list[float]] = {}
        for reply, verdict in zip(replies, pay(replies, verdicts, settings.truncated, payment), strict=True):
            paid.setdefault(reply.task_id, []).append(verdict.reward)
        change = paid_difference(paid, earned)
        fell = -change.value > max(settings.reward, FALLEN * change.error)
        now, then = (float(np.mean([np.mean(one) for one in part.values()])) for part in (paid, earned))
        self._add(
            Check(
                "reward",
                "failed" if fell else "passed",
                f"{now:.3f} served, {then:.3f} in training, on {len(earned)} training tasks",
                change.value,
                change.low,
                change.high,
            )
        )
        self._blame(
            "the weights are right, but replies earn less: prompts, sampling or the verifier differ from training"
            if fell
            else None
        )

    def result(self, sampler: str) -> Parity:
        """What was found."""
        return Parity(self._trained.manifest.weights, sampler, self.tokens, tuple(self.checks), self.cause)

    def _check_reload(self, referee: Referee) -> None:
        found = float(referee.reload(self._trained.probes, self._trained.batch).mean())
        fine = found <= self._settings.reload
        self._add(
            Check(
                "reload",
                "passed" if fine else "failed",
                f"the adapter's files are off from the policy in training by {found:.5f} nats a token, at most "
                f"{self._settings.reload:g} expected",
                found,
            )
        )
        self._blame(
            None if fine else "the files are not those of the trained policy (another checkpoint or base)"
        )

    def _check_effect(self, served: Served, referee: Referee) -> None:
        settings = self._settings
        by_key = {prompt.key: prompt for prompt in served.prompts}
        firsts = served.adapted[:: settings.samples]
        exchanges = [exchange_of(by_key[reply.task_id], reply) for reply in firsts]
        said = served_of(firsts)
        tokens = referee.tokens(exchanges, said, settings.temperature)
        self.tokens = len(said)
        try:
            slope = effect_slope(tokens)
        except ValueError:
            self._add(Check("effect slope", "undecided", "the adapter has no effect on the tokens drawn"))
            return
        low, high = 1 - settings.slope, 1 + settings.slope
        outside = slope.high < low or slope.low > high
        inside = low <= slope.value <= high and slope.half_width <= WIDEST
        self._add(
            Check(
                "effect slope",
                "failed" if outside else "passed" if inside else "undecided",
                f"{slope.value:.3f} ({slope.low:.3f} to {slope.high:.3f}) over {len(said)} tokens, {low:g} to "
                f"{high:g} expected",
                slope.value,
                slope.low,
                slope.high,
            )
        )
        excess = mean_difference(tokens.served, tokens.adapted)
        if outside or excess > settings.floor:
            cause = name_weights(referee, exchanges, said, settings.temperature, self._trained.others)
            self._add(
                Check(
                    "agreement",
                    "failed" if outside or cause else "undecided",
                    f"served and trained are off by {excess:.4f} nats a token",
                    excess,
                )
            )
            self._blame(
                cause or ("what is served is no version of this adapter that is known" if outside else None)
            )
        if not outside:
            self._check_surprise(surprise(tokens), referee, exchanges)

    def _check_surprise(self, found: float, referee: Referee, exchanges: Sequence[Exchange]) -> None:
        fine = abs(found) <= SURPRISING
        self._add(
            Check(
                "sampling",
                "passed" if fine else "failed",
                f"the tokens drawn are {found:+.1f} standard errors more surprising than at temperature "
                f"{self._settings.temperature:g}, at most {SURPRISING:g} expected",
                found,
            )
        )
        if not fine:
            self._blame_temperature(referee, exchanges, "the sampling settings are not those asked for")

    def _blame_temperature(self, referee: Referee, exchanges: Sequence[Exchange], otherwise: str) -> None:
        best, better = name_temperature(referee, exchanges, self._settings.temperature)
        warm = (
            f"tokens are drawn at about temperature {best:g}, not {self._settings.temperature:g}: a default of the "
            "model's generation_config is applied"
        )
        self._blame(warm if better > 0 and best != self._settings.temperature else otherwise)

    def _add(self, check: Check) -> None:
        logger.info("%s: %s: %s", check.name, check.state, check.found)
        self.checks.append(check)

    def _blame(self, cause: str | None) -> None:
        self.cause = self.cause or cause
