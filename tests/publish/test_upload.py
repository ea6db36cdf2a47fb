"""Uploading: only with a token and a target, only what was published, only where it should be seen."""

from types import SimpleNamespace

import pytest
from httpx2 import ConnectError

from sqlrl.errors import UserError
from sqlrl.publish import upload
from sqlrl.publish.folder import FILES


class FakeHub:
    """Stands where HfApi does and keeps what it was asked."""

    def __init__(self, token: str, public: bool = False) -> None:
        self.token, self.public, self.asked = token, public, []

    def create_repo(self, repository, **options):
        self.asked.append(("create", repository, options))

    def model_info(self, repository):
        return SimpleNamespace(private=not self.public)

    def upload_folder(self, **options):
        self.asked.append(("upload", options))
        return SimpleNamespace(commit_url="https://hub.example/somebody/shop/commit/1")


@pytest.fixture
def hubs(monkeypatch) -> list[FakeHub]:
    made: list[FakeHub] = []

    def make(token):
        made.append(FakeHub(token))
        return made[-1]

    monkeypatch.setattr(upload, "HfApi", make)
    return made


def test_a_folder_goes_up_as_one_commit_of_the_named_files(published, hubs):
    assert upload.upload_folder(published, "somebody/shop", "secret", private=True).endswith("/commit/1")
    (hub,) = hubs
    assert hub.token == "secret"
    assert hub.asked[0] == ("create", "somebody/shop", {"private": True, "exist_ok": True})
    sent = hub.asked[1][1]
    assert (sent["repo_id"], sent["folder_path"]) == ("somebody/shop", published)
    assert sent["allow_patterns"] == list(FILES)


def test_without_private_the_hubs_default_holds(published, hubs):
    upload.upload_folder(published, "somebody/shop", "secret", private=False)
    assert hubs[0].asked[0][2]["private"] is None


def test_nothing_goes_into_a_public_repository_where_private_was_asked_for(published, monkeypatch):
    hub = FakeHub("secret", public=True)
    monkeypatch.setattr(upload, "HfApi", lambda token: hub)
    with pytest.raises(UserError, match="is there and public, --private was given: nothing was uploaded"):
        upload.upload_folder(published, "somebody/shop", "secret", private=True)
    assert [one[0] for one in hub.asked] == ["create"]


def test_a_hub_that_does_not_answer_is_one_message(published, monkeypatch):
    class Silent(FakeHub):
        def create_repo(self, repository, **options):
            raise ConnectError("no route to host")

    monkeypatch.setattr(upload, "HfApi", Silent)
    with pytest.raises(UserError, match="somebody/shop: the Hub did not take it: no route to host"):
        upload.upload_folder(published, "somebody/shop", "secret", private=False)


@pytest.mark.parametrize("environment", [{}, {"HF_TOKEN": " "}, {"HUGGING_FACE_HUB_TOKEN": "saved"}])
def test_without_a_token_in_the_environment_nothing_happens(environment):
    with pytest.raises(UserError, match="HF_TOKEN is not set: nothing is uploaded"):
        upload.find_token(environment)


@pytest.mark.parametrize("repository", ["shop", "a/b/c", "somebody/", "https://hub.example/a/b"])
def test_a_target_that_is_no_repository_is_refused(repository):
    with pytest.raises(UserError, match="expected owner/name"):
        upload.check_repository(repository)


def test_a_folder_that_lacks_a_file_is_refused(tmp_path):
    (tmp_path / "README.md").write_text("A card.")
    with pytest.raises(UserError, match=r"no adapter\.json in it. `snakemake publish_adapter` writes"):
        upload.list_files(tmp_path)
