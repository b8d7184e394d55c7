"""Make a frozen dataclass quickly: `frozen`.

`dataclass(frozen=True)` compiles six methods for each class: 0.08 s of processor time for the hundred and forty classes
that a question loads. Here `__init__` alone is compiled, and all classes share the others.
"""

from __future__ import annotations

from dataclasses import MISSING, FrozenInstanceError, dataclass, field, fields
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform

_T = TypeVar("_T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: type[_T]) -> type[_T]:
    """Return the class as a frozen dataclass, with the methods that it defines itself. A field has no `kw_only`."""
    made: Any = dataclass(init=False, repr=False, eq=False)(cls)
    made.__init__ = _init(made)
    made._compared = attrgetter(*[part.name for part in fields(made) if part.compare] or ["__class__"])
    for name, method in vars(_Shared).items():
        if callable(method) and name not in vars(made):
            setattr(made, name, method)
    return cls


def _init(made: Any) -> Any:
    """Return an `__init__` with a parameter for each field."""
    # No field begins with two underscores, so that no parameter hides one of these names.
    names: dict[str, Any] = {"__put": object.__setattr__, "__absent": MISSING}
    parameters, lines = ["self"], ["pass"]
    for part in fields(made):
        parameter = value = part.name
        if part.default is not MISSING:
            names[f"__default_{part.name}"] = part.default
            parameter += f"=__default_{part.name}"
        elif part.default_factory is not MISSING:
            names[f"__make_{part.name}"] = part.default_factory
            parameter += "=__absent"
            value = f"__make_{part.name}() if {part.name} is __absent else {part.name}"
        parameters.append(parameter)
        lines.append(f"__put(self, {part.name!r}, {value})")
    if hasattr(made, "__post_init__"):
        lines.append("self.__post_init__()")
    exec(f"def __init__({', '.join(parameters)}):\n " + "\n ".join(lines), names)
    names["__init__"].__qualname__ = f"{made.__qualname__}.__init__"  # what errors of a call begin with
    return names["__init__"]


class _Shared:
    _compared: Any

    def __eq__(self, other: object) -> bool:
        return bool(self._compared(self) == self._compared(other)) if type(self) is type(other) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._compared(self))

    def __repr__(self) -> str:
        shown = (f"{part.name}={getattr(self, part.name)!r}" for part in fields(self) if part.repr)  # type: ignore[arg-type]
        return f"{type(self).__qualname__}({', '.join(shown)})"

    def __setattr__(self, name: str, value: object) -> None:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> None:
        raise FrozenInstanceError(f"cannot delete field {name!r}")
