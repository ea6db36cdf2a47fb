import pytest

from sqlrl.errors import UserError
from sqlrl.sampling.engine_settings import EngineSettings, fitting_rank, parse_engine


def test_what_is_not_named_keeps_its_default():
    assert parse_engine("", "--engine") == EngineSettings()
    assert parse_engine("memory=0.3,positions=2048", "--engine") == EngineSettings(memory=0.3, positions=2048)


@pytest.mark.parametrize("text", ["memory", "memory=much", "rooms=3", "positions=1.5"])
def test_what_is_no_setting_is_named(text: str):
    with pytest.raises(UserError, match=f'--engine: "{text}" is no setting; .* memory, positions'):
        parse_engine(text, "--engine")


@pytest.mark.parametrize(("rank", "fitting"), [(1, 1), (4, 8), (16, 16), (17, 32), (512, 512)])
def test_a_rank_is_rounded_up_to_one_with_kernels(rank: int, fitting: int):
    assert fitting_rank(rank) == fitting


def test_a_rank_without_kernels_is_refused():
    with pytest.raises(UserError, match=r"lora.rank is 513; vLLM serves ranks up to 512"):
        fitting_rank(513)
