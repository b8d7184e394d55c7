"""`askwhere model`, run as a user runs it, against a server that speaks the hub's protocol."""

from __future__ import annotations

import hashlib
import json
import os
import re
import resource
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from askwhere.errors import ModelError
from askwhere.models.hub import answered, bounded
from hub import REPOSITORY, Faults, Hub, environment

pytestmark = pytest.mark.slow
PROGRAM = [sys.executable, "-m", "askwhere", "model"]
# Enough for a download to be cut in its middle.
WEIGHTS = b"GGUF" + bytes(range(256)) * 4_000
LARGE = WEIGHTS * 24  # what arrives is written 10 MB at a time
FILES = {"small-Q4_K_M.gguf": WEIGHTS, "small-Q8_0.gguf": WEIGHTS + b"8", "mmproj-F16.gguf": b"GGUF", "README.md": b"-"}
SMALL = f"hf:{REPOSITORY}:Q4_K_M"


def run(
    variables: dict[str, str], *arguments: str, before: Callable[[], None] | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PROGRAM, *arguments],
        env=variables,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        preexec_fn=before,
    )


def left(cache: Path) -> list[str]:
    """The files of the cache that hold something of a model; notes of versions and locks are a few bytes."""
    kept = (path for path in (cache / "hub").rglob("*") if path.is_file() and path.stat().st_size > 1_000)
    return sorted(path.name for path in kept)


def said(done: subprocess.CompletedProcess[str]) -> str:
    """The one line that says what went wrong; the first one is the license's."""
    assert done.returncode == 1, done.stdout + done.stderr
    assert done.stdout == ""
    license_, error = done.stderr.splitlines()
    assert "license" in license_
    return error.removeprefix("askwhere: ")


def test_a_model_is_brought_listed_chosen_found_and_deleted(tmp_path: Path) -> None:
    with Hub(FILES) as hub:
        variables = hub.variables(tmp_path)
        done = run(variables, "get", REPOSITORY)
        assert (done.returncode, done.stderr.splitlines()[-1]) == (0, f"to ask it: askwhere model use hf:{REPOSITORY}")
        path = Path(done.stdout.strip())
        assert path.read_bytes() == WEIGHTS
        assert run(variables, "get", f"{REPOSITORY}:q4_k_m", "--use").returncode == 0
        assert len(hub.ranges()) == 1, "what is here is not downloaded again"
    config = Path(os.environ["XDG_CONFIG_HOME"]) / "askwhere" / "config.toml"
    assert config.read_text() == f'model = "{SMALL}"\n'
    assert run(variables, "path", SMALL).stdout == f"{path}\n"
    (listed,) = [one for one in json.loads(run(variables, "list", "--json").stdout) if one["path"]]
    assert (listed["name"], listed["path"], listed["gigabytes"]) == (SMALL, str(path), 0.0)
    shown = run(variables, "list")
    assert SMALL in shown.stdout
    assert "`askwhere model get NAME --use` downloads one" in shown.stderr
    done = run(variables, "remove", SMALL)
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.splitlines()[-1] == "note: the setting model still names it; askwhere model use reader"
    assert left(tmp_path) == []
    assert run(variables, "path", SMALL).returncode == 1
    assert run(variables, "use", "reader").returncode == 0
    assert config.read_text() == 'model = "reader"\n'


def test_one_of_two_files_is_deleted_and_the_other_stays(tmp_path: Path) -> None:
    with Hub(FILES) as hub:
        variables = hub.variables(tmp_path)
        for quant in ("Q4_K_M", "Q8_0"):
            assert run(variables, "get", f"{REPOSITORY}:{quant}").returncode == 0
        assert run(variables, "remove", f"{REPOSITORY}:Q4_K_M").returncode == 0
    assert Path(run(variables, "path", f"{REPOSITORY}:Q8_0").stdout.strip()).read_bytes() == WEIGHTS + b"8"
    assert (
        len(
            {
                path.resolve()
                for path in (tmp_path / "hub").rglob("*")
                if path.is_file() and len(path.read_bytes()) > 1_000
            }
        )
        == 1
    )
    assert run(variables, "path", f"{REPOSITORY}:Q4_K_M").returncode == 1


