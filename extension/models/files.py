"""Find the model files that `askwhere model get` downloaded, in the hub's cache. Nothing here uses the network."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from askwhere import known_models
from askwhere.errors import ModelError
from askwhere.frozen import frozen
from askwhere.grouping import grouped
from askwhere.known_models import KnownModel, Source

QUANT = "Q4_K_M"  # the default: a quarter of the size of the full weights, and hardly worse
_PART = re.compile(r"-(\d{5})-of-\d{5}(?=\.gguf$)")
_TAG = re.compile(r"(?<![A-Z0-9])((?:UD-)?(?:I?Q\d\w*|TQ\d_0|MXFP4\w*|BF16|F16|F32))(?=\.GGUF$|[.-])")


@frozen
class DownloadedModel:
    """A model in the cache: its name for the setting `model`, its files and their size in bytes.

    The first file is the one to open.
    """

    name: str
    files: tuple[Path, ...]
    size: int
    known: KnownModel | None

    @property
    def path(self) -> Path:
        """Return the file that llama.cpp opens; it finds further parts beside it."""
        return self.files[0]

    @property
    def memory(self) -> float:
        """Return about how many gigabytes of memory the model takes."""
        return self.known.memory if self.known else round(self.size / 1e9 * 1.15 + 0.4, 1)


def cache_folder(environment: Mapping[str, str] | None = None) -> Path:
    """Return the hub's cache folder, by the environment variables of huggingface_hub."""
    variables = os.environ if environment is None else environment
    caches = Path(variables.get("XDG_CACHE_HOME") or "~/.cache")
    home = Path(variables.get("HF_HOME") or caches / "huggingface")
    folder = variables.get("HF_HUB_CACHE") or variables.get("HUGGINGFACE_HUB_CACHE") or home / "hub"
    return Path(os.path.expandvars(folder)).expanduser()


def repository_folder(repository: str) -> Path:
    """Return the folder of a repository in the cache."""
    return cache_folder() / f"models--{repository.replace('/', '--')}"


def find(source: Source) -> DownloadedModel:
    """Return the model that `source` names.

    Raise `ModelError`, with the command to download it, where it is not here.
    """
    for folder in _snapshots(repository_folder(source.repository)):
        files = choose(_names(folder), source)
        if files:
            paths = tuple(folder / name for name in files)
            size = sum(path.stat().st_size for path in paths)
            return DownloadedModel(source.name, paths, size, known_models.named(source.name))
    raise ModelError(f"the model {source.name} is not on this machine: askwhere model get {_argument(source)}")


def all_cached() -> list[DownloadedModel]:
    """Return every model in the cache: those with a short name in their order, then the others."""
    models: dict[tuple[str, str], DownloadedModel] = {}
    for repository in sorted(cache_folder().glob("models--*--*")):
        for model in _in(repository):
            models.setdefault((repository.name, model.path.name), model)  # in the newest version that has it
    order = [known.name for known in known_models.known()]
    return sorted(models.values(), key=lambda model: order.index(model.name) if model.known else len(order))


def choose(names: Sequence[str], source: Source) -> list[str]:
    """Return the files of a repository that `source` names, the one to open first; empty where there is none.

    Raise `ModelError` where it may name several models.
    """
    groups = _groups(names)
    quant = source.quant or QUANT
    fitting = [key for key in groups if key.rsplit("/", 1)[-1].lower() == quant.lower()] or [
        key for key in groups if tag(key) == quant.upper()
    ]
    if not fitting and not source.quant and len(groups) == 1:
        fitting = list(groups)
    if len(fitting) > 1:
        raise ModelError(f"{source.name} may be {' or '.join(fitting)}: name the file, {source.repository}:FILE")
    return groups[fitting[0]] if fitting else []


def tags(names: Sequence[str]) -> list[str]:
    """Return the quantizations that QUANT may name in a repository with these files, else the files' names."""
    return sorted({tag(key) or key.rsplit("/", 1)[-1] for key in _groups(names)})


def tag(name: str) -> str:
    """Return the quantization in a file's name, in capitals; '' where it has none.

    >>> tag("qwen2.5-coder-7b-instruct-q4_k_m.gguf")
    'Q4_K_M'
    """
    tags = _TAG.findall(name.rsplit("/", 1)[-1].upper())
    return tags[-1] if tags else ""


def _groups(names: Sequence[str]) -> dict[str, list[str]]:
    """Return the models among a repository's files: the files of each by its name without the number of a part.

    Of a model that is there both whole and in parts, the whole file is taken. Projectors (mmproj) and importance
    matrices are left out.
    """
    weights = [name for name in names if name.lower().endswith(".gguf") and not re.search("mmproj|imatrix", name, re.I)]
    named = grouped((_PART.sub("", name), name) for name in sorted(weights))
    return {key: [key] if key in files else files for key, files in named.items()}


def _in(repository: Path) -> Iterator[DownloadedModel]:
    """Yield the models in the cache folder of a repository, those of its newest version first."""
    name = repository.name.removeprefix("models--").replace("--", "/", 1)
    for folder in _snapshots(repository):
        for key, files in _groups(_names(folder)).items():
            model = next((m for m in known_models.known() if (m.repository, m.file) == (name, key)), None)
            paths = tuple(folder / file for file in files)
            called = model.name if model else f"hf:{name}:{tag(key) or key.rsplit('/', 1)[-1]}"
            yield DownloadedModel(called, paths, sum(path.stat().st_size for path in paths), model)


def _snapshots(repository: Path) -> list[Path]:
    """Return the versions of a repository in the cache; first the newest one, as of the last look at the hub."""
    reference = repository / "refs" / "main"
    latest = reference.read_text("ascii", "replace").strip() if reference.is_file() else ""
    folders = [folder for folder in repository.glob("snapshots/*") if folder.is_dir()]
    return sorted(folders, key=lambda folder: (folder.name != latest, -folder.stat().st_mtime))


def _names(folder: Path) -> list[str]:
    """Return the files of a version by their names on the hub; a link to a file that is gone does not count."""
    return [path.relative_to(folder).as_posix() for path in sorted(folder.rglob("*.gguf")) if path.is_file()]


def _argument(source: Source) -> str:
    """Return the name of a source as an argument of `askwhere model get`."""
    return source.name.removeprefix("hf:")
