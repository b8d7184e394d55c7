"""Download models from the Hugging Face hub and delete them again, by the package `huggingface_hub`.

Its cache, progress bar and environment variables are used: HF_ENDPOINT names a mirror, HF_TOKEN a token, HF_HUB_CACHE
or HF_HOME the folder of files. A download becomes a file of the cache only once its size and hash are those that the
hub states.
"""

from __future__ import annotations

import hashlib
import math
import os
import queue
import re
import shutil
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

from askwhere.errors import ModelError
from askwhere.files import continuing, is_own
from askwhere.frozen import frozen
from askwhere.indexer import progress
from askwhere.known_models import Source
from askwhere.models import files
from askwhere.models.files import DownloadedModel
from askwhere.models.hub_faults import translated
from askwhere.models.threads import put_outcome, received

MISSING = "models are downloaded by huggingface_hub: pip install huggingface_hub"
BLOCK = 1 << 22
ANSWER = 60.0  # seconds that the hub may take to begin an answer, and to say which files there are
LONGEST = 1 << 22  # bytes of that answer
# The form of the hub's ETags and commits: such a name leads to no other folder.
_PLAIN = re.compile(r"\.*[A-Za-z0-9_+=-][A-Za-z0-9_.+=-]{0,150}")
# The package's own unfinished files end so too, which its command `hf cache prune` deletes.
_OURS = "askwhere.incomplete"
_NO_SUCH_RANGE = 416


@frozen
class RemoteFile:
    """A file as the hub states it: name, size in bytes, and sha256 where the hub has one."""

    name: str
    size: int | None
    sha256: str | None


def get(source: Source) -> DownloadedModel:
    """Download a model's files unless they are here, and check them. Raise `ModelError`.

    A download that breaks off leaves a partial file, from which the next call continues.
    """
    hub = library()
    with translated(source, hub):
        listed = _listed(hub, source)
        names = files.choose([file.name for file in listed], source)
        if not names:
            raise ModelError(_no_such_file(source, [file.name for file in listed]))
        chosen = [file for file in listed if file.name in names]
        _check_room(hub, source, chosen)
        largest = max((file.size or 0 for file in chosen), default=0)
        hub.set_client_factory(lambda: _client(max(largest, LONGEST), None))
        for file in sorted(chosen, key=lambda file: file.name):
            downloaded = _download(hub, source, file)
            path = Path(hub.hf_hub_download(source.repository, file.name))
            if path.resolve() != downloaded:
                _check(path, file)
            _delete_partial(path.resolve())
    return files.find(source)


def _download(hub: Any, source: Source, file: RemoteFile) -> Path | None:
    """Download a file to where the package looks for it by its hash, or continue an earlier download.

    Return the file's path, or None where there was nothing to do. The package itself starts again in each process:
    https://github.com/huggingface/huggingface_hub/pull/4228
    """
    if not file.sha256:
        return None
    part, url = _part(source, file), hub.hf_hub_url(source.repository, file.name)
    whole = part.with_name(file.sha256)
    lock = files.cache_folder() / ".locks" / part.parent.parent.name / f"{file.sha256}.lock"
    for folder in (part.parent, lock.parent):
        folder.mkdir(parents=True, exist_ok=True)
    with hub.utils.WeakFileLock(lock):  # the package's own: nobody else downloads the file meanwhile
        if whole.exists():
            return None
        try:
            with continuing(part) as rest:
                import_module("huggingface_hub.file_download").http_get(
                    url,
                    rest,
                    resume_size=rest.tell(),
                    headers=hub.utils.build_hf_headers(),
                    expected_size=file.size,
                    displayed_filename=file.name,
                )
        except OSError as exc:
            # The disk is full, or more or less arrived than the hub states: what is here cannot be continued.
            if not isinstance(exc, hub.errors.HfHubHTTPError) or exc.response.status_code == _NO_SUCH_RANGE:
                part.unlink()
            raise
        except ModelError:  # more arrives than the hub states
            part.unlink()
            raise
        finally:
            if part.exists() and not part.stat().st_size:
                part.unlink()
        if not part.exists():
            raise ModelError(f"{hub.constants.ENDPOINT} has {file.name} without a byte in it; choose another file")
        _check(part, file)
        os.replace(part, whole)
    return whole.resolve()


def _part(source: Source, file: RemoteFile) -> Path:
    """Return the path of what has arrived of a file, until it is whole."""
    return files.repository_folder(source.repository) / "blobs" / f"{file.sha256}.{_OURS}"


def _arrived(part: Path) -> int:
    """Return the bytes of a file that have arrived. What somebody else put in the place of its part counts as none."""
    return part.stat().st_size if is_own(part) else 0


