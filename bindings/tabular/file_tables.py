"""Find the tables that files make: one for each file, and one for all partitions or numbered parts in a folder.

Files are on this machine, in buckets or on web servers. They are texts here, as DuckDB takes them: absolute paths, or
addresses.
"""

from __future__ import annotations

import contextlib
import math
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path, PurePath

from askwhere.bindings import database_files
from askwhere.bindings.engine_errors import hidden
from askwhere.bindings.globs import WILD, Globs, TooManyEntries
from askwhere.bindings.tabular import formats
from askwhere.bindings.tabular.formats import Format, is_on_web, is_remote, place
from askwhere.errors import DatabaseError
from askwhere.frozen import frozen
from askwhere.grouping import grouped
from askwhere.sql.identifiers import fold
from askwhere.sql.literals import quoted

MOST_FILES = 100_000  # of all tables: a folder that holds more was hardly meant as a whole
MOST_ENTRIES = 2_000_000  # of folders that a glob looks into

# A folder of a partition, `year=2024`, and the stem of a part that a program numbered, `part-00000-…` or `data_0`.
_PARTITION = re.compile(r"[^=]+=.*")
_PART = re.compile(r"(?:(?:part|data|file|chunk|shard|batch)[-_]?)?\d+(?:[-_.].*)?", re.IGNORECASE)


@frozen
class _TableFormat:
    """A format that keeps a log beside a table's files: its folder `log` there holds files that match `pattern`.

    `kind` names it for a user, `extension` is DuckDB's for it, and `more` is what else the user must know.
    """

    log: str
    pattern: str
    kind: str
    extension: str
    more: str = ""


_TABLE_FORMATS = (
    _TableFormat("_delta_log", "*", "a Delta table", "delta"),
    _TableFormat(
        "metadata",
        "*.metadata.json",
        "an Iceberg table",
        "iceberg",
        "; without a metadata/version-hint.text, name the current metadata/….metadata.json in place of the folder",
    ),
)

# Returns the addresses in a bucket that a pattern matches, `MOST_FILES` + 1 at most.
Lister = Callable[[str], Sequence[str]]


@frozen
class FileTable:
    """A table that files make: its name, their format, and their absolute paths or addresses.

    `root` is the file itself, or the folder with the parts. With `partitioned` the names of folders hold columns.
    """

    name: str
    format: Format
    files: tuple[str, ...]
    root: PurePath
    partitioned: bool = False

    @property
    def shown(self) -> str:
        """Return the first file for an error, and how many more there are."""
        more = f" and {len(self.files) - 1:,} more" if len(self.files) > 1 else ""
        return f"{hidden(self.files[0])}{more}"

    @property
    def size(self) -> float:
        """Return the bytes of all files; infinity where they are not on this machine."""
        return math.inf if is_remote(self.files[0]) else sum(os.stat(file).st_size for file in self.files)


def is_data(text: str) -> bool:
    """Return whether a text names data files: a file of a known ending, a folder or a glob with matches, an address."""
    if not text or "\0" in text:
        return False
    if is_remote(text):
        return True
    if os.path.exists(text):
        return os.path.isdir(text) or formats.format_of(Path(text)) is not None
    return is_glob(text) and bool(_matches(text))


def names_data(given: Sequence[str]) -> bool:
    """Return whether the paths that a user gives name data files, and not one database."""
    if len(given) != 1:
        return True
    path = Path(given[0])
    # Not by methods of `Path`, which raise for a name that is too long and a folder that may not be read.
    if os.path.isfile(path) and (database_files.dialect(path) or formats.format_of(path) is None):
        return False
    return os.path.isdir(path) or formats.format_of(path) is not None or is_glob(given[0]) or is_remote(given[0])


def is_glob(text: str) -> bool:
    """Return whether a text is a glob, and no file's name."""
    return WILD.search(text) is not None and not os.path.exists(text)


def tables(given: Sequence[str], lists: Lister) -> tuple[tuple[FileTable, ...], tuple[str, ...]]:
    """Return the tables of some files, folders and globs, each with a name of its own, and notes on what is left out.

    `lists` looks into buckets. Raise `DatabaseError` if one of `given` names no file that can be read. An empty file is
    only an error where it is named alone: the system's shell may have written the others for a glob.
    """
    notes: list[str] = []
    files: dict[str, None] = {}
    for text in given:
        for file in _remote(text, lists) if is_remote(text) else map(str, _files(text, notes.append, len(given) == 1)):
            files[file] = None
            if len(files) > MOST_FILES:
                raise DatabaseError(f"{text} holds more than {MOST_FILES:,} files; name fewer of them, as by a glob")
    if not files:
        raise DatabaseError(f"there is no table to ask; {notes[0]}")
    named = _grouped(files)
    for table in named:
        _refuse_table_format(table, lists)
    return _with_distinct_names(named), tuple(notes)


# ------------------------------------------------------------------------------------------------------ which files


