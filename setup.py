"""Builds the loadable SQLite extension, where a C compiler and sqlite3ext.h are; all else is in pyproject.toml."""

import os
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

FOLDER = "extension/native"
SOURCES = [f"{FOLDER}/{name}.c" for name in ("askwhere", "message", "worker", "query", "tables")]


class Library(build_ext):
    """A library that SQLite loads: no Python is in it, so no version of Python is in its name."""

    def get_ext_filename(self, name: str) -> str:
        """Where the library is built."""
        return os.path.join(*name.split(".")) + (".dylib" if sys.platform == "darwin" else ".so")


EXTENSION = Extension(
    "askwhere.native.askwhere",
    SOURCES,
    depends=[f"{FOLDER}/native.h"],
    extra_compile_args=["-std=gnu11", "-fvisibility=hidden", "-Wall", "-Wextra"],
    libraries=["pthread", "dl"],  # in C libraries of before 2021 they are apart
    optional=True,  # `askwhere doctor` says what is missing
)

setup(ext_modules=[EXTENSION] if os.name == "posix" else [], cmdclass={"build_ext": Library})