def remove(source: Source) -> int:
    """Delete a model's files from the cache, in every version, and return the bytes that this frees.

    Incomplete downloads from its repository are deleted, too. Raise `ModelError` where nothing is there.
    """
    parts = {path: _arrived(path) for path in files.repository_folder(source.repository).glob(f"blobs/*.{_OURS}")}
    for path in parts:
        path.unlink()
    try:
        return sum(parts.values()) + _remove(files.find(source), source)
    except ModelError:
        if parts:
            return sum(parts.values())
        raise


def _remove(model: DownloadedModel, source: Source) -> int:
    """Delete the files of a model that is in the cache, and return their bytes."""
    hub = library()
    names = {path.name for path in model.files}
    cached = hub.scan_cache_dir(files.cache_folder())
    (repository,) = (r for r in cached.repos if r.repo_type == "model" and r.repo_id == source.repository)
    ours = {file for version in repository.revisions for file in version.files if file.file_name in names}
    others = {file.blob_path for version in repository.revisions for file in version.files - ours}
    whole = [version.commit_hash for version in repository.revisions if version.files <= ours]
    strategy = cached.delete_revisions(*whole)
    links = {file.file_path for file in ours if file.file_path.parent.name not in whole}
    blobs = {file.blob_path for file in ours} - others
    if not strategy.repos:
        strategy = replace(strategy, snapshots=strategy.snapshots | links, blobs=strategy.blobs | blobs)
    replace(strategy, blobs=frozenset(filter(_is_kept, strategy.blobs))).execute()
    return sum({file.blob_path: file.size_on_disk for file in ours if file.blob_path in blobs}.values())


def library() -> Any:
    """Return the module `huggingface_hub`; raises `ModelError` where it is missing."""
    try:
        hub, *_ = (import_module(f"huggingface_hub{part}") for part in ("", ".constants", ".errors", ".utils"))
    except ImportError as exc:
        raise ModelError(MISSING) from exc
    hub.utils.logging.set_verbosity_error()  # it warns of a broken connection, say, and then tries again
    hub.set_client_factory(_client)
    return hub


def _client(most: int = LONGEST, seconds: float | None = ANSWER) -> Any:
    """Return the package's HTTP client, with checks that no response leads outside its cache, or never ends.

    A response has at most `most` bytes, and takes at most `seconds`. It is not compressed: a few kB that are compressed
    several times over can expand to many GB.
    """
    http = import_module("huggingface_hub.utils._http")
    client = http.default_client_factory()
    kind = import_module(type(client).__module__.partition(".")[0]).SyncByteStream  # of httpx, or its successor

    def plain(request: Any) -> None:
        request.headers["Accept-Encoding"] = "identity"

    def bound(response: Any) -> None:
        response.stream = bounded(kind, response.stream, most, seconds, response.url.host)

    send = client.send
    client.send = lambda request, **options: answered(
        lambda: send(request, **options), http.close_session, ANSWER, request.url.host
    )
    hooks = client.event_hooks
    client.event_hooks = {
        "request": [*hooks["request"], plain],
        "response": [*hooks["response"], _forget_waits, _check_plain, _check_names, bound],
    }
    return client


def answered(send: Callable[[], Any], close: Callable[[], None], seconds: float, host: str) -> Any:
    """Return the response that `send` returns, or raise what it raises.

    Call `close` and raise `ModelError` where the headers do not end within `seconds`: the client's own time-out begins
    again with each byte that arrives.
    """
    done: queue.SimpleQueue[Future[Any]] = queue.SimpleQueue()
    threading.Thread(target=put_outcome, args=(send, done), daemon=True).start()
    try:
        outcome = received(done, seconds)
    except TimeoutError:
        close()
        raise ModelError(f"{host} did not answer within {seconds:.0f} seconds; is HF_ENDPOINT right?") from None
    return outcome.result()


def bounded(kind: Any, stream: Any, most: int, seconds: float | None, host: str) -> Any:
    """Return a stream of the class `kind` that raises `ModelError` beyond `most` bytes, or after `seconds`."""

    class Bounded(kind):  # type: ignore[misc]
        def __iter__(self) -> Iterator[bytes]:
            ends, size = time.monotonic() + (seconds or math.inf), 0
            for block in stream:
                size += len(block)
                if size > most or time.monotonic() > ends:
                    raise ModelError(f"{host} sends more than it states, or never ends; is HF_ENDPOINT right?")
                yield block

        def close(self) -> None:
            stream.close()

    return Bounded()


def _forget_waits(response: Any) -> None:
    """Remove the headers by which a hub says how long to wait: the package would wait so long, be it a year."""
    for name in ("Retry-After", "RateLimit"):
        response.headers.pop(name, None)