def test_a_model_in_parts_is_brought_whole_and_opened_by_its_first(tmp_path: Path) -> None:
    parts = {f"large-Q4_K_M-0000{i}-of-00002.gguf": WEIGHTS + str(i).encode() for i in (1, 2)}
    with Hub(parts) as hub:
        done = run(hub.variables(tmp_path), "get", REPOSITORY)
    path = Path(done.stdout.strip())
    assert [file.name for file in sorted(path.parent.iterdir())] == sorted(parts)
    assert path.name == "large-Q4_K_M-00001-of-00002.gguf"


def test_a_download_that_is_cut_goes_on_where_it_was(tmp_path: Path) -> None:
    with Hub({"large-Q4_K_M.gguf": LARGE}, Faults(cuts=1)) as hub:
        done = run(hub.variables(tmp_path), "get", REPOSITORY)
        assert Path(done.stdout.strip()).read_bytes() == LARGE
        whole, rest = hub.ranges()
    assert whole == ""
    assert 0 < int(rest.removeprefix("bytes=").removesuffix("-")) <= len(LARGE) // 2
    assert len(done.stderr.splitlines()) == 2, "nothing is said of what was mended"


def half_brought(hub: Hub, variables: dict[str, str], ends_by: signal.Signals) -> Path:
    """Begin to bring a model, and end the process by a signal when a part has come; returns that part."""
    hub.faults.stalls = True
    child = subprocess.Popen([*PROGRAM, "get", REPOSITORY], env=variables, stderr=subprocess.DEVNULL)
    part = Path(variables["HF_HUB_CACHE"]) / f"models--{REPOSITORY.replace('/', '--')}" / "blobs"
    while not sum(path.stat().st_size for path in part.glob("*.incomplete")):
        assert child.poll() is None
    child.send_signal(ends_by)
    child.wait(timeout=60)
    hub.faults.stalls = False
    (path,) = part.glob("*.incomplete")
    return path


@pytest.mark.parametrize("ends_by", [signal.SIGKILL, signal.SIGINT], ids=["kill -9", "Ctrl-C"])
def test_a_download_whose_process_ended_goes_on_in_the_next_one(tmp_path: Path, ends_by: signal.Signals) -> None:
    with Hub({"large-Q4_K_M.gguf": LARGE}) as hub:
        variables = hub.variables(tmp_path)
        part = half_brought(hub, variables, ends_by)
        here = part.stat().st_size
        assert run(variables, "path", REPOSITORY).returncode == 1, "a part is no model"
        assert json.loads(run(variables, "list", "--json").stdout)[0]["path"] is None
        done = run(variables, "get", REPOSITORY)
        assert Path(done.stdout.strip()).read_bytes() == LARGE
        assert hub.ranges() == ["", f"bytes={here}-"]
    assert not list(tmp_path.rglob("*.incomplete"))


def test_what_arrived_of_a_file_and_was_damaged_since_is_deleted(tmp_path: Path) -> None:
    with Hub({"large-Q4_K_M.gguf": LARGE}) as hub:
        variables = hub.variables(tmp_path)
        part = half_brought(hub, variables, signal.SIGKILL)
        part.write_bytes(b"?" + part.read_bytes()[1:])
        assert "is not what the hub states (sha256 " in said(run(variables, "get", REPOSITORY))
        assert left(tmp_path) == []
        part.write_bytes(LARGE + b"?")
        assert "failed (416)" in said(run(variables, "get", REPOSITORY))
        assert left(tmp_path) == []


def test_what_arrived_of_a_file_is_deleted_with_its_model(tmp_path: Path) -> None:
    with Hub({"large-Q4_K_M.gguf": LARGE}) as hub:
        variables = hub.variables(tmp_path)
        half_brought(hub, variables, signal.SIGKILL)
        assert run(variables, "remove", REPOSITORY).returncode == 0
        assert left(tmp_path) == []
        assert run(variables, "remove", REPOSITORY).returncode == 1


def test_what_a_killed_download_left_goes_when_the_file_is_here(tmp_path: Path) -> None:
    with Hub(FILES) as hub:
        variables = hub.variables(tmp_path)
        path = Path(run(variables, "get", REPOSITORY).stdout.strip())
        (path.resolve().parent / f"{path.resolve().name}.0123abcd.incomplete").write_bytes(WEIGHTS[:5_000])
        assert run(variables, "get", REPOSITORY).returncode == 0
    assert not list(tmp_path.rglob("*.incomplete"))


