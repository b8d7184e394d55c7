"""`frozen` makes what `dataclass(frozen=True)` makes."""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable
from dataclasses import FrozenInstanceError, asdict, dataclass, field, fields, is_dataclass, replace
from typing import Any

import pytest
from askwhere.frozen import frozen


@frozen
class City:
    """A class with all that ours use."""

    name: str
    people: int = 0
    rivers: list[str] = field(default_factory=list, compare=False)
    mayor: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        if self.people < 0:
            raise ValueError("no people")


@frozen
class Capital(City):
    country: str = "?"

    def __hash__(self) -> int:
        return 7


def made_by(decorator: Callable[..., Any]) -> list[Any]:
    """The same class by one decorator, and what it says of itself in every way."""

    class Town:
        """A town."""

        name: str
        people: int = 0
        rivers: list[str] = field(default_factory=list, compare=False)
        mayor: str = field(default="", repr=False)
        put: int = 0  # names that the making of `__init__` might take for its own
        absent: bool = False
        default_people: int = 1

    made = decorator(Town)
    one, other = made("Bern", 134_000, ["Aare"], mayor="von Graffenried"), made("Bern", people=134_000)
    same = replace(other, mayor="von Graffenried")
    return [
        [repr(one), one == other, one == same, hash(one) == hash(same), one != object(), asdict(one)],
        [[(part.name, part.init, part.repr, part.compare) for part in fields(made)], is_dataclass(one)],
        [made.__match_args__, made.people, made("Thun").rivers is not made("Thun").rivers, made.__doc__],
    ]


def test_a_class_is_what_dataclass_makes_of_it() -> None:
    assert made_by(frozen) == made_by(dataclass(frozen=True))


def test_nothing_of_it_can_be_changed() -> None:
    city = City("Bern")
    with pytest.raises(FrozenInstanceError, match=r"^cannot assign to field 'name'$"):
        city.name = "Basel"  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError, match=r"^cannot delete field 'name'$"):
        del city.name
    assert city == City("Bern")


def test_a_wrong_argument_is_named() -> None:
    with pytest.raises(TypeError, match=re.escape("City.__init__() missing 1 required positional argument: 'name'")):
        City()  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=re.escape("City.__init__() got an unexpected keyword argument 'size'")):
        City("Bern", size=3)  # type: ignore[call-arg]
    with pytest.raises(ValueError, match=r"^no people$"):
        City("Bern", -1)


def test_a_class_has_the_fields_of_the_one_it_is_made_from_and_its_own_methods() -> None:
    bern = Capital("Bern", country="Switzerland")
    assert repr(bern) == "Capital(name='Bern', people=0, rivers=[], country='Switzerland')"
    assert (hash(bern), bern == City("Bern"), bern == replace(bern)) == (7, False, True)


def test_an_object_is_the_same_after_pickling_and_in_a_pattern() -> None:
    assert pickle.loads(pickle.dumps(City("Bern", 3))) == City("Bern", 3)
    match City("Bern", 3):
        case City(name, people):
            assert (name, people) == ("Bern", 3)
