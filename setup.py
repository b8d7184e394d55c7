"""Build the loadable SQLite extension, where a C compiler and sqlite3ext.h are; all else is in pyproject.toml."""

import os
import sys

from setuptools import Extension, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_ext import build_ext

FOLDER = "extension/native"
SOURCES = [f"{FOLDER}/{name}.c" for name in ("askwhere", "message", "worker", "query", "tables")]


class Library(build_ext):
    """A library that SQLite loads: no Python is in it, so no version of Python is in its name."""

    def get_ext_filename(self, name: str) -> str:
        """Return the path at which the library is built."""
        return os.path.join(*name.split(".")) + (".dylib" if sys.platform == "darwin" else ".so")


class Wheel(bdist_wheel):
    """A wheel for every Python 3: of this platform with the library, of any where it could not be built."""

    def get_tag(self) -> tuple[str, str, str]:
        """Return the tags in the wheel's name: Python, ABI and platform."""
        built = self.get_finalized_command("build_ext").get_ext_fullpath(EXTENSION.name)
        return "py3", "none", super().get_tag()[2] if os.path.exists(built) else "any"


EXTENSION = Extension(
    "askwhere.native.askwhere",
    SOURCES,
    depends=[f"{FOLDER}/native.h"],
    extra_compile_args=["-std=gnu11", "-fvisibility=hidden", "-Wall", "-Wextra"],
    libraries=["pthread", "dl"],  # in C libraries of before 2021 they are apart
    optional=True,  # `askwhere doctor` says what is missing
)

setup(ext_modules=[EXTENSION] if os.name == "posix" else [], cmdclass={"bdist_wheel": Wheel, "build_ext": Library})