@pytest.mark.parametrize(
    ("instead", "expected"),
    [
        (WEIGHTS[:-1] + b"?", r"is not what the hub states (sha256 "),
        (WEIGHTS[:-9], "less arrived than http://127.0.0.1:"),
    ],
    ids=["a wrong hash", "a wrong size"],
)
def test_what_is_not_what_the_hub_states_is_deleted(tmp_path: Path, instead: bytes, expected: str) -> None:
    with Hub(FILES, Faults(instead=instead)) as hub:
        error = said(run(hub.variables(tmp_path), "get", REPOSITORY))
    assert expected in error
    assert "try again" in error
    assert left(tmp_path) == []


def test_a_file_that_was_changed_since_is_found_out_and_deleted(tmp_path: Path) -> None:
    with Hub(FILES) as hub:
        variables = hub.variables(tmp_path)
        path = Path(run(variables, "get", REPOSITORY).stdout.strip())
        path.write_bytes(WEIGHTS[:-1] + b"?")
        assert "is not what the hub states" in said(run(variables, "get", REPOSITORY))
        assert not path.exists()
        assert run(variables, "get", REPOSITORY).returncode == 0


@pytest.mark.parametrize(
    ("faults", "expected"),
    [
        (Faults(status=404, error="RepoNotFound"), "has no someone/small-GGUF, or no such file in it (404)"),
        (Faults(status=401), "refuses it (401): there is no someone/small-GGUF, or it is private; then set HF_TOKEN"),
        (Faults(token="hf_right"), "refuses it (401)"),
        (Faults(status=403, error="GatedRepo"), "its terms must be accepted first: at http://127.0.0.1:"),
        (Faults(status=403), "does not let this token have it (403)"),
        (Faults(status=500), "failed (500); try again later"),
        (Faults(cuts=100), "failed repeatedly; try again later: the download continues from"),
    ],
    ids=["no such", "not allowed", "no token", "terms", "another's", "down", "always cut"],
)
def test_a_refusal_is_one_sentence_and_leaves_nothing(tmp_path: Path, faults: Faults, expected: str) -> None:
    with Hub(FILES, faults) as hub:
        error = said(run(hub.variables(tmp_path), "get", REPOSITORY))
    assert error.startswith(f"hf:{REPOSITORY} could not be downloaded: ")
    assert expected in error
    assert left(tmp_path) == []


@pytest.mark.parametrize("path", ["/api/", "/kept/"], ids=["what it states", "a file"])
def test_a_hub_that_never_ends_is_left(tmp_path: Path, path: str) -> None:
    with Hub(FILES, Faults(endless=path)) as hub:
        error = said(run(hub.variables(tmp_path), "get", REPOSITORY))
    assert re.search("(127.0.0.1|localhost) sends more than it states, or never ends; is HF_ENDPOINT right", error)
    assert left(tmp_path) == []


@pytest.mark.parametrize("times", [1, 2])
def test_a_hub_that_compresses_what_it_sends_is_left(tmp_path: Path, times: int) -> None:
    with Hub(FILES, Faults(compressed=times)) as hub:
        error = said(run(hub.variables(tmp_path), "get", REPOSITORY))
    how = ", ".join(["gzip"] * times)
    assert error == f"127.0.0.1 compressed its response by '{how}', which was not asked for"
    assert left(tmp_path) == []


def test_a_hub_that_takes_too_long_is_left() -> None:
    over = -1.0  # seconds that are left
    with pytest.raises(ModelError, match="the-hub sends more than it states, or never ends"):
        list(bounded(object, [b"a"], 1_000, over, "the-hub"))


def test_a_hub_does_not_say_how_long_is_waited(tmp_path: Path) -> None:
    with Hub(FILES, Faults(busy=1)) as hub:
        assert run(hub.variables(tmp_path), "get", REPOSITORY).returncode == 0
        assert hub.faults.busy == 0


def test_a_hub_that_does_not_end_its_headers_is_left() -> None:
    closed = threading.Event()  # which the server waits for, as the connection does

    def send() -> str:
        closed.wait()
        raise OSError("closed")

    with pytest.raises(ModelError) as caught:
        answered(send, closed.set, 0.0, "the-hub")
    assert str(caught.value) == "the-hub did not answer within 0 seconds; is HF_ENDPOINT right?"
    assert closed.is_set()
    assert answered(lambda: "an answer", closed.set, 600.0, "the-hub") == "an answer"


def test_a_file_without_a_byte_is_one_sentence(tmp_path: Path) -> None:
    with Hub({"small-Q4_K_M.gguf": b""}) as hub:
        error = said(run(hub.variables(tmp_path), "get", REPOSITORY))
        where = f"http://127.0.0.1:{hub.port}"
    assert error == f"{where} has small-Q4_K_M.gguf without a byte in it; choose another file"
    assert left(tmp_path) == []


