"""The weights of a base model by name, with an adapter added where one is given."""

from collections.abc import Mapping
from pathlib import Path

from safetensors.torch import load_file
from torch import Tensor

from sqlrl.errors import UserError
from sqlrl.sampling.adapter import Lora


class Weights:
    """Weights of a plain model folder, with low-rank updates merged in float32 as they are read."""

    def __init__(self, tensors: Mapping[str, Tensor], updates: Mapping[str, Lora]) -> None:
        """Take tensors by name, and updates by the name of the weight that they change.

        Raises:
            UserError: an update is for a weight that the model does not have: it would do nothing.
        """
        lost = sorted(set(updates) - set(tensors))
        if lost:
            raise UserError(f"the adapter changes {lost[0]!r}, which the base model does not have.")
        self._tensors, self._updates = tensors, updates

    def __contains__(self, name: str) -> bool:
        return name in self._tensors

    def __getitem__(self, name: str) -> Tensor:
        """The weight, float32 where an update was added to it."""
        update = self._updates.get(name)
        weight = self._tensors[name]
        return weight if update is None else weight.float() + update.delta()


def load_tensors(folder: Path) -> dict[str, Tensor]:
    """All tensors of a folder's safetensors files, by name.

    Raises:
        UserError: there is no such file.
    """
    files = sorted(folder.glob("*.safetensors"))
    if not files:
        raise UserError(f"{folder}: no model here, there are no .safetensors files.")
    return {name: tensor for file in files for name, tensor in load_file(file).items()}