def _files(text: str, note: Callable[[str], None], alone: bool) -> Iterator[Path]:
    """Yield the absolute paths of the data files that one text names, which may be `alone`."""
    path = Path(os.path.abspath(text))
    if path.is_file():
        if alone or _checked_file(path).stat().st_size:
            yield _not_empty(_checked_file(path))
        else:
            note(f"left out: {path} is empty: it has no table")
    elif path.is_dir():
        yield from _files_in_folder(path, note)
    elif path.exists():
        raise DatabaseError(f"{text} is a pipe or a device; save it as a file first")
    elif is_glob(text):
        yield from _files_of_glob(text, note)
    else:
        raise database_files.missing(text)


def _checked_file(path: Path) -> Path:
    """Return the path of a file that was named. Raise `DatabaseError` for one of an unknown ending."""
    if formats.format_of(path) is None:
        if known := database_files.dialect(path):
            raise DatabaseError(
                f"{path} is a {known.title} database, which is asked alone: name it without other files"
            )
        raise DatabaseError(f"{path} has no ending that is known here ({formats.KNOWN}){formats.instead(path)}")
    return path


def _not_empty(path: Path) -> Path:
    """Return the path of a file. Raise `DatabaseError` for an empty one."""
    if not path.stat().st_size:
        raise DatabaseError(f"{path} is empty: it has no table")
    return path


def _files_in_folder(folder: Path, note: Callable[[str], None]) -> Iterator[Path]:
    """Yield the data files in a folder and those below it. Raise `DatabaseError` where there are none."""
    everything = list(_walked(folder))
    files = _inside(folder, [file for file in everything if formats.format_of(file)], note)
    if files:
        yield from files
        return
    for file in everything:
        if known := database_files.dialect(file):
            raise DatabaseError(f"{folder} holds no data files, but a {known.title} database: ask {file}")
    what = "no files" if not everything else f"no files of an ending that is known here ({formats.KNOWN})"
    raise DatabaseError(f"the folder {folder} has {what}")


def _walked(folder: Path) -> Iterator[Path]:
    """Yield the files below a folder, without hidden ones, those with names in `_`, and folders behind links."""
    for base, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name[0] not in "._")
        yield from (Path(base, name) for name in sorted(names) if name[0] not in "._")


def _files_of_glob(text: str, note: Callable[[str], None]) -> Iterator[Path]:
    """Yield the data files that a glob matches, also in folders that it matches. Raise `DatabaseError` for none."""
    matched = [Path(os.path.abspath(name)) for name in _matches(text)]
    if not matched:
        raise DatabaseError(f"no file matches {text}")
    base = Path(os.path.abspath(WILD.split(text)[0] + "x")).parent
    files = [file for path in matched for file in (_walked(path) if path.is_dir() else (path,))]
    inside = _inside(base, [file for file in files if formats.format_of(file)], note)
    if not inside:
        raise DatabaseError(f"{text} matches no files of an ending that is known here ({formats.KNOWN})")
    yield from inside


def _matches(text: str) -> list[str]:
    """Return the paths that a glob matches, sorted. Raise `DatabaseError` where too much would be looked at."""
    try:
        return sorted({*Globs(MOST_ENTRIES).matching(text)})
    except TooManyEntries:
        raise DatabaseError(
            f"{text}: there are more than {MOST_ENTRIES:,} files and folders to look at; name a folder further down"
        ) from None


def _inside(folder: Path, files: Iterable[Path], note: Callable[[str], None]) -> list[Path]:
    """Return the non-empty files inside a folder, without links that lead out of it; report the others by `note`."""
    resolved, inside = folder.resolve(), []
    for file in files:
        target = file.resolve()
        if not target.is_relative_to(resolved):
            note(f"left out: {file} is a link that leads out of {folder}; name it itself to ask it")
        elif not target.is_file() or not target.stat().st_size:
            note(f"left out: {file} is empty, or no file")
        elif fault := database_files.unopenable(file):
            note(f"left out: {str(file)!a}: {fault}")
        else:
            inside.append(file)
    return inside


def _remote(text: str, lists: Lister) -> Sequence[str]:
    """Return the addresses of the data files that an address names. Raise `DatabaseError` where there are none."""
    known, shown = formats.format_of(place(text)) is not None, hidden(text)
    scheme = text.partition("://")[0]
    if scheme not in (*formats.BUCKETS, *formats.WEB):
        expected = ", ".join(f"{scheme}://" for scheme in (*formats.BUCKETS, *formats.WEB))
        raise DatabaseError(f"{shown}: expected a path, or an address that begins with {expected}")
    if is_on_web(text):
        if known and "*" not in text:
            return [text]
        raise DatabaseError(
            f"{shown}: expected the address of one file that ends in {formats.KNOWN}; a web server lists no files"
        )
    wild = WILD.search(text) is not None
    if known and not wild:
        return [text]
    files = [file for file in lists(text if wild else f"{text.rstrip('/')}/**") if _is_shown(file, text)]
    if not files:
        what = "no object matches" if wild else "there is no object in"
        raise DatabaseError(f"{what} {shown} with an ending that is known here ({formats.KNOWN})")
    return files