def test_a_token_and_a_mirror_are_taken_from_their_variables(tmp_path: Path) -> None:
    with Hub(FILES, Faults(token="hf_right")) as hub:
        assert run(hub.variables(tmp_path, HF_TOKEN="hf_right"), "get", REPOSITORY).returncode == 0
        assert "refuses it (401)" in said(run(hub.variables(tmp_path, HF_TOKEN="hf_wrong"), "get", REPOSITORY))
        assert len(hub.ranges()) == 1
    assert hub.tokens == [], "a token goes to the hub alone"


def test_no_network_is_one_sentence(tmp_path: Path) -> None:
    with socket.socket() as closed:  # bound, and not listened on
        closed.bind(("127.0.0.1", 0))
        endpoint = f"http://127.0.0.1:{closed.getsockname()[1]}"
        error = said(run(environment(endpoint, tmp_path), "get", "qwen2.5-coder-1.5b"))
    assert error == (
        f"qwen2.5-coder-1.5b could not be downloaded: nothing answers at {endpoint}; is there a network?"
        " HF_ENDPOINT may name a mirror"
    )
    offline = environment(endpoint, tmp_path, HF_HUB_OFFLINE="1")
    assert said(run(offline, "get", REPOSITORY)).endswith("HF_HUB_OFFLINE is set, which forbids it")
    assert left(tmp_path) == []


def test_a_full_disk_is_one_sentence_and_leaves_nothing(tmp_path: Path) -> None:
    def full() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))

    with Hub(FILES) as hub:
        error = said(run(hub.variables(tmp_path), "get", REPOSITORY, before=full))
    assert f"the disk of {tmp_path / 'hub'} is full; make room, or set HF_HUB_CACHE" in error
    assert left(tmp_path) == []


def test_ctrl_c_leaves_nothing(tmp_path: Path) -> None:
    with Hub(FILES, Faults(cuts=100)) as hub:
        command = [*PROGRAM, "get", REPOSITORY]
        child = subprocess.Popen(command, env=hub.variables(tmp_path), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        while len(hub.ranges()) < 2:  # it is trying again
            assert child.poll() is None
        child.send_signal(signal.SIGINT)
        child.communicate(timeout=60)
    assert child.returncode == 130
    assert left(tmp_path) == []


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (f"{REPOSITORY}:Q2_K", f"{REPOSITORY} has no Q2_K; it has Q4_K_M, Q8_0: askwhere model get {REPOSITORY}:QUANT"),
        ("someone/else", "has no someone/else"),
    ],
)
def test_what_there_is_not_is_said_with_what_there_is(tmp_path: Path, name: str, expected: str) -> None:
    with Hub(FILES) as hub:
        assert expected in said(run(hub.variables(tmp_path), "get", name))


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    from askwhere.models import hub

    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(ModelError, match="pip install huggingface_hub"):
        hub.library()


# ------------------------------------------------------------------------------------------------- a hub that lies


@pytest.mark.parametrize("up", ["../../../../../", "/"])
@pytest.mark.parametrize("header", ["etag", "commit"])
def test_no_name_that_a_hub_gives_leads_out_of_the_cache(header: str, up: str, tmp_path: Path) -> None:
    place = tmp_path / "elsewhere"
    named = up + (str(place)[1:] if up == "/" else place.name)
    faults = Faults(etag=f'"{named}"') if header == "etag" else Faults(commit=named)
    with Hub(FILES, faults) as hub:
        error = said(run(hub.variables(tmp_path / "cache"), "get", REPOSITORY))
    name = {"etag": "X-Linked-Etag", "commit": "X-Repo-Commit"}[header]
    assert error.startswith(f"127.0.0.1 answered with {name}: ")
    assert error.endswith(", which cannot name a file")
    assert [path.name for path in tmp_path.iterdir()] in ([], ["cache"])
    assert left(tmp_path / "cache") == []


