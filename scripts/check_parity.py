"""Check that a checkpoint is served as it was trained; the job fails with the likely cause where it is not."""

import argparse
import sys
from pathlib import Path

from scripts.arguments import make_parser, run_script
from scripts.sampling_arguments import add_inputs, open_policy, read_tasks
from sqlrl.database.files import by_database
from sqlrl.errors import UserError
from sqlrl.files import write_json
from sqlrl.parity.findings import ParitySettings, explain
from sqlrl.records import from_json, to_dict
from sqlrl.timing import Stopwatch
from sqlrl.verifier.reward import VerifierSettings
from sqlrl.verifier.verifier import Verifier


def make_arguments() -> argparse.ArgumentParser:
    """The arguments of this script."""
    parser = make_parser(__doc__)
    add_inputs(parser)
    parser.add_argument(
        "--probes", type=Path, required=True, help="what the stage wrote of its checkpoints, JSONL"
    )
    parser.add_argument(
        "--checkpoints", type=Path, required=True, help="the stage's asked-for steps, safetensors"
    )
    parser.add_argument(
        "--parent", type=Path, nargs="*", default=[], help="the adapter that the stage started from"
    )
    parser.add_argument("--settings", required=True, help='{"samples": 4, "floor": 0.03, ...}')
    parser.add_argument("--output", type=Path, required=True, help="what was found, JSON")
    return parser


def main(arguments: argparse.Namespace) -> None:
    """Draw, compare, write."""
    watch = Stopwatch(arguments.gpus)
    settings = from_json(ParitySettings, arguments.settings, "--settings")
    verifier_settings = from_json(VerifierSettings, arguments.verifier, "--verifier")
    with Verifier(by_database(arguments.databases), verifier_settings) as verifier:
        # Judging workers are started before torch is here: they would carry its memory.
        from sqlrl.models.prompts import PromptSettings
        from sqlrl.parity.gate import Gate, draw, open_referee
        from sqlrl.parity.trained import read_trained
        from sqlrl.parity.words import Prompting

        prompt = from_json(PromptSettings, arguments.prompt, "--prompt")
        model = arguments.model.parent
        prompting = Prompting(model, prompt, arguments.databases, arguments.notes)
        trained = read_trained(
            model,
            arguments.adapter[0].parent,
            arguments.probes,
            arguments.checkpoints,
            arguments.parent[0].parent if arguments.parent else None,
            read_tasks(arguments),
        )
        gate = Gate(trained, settings)
        gate.check_files(prompting)
        if gate.cause is None:
            sampler, _ = open_policy(arguments, [])
            served = draw(trained, prompting, sampler, settings)
            sampler.close()
            gate.check_turns(served, prompting)
            gate.check_weights(served, open_referee(trained))
            gate.check_reward(served, verifier.judge, verifier_settings)
    found = gate.result(arguments.sampler)
    failed = arguments.output.with_name("parity-failed.json")
    failed.unlink(missing_ok=True)
    if not found.passed:
        write_json(failed, to_dict(found))
        raise UserError(explain(found, arguments.output.parent, failed))
    write_json(arguments.timing, to_dict(watch.timing(found.tokens, len(trained.probes) * settings.samples)))
    write_json(arguments.output, to_dict(found))


if __name__ == "__main__":
    sys.exit(run_script(main, make_arguments()))