def _is_shown(file: str, above: str) -> bool:
    """Return whether a file has a known ending, and neither it nor a folder below `above` begins with `.` or `_`."""
    below = place(file).parts[len(place(WILD.split(above)[0] + "x").parent.parts) :]
    return formats.format_of(place(file)) is not None and not any(part[0] in "._" for part in below)


def _refuse_table_format(table: FileTable, lists: Lister) -> None:
    """Raise `DatabaseError` for files of a table format: only its log says which of their rows are valid."""
    first = table.files[0]
    if is_on_web(first):
        return
    folder = table.root.parent if table.root == place(first) else table.root
    for above in {folder, folder.parent if folder.name == "data" else folder}:
        for format_ in _TABLE_FORMATS:
            named = formats.address(above) if is_remote(first) else str(above)
            if _holds(f"{named}/{format_.log}", format_.pattern, lists):
                raise DatabaseError(
                    f"{named} is {format_.kind}: its files also hold rows that were deleted. Ask :memory: with a file"
                    f" for --init that has CREATE VIEW … AS FROM {format_.extension}_scan({quoted(named)}); it needs"
                    f" DuckDB's extension {format_.extension}{format_.more}"
                )


def _holds(folder: str, pattern: str, lists: Lister) -> bool:
    """Return whether something in a folder matches a pattern; False for a bucket that may not be looked into."""
    if not is_remote(folder):
        return any(Path(folder).glob(pattern))
    with contextlib.suppress(DatabaseError):
        return bool(lists(f"{folder}/{pattern}"))
    return False


# -------------------------------------------------------------------------------------------------- tables and names


def _grouped(files: Iterable[str]) -> list[FileTable]:
    """Return the tables of some files, named by their stem or folder alone."""
    paths = {file: place(file) for file in files}
    partitioned = {file: _partition_root(path) for file, path in paths.items()}
    parts = Counter(
        (path.parent, formats.format_of(path))
        for file, path in paths.items()
        if partitioned[file] is None and _is_part(path)
    )
    placed: list[tuple[tuple[PurePath, Format, bool], str]] = []
    for file, path in paths.items():
        format_, folder = formats.format_of(path), partitioned[file]
        assert format_ is not None  # files of other formats were left out
        root = folder or (path.parent if _is_part(path) and parts[path.parent, format_] > 1 else path)
        placed.append(((root, format_, folder is not None), file))
    return [
        FileTable(_plain_name(formats.stem(root)), format_, tuple(members), root, is_partitioned)
        for (root, format_, is_partitioned), members in grouped(placed).items()
    ]


def _partition_root(file: PurePath) -> PurePath | None:
    """Return the folder above the partitions that a file is in: `sales` for `sales/year=2024/a.csv`; None for none."""
    above = file.parent
    while _PARTITION.fullmatch(above.name):
        above = above.parent
    return above if above != file.parent else None


def _is_part(file: PurePath) -> bool:
    """Return whether a program numbered the file as one of several parts."""
    return _PART.fullmatch(formats.stem(file)) is not None


def _plain_name(name: str) -> str:
    """Return a name made of letters, digits and underscores that none of askwhere's own tables has."""
    plain = re.sub(r"\W+", "_", name).strip("_") or "files"
    return f"file_{plain}" if plain.lower().startswith("askwhere_") else plain


def _with_distinct_names(tables: Sequence[FileTable]) -> tuple[FileTable, ...]:
    """Return the tables with distinct names: to equal ones the name of the folder, or the format, is added."""
    groups = grouped((fold(table.name), table) for table in tables)
    taken = set(groups)
    names: dict[FileTable, str] = {}
    for group in groups.values():
        for table, name in zip(group, _distinct_names(group, taken), strict=True):
            names[table] = name
            taken.add(fold(name))
    return tuple(FileTable(names[t], t.format, t.files, t.root, t.partitioned) for t in tables)


def _distinct_names(group: Sequence[FileTable], taken: set[str]) -> list[str]:
    """Return a name for each table of a group with equal stems, distinct from each other and from those in `taken`."""
    if len(group) == 1:
        return [group[0].name]
    deepest = max(len(t.root.parts) for t in group)
    namings: list[Callable[[FileTable], str]] = [
        lambda t: f"{t.root.parent.name}_{t.name}",
        lambda t: f"{t.name}_{t.format.name.lower()}",
        *(lambda t, n=n: "_".join((*t.root.parts[-n - 1 : -1], t.name)) for n in range(2, deepest)),
    ]
    for naming in namings:
        names = [_plain_name(naming(table)) for table in group]
        if len({*map(fold, names)} - taken) == len(group):
            return names
    free = (name for n in range(1, len(taken) + len(group) + 2) if fold(name := f"{group[0].name}_{n}") not in taken)
    return [next(free) for _ in group]