@pytest.mark.parametrize(
    "stated",
    [
        {"size": "many"},
        {"size": 10**400},
        {"size": -1},
        {"rfilename": 5},
        {"rfilename": "a\0-Q4_K_M.gguf"},
        {"lfs": {"size": 5, "sha256": 5, "pointerSize": 5}},
    ],
)
def test_what_a_hub_states_is_held_against_what_a_hub_can_state(stated: dict[str, object], tmp_path: Path) -> None:
    with Hub(FILES, Faults(stated=stated)) as hub:
        error = said(run(hub.variables(tmp_path), "get", REPOSITORY))
        assert error == f"http://127.0.0.1:{hub.port} does not answer as the hub does; is HF_ENDPOINT right?"
    assert left(tmp_path) == []


@pytest.mark.parametrize("deleted_by", ["get", "remove"])
def test_what_a_link_in_the_cache_leads_to_elsewhere_stays(deleted_by: str, tmp_path: Path) -> None:
    own = tmp_path / "own.gguf"
    with Hub(FILES) as hub:
        variables = hub.variables(tmp_path / "cache")
        link = Path(run(variables, "get", REPOSITORY).stdout.strip())
        own.write_bytes(b"GGUF of the user")
        link.unlink()
        link.symlink_to(own)
        run(variables, deleted_by, REPOSITORY)
    assert own.read_bytes() == b"GGUF of the user"
    assert not link.exists()


@pytest.mark.parametrize("put", [os.symlink, os.link, lambda _, part: os.mkfifo(part)], ids=["link", "name", "pipe"])
@pytest.mark.parametrize("command", ["get", "remove"])
def test_what_stands_in_the_place_of_a_part_is_neither_written_nor_counted(
    command: str, put: Callable[[Path, Path], None], tmp_path: Path
) -> None:
    own = tmp_path / "own.txt"
    own.write_text("precious")
    blobs = tmp_path / "hub" / f"models--{REPOSITORY.replace('/', '--')}" / "blobs"
    blobs.mkdir(parents=True)
    put(own, blobs / f"{hashlib.sha256(WEIGHTS).hexdigest()}.askwhere.incomplete")
    with Hub(FILES) as hub:
        done = run(hub.variables(tmp_path), command, REPOSITORY)
    assert done.returncode == 0, done.stderr
    assert own.read_text() == "precious"
    assert not list(blobs.glob("*.incomplete"))
    if command == "get":
        assert Path(done.stdout.strip()).read_bytes() == WEIGHTS
    else:
        assert "0.0 GB" in done.stderr


def test_a_listing_that_is_nested_too_deeply_is_one_sentence(tmp_path: Path) -> None:
    with Hub(FILES, Faults(listing=b"[" * 200_000)) as hub:
        error = said(run(hub.variables(tmp_path), "get", REPOSITORY))
        assert error.endswith(f"http://127.0.0.1:{hub.port} does not answer as the hub does; is HF_ENDPOINT right?")
    assert left(tmp_path) == []


def test_only_a_gguf_file_is_chosen(tmp_path: Path) -> None:
    for name, content in (("empty.gguf", b""), ("text.gguf", b"hello"), ("good.gguf", WEIGHTS)):
        (tmp_path / name).write_bytes(content)
    os.mkfifo(tmp_path / "pipe")
    for name, why in (
        ("/dev/null", "/dev/null cannot be read: expected a file, found a pipe or a device; name a .gguf file"),
        ("gguf:/dev/null", "expected a file, found a pipe or a device"),
        (str(tmp_path), f"{tmp_path} is a folder; name the .gguf file in it"),
        ("./", " is a folder; name the .gguf file in it"),
        (f"gguf:{tmp_path}", "is a folder"),
        (f"{tmp_path}/pipe", "expected a file, found a pipe or a device"),
        (f"gguf:{tmp_path}/missing.gguf", "cannot be read: No such file or directory; name a .gguf file"),
        (f"{tmp_path}/empty.gguf", "is no GGUF file: it is empty"),
        (f"gguf:{tmp_path}/text.gguf", "is no GGUF file: it does not begin as one"),
        (f"lora:{tmp_path}/good.gguf", "is an adapter and not a model: choose its model, and set adapter = "),
    ):
        done = run(dict(os.environ), "use", name)
        assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (1, "", 1), done.stderr
        assert why in done.stderr
    config = Path(os.environ["XDG_CONFIG_HOME"]) / "askwhere" / "config.toml"
    assert not config.exists()
    for name in (f"{tmp_path}/good.gguf", "gguf:" + os.path.relpath(tmp_path / "good.gguf")):
        assert run(dict(os.environ), "use", name).returncode == 0
        assert config.read_text() == f'model = "gguf:{tmp_path}/good.gguf"\n'
        config.unlink()