def _check_plain(response: Any) -> None:
    """Raise `ModelError` where a response is compressed, which was not asked for."""
    encoding = response.headers.get("Content-Encoding", "identity")
    if encoding.strip().lower() not in ("", "identity") and response.request.method != "HEAD":
        raise ModelError(f"{response.url.host} compressed its response by {encoding[:40]!r}, which was not asked for")


def _check_names(response: Any) -> None:
    """Raise `ModelError` where a header from which the package makes the name of a file or folder is no plain name."""
    headers = response.headers
    names = {name: headers[name] for name in ("X-Repo-Commit", "X-Linked-Etag") if name in headers}
    if "X-Linked-Etag" not in names and response.request.method == "HEAD" and "ETag" in headers:
        names["ETag"] = headers["ETag"]
    for name, value in names.items():
        if not _PLAIN.fullmatch(value.lstrip("W/").strip('"')):
            raise ModelError(f"{response.url.host} answered with {name}: {value[:80]!r}, which cannot name a file")


def _listed(hub: Any, source: Source) -> list[RemoteFile]:
    """Return the files of a repository as the hub states them.

    Raise `ModelError` for an answer in another form than the hub's.
    """
    siblings = hub.HfApi().model_info(source.repository, files_metadata=True, timeout=ANSWER).siblings or ()
    listed = [RemoteFile(file.rfilename, file.size, file.lfs.sha256 if file.lfs else None) for file in siblings]
    for file in listed:
        sized = file.size is None or (isinstance(file.size, int) and 0 <= file.size < 1 << 63)
        hashed = file.sha256 is None or (isinstance(file.sha256, str) and re.fullmatch("[0-9a-f]{64}", file.sha256))
        if not (isinstance(file.name, str) and "\0" not in file.name and sized and hashed):
            raise ModelError(f"{hub.constants.ENDPOINT} does not answer as the hub does; is HF_ENDPOINT right?")
    return listed


def _no_such_file(source: Source, names: Sequence[str]) -> str:
    """Return the error for a repository without such a file."""
    has = ", ".join(files.tags(names))
    if not has:
        return f"{source.repository} has no GGUF file; look for a repository whose name ends in -GGUF"
    quant = source.quant or files.QUANT
    return f"{source.repository} has no {quant}; it has {has}: askwhere model get {source.repository}:QUANT"


def _check_room(hub: Any, source: Source, chosen: Sequence[RemoteFile]) -> None:
    """Raise `ModelError` before a download that does not fit on the disk."""
    missing = [file for file in chosen if not isinstance(hub.try_to_load_from_cache(source.repository, file.name), str)]
    needed = sum((file.size or 0) - _arrived(_part(source, file)) for file in missing)
    folder = files.cache_folder()
    free = shutil.disk_usage(next(path for path in (folder, *folder.parents) if path.exists())).free
    if needed > free:
        raise ModelError(
            f"{source.name} needs {needed / 1e9:.1f} GB and {folder} has {free / 1e9:.1f} GB left; make room, or set"
            " HF_HUB_CACHE to a folder on another disk"
        )


def _check(path: Path, file: RemoteFile) -> None:
    """Raise `ModelError`, and delete the file, where it is not what the hub states."""
    size = path.stat().st_size
    wrong = f"{size:,} bytes, not {file.size:,}" if file.size is not None and size != file.size else ""
    if not wrong and file.sha256 and (sha256 := _sha256(path)) != file.sha256:
        wrong = f"sha256 {sha256[:12]}…, not {file.sha256[:12]}…"
    if wrong:
        if _is_kept(path.resolve()):
            path.resolve().unlink()
        path.unlink(missing_ok=True)
        raise ModelError(f"what arrived as {file.name} is not what the hub states ({wrong}); it was deleted, try again")


def _is_kept(file: Path) -> bool:
    """Return whether a file is in the cache; a file that a link in it leads to elsewhere is not ours to delete."""
    return file.is_relative_to(files.cache_folder().resolve())


def _sha256(path: Path) -> str:
    """Return a file's sha256, with progress on the terminal."""
    seen, tell, total = hashlib.sha256(), progress.on_terminal("checking"), path.stat().st_size // 1_000_000
    with path.open("rb") as file:
        while block := file.read(BLOCK):
            seen.update(block)
            tell(f"{path.name}, MB", min(file.tell() // 1_000_000, total - 1), total)
    tell("", total, total)
    return seen.hexdigest()


def _delete_partial(blob: Path) -> None:
    """Delete partial downloads that killed processes left of the same file: it is complete, so none is continued."""
    for left in blob.parent.glob(f"{blob.name}*.incomplete"):
        left.unlink(missing_ok=True)
