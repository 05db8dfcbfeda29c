"""Facts about a value and its class, learned without running any code of either."""

from __future__ import annotations

import sys
from typing import Any

CLASS_DICT = type.__dict__["__dict__"].__get__
CLASS_MRO = type.__dict__["__mro__"].__get__
CLASS_BASES = type.__dict__["__bases__"].__get__
CLASS_NAME = type.__dict__["__qualname__"].__get__
CLASS_MODULE = type.__dict__["__module__"].__get__
GETSET = type(type.__dict__["__dict__"])
MEMBER = type(type.__dict__["__basicsize__"])
MODULE: Any = type(sys)

LABEL_CHARS = 120
"""Longest name, label or type that leaves the kernel; longer ones end in an ellipsis."""

SUMMARY_CHARS = 200
"""Longest sentence about a variable."""


def shorten(text: str, limit: int = LABEL_CHARS) -> str:
    """An exact string as it can be sent: bounded, and valid UTF-8."""
    if len(text) > limit:
        text = text[: limit - 1] + "…"
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def is_subclass(cls: type, base: type) -> bool:
    """Whether `base` is among the classes of `cls`, by identity: no check, no `==` of theirs."""
    return any(one is base for one in CLASS_MRO(cls))


def is_class(value: object) -> bool:
    """Whether the value itself is a class, whatever its metaclass says."""
    return is_subclass(type(value), type)


def class_name(cls: type) -> str:
    """The qualified name of a class, or a question mark if it is not an exact string."""
    name = CLASS_NAME(cls)
    return shorten(name) if type(name) is str else "?"


def class_module(cls: type) -> str | None:
    """The module that a class says it is from, if it is an exact string."""
    module = CLASS_MODULE(cls)
    return shorten(module) if type(module) is str else None


def class_names(cls: type) -> Any:
    """The names that a class itself defines: a read-only view of its own dict."""
    return CLASS_DICT(cls)


def instance_dict(value: object) -> dict[Any, Any] | None:
    """The genuine `__dict__` of a value; None if it has none or its class pretends one."""
    for base in CLASS_MRO(type(value)):
        descriptor = CLASS_DICT(base).get("__dict__")
        if descriptor is None:
            continue
        genuine = type(descriptor) is GETSET or type(descriptor) is MEMBER
        found = descriptor.__get__(value) if genuine else None
        return found if type(found) is dict else None
    return None


def own(value: object, name: str) -> Any:
    """What the instance dict of a value holds under a name, or None."""
    return dict.get(instance_dict(value) or {}, name)


def slot(value: object, name: str) -> Any:
    """What an instance keeps in a slot of its class, or None.

    Safe for any class: reading a member descriptor is a read of memory, it never runs code.
    """
    for base in CLASS_MRO(type(value)):
        descriptor = CLASS_DICT(base).get(name)
        if type(descriptor) is MEMBER:
            try:
                return descriptor.__get__(value)
            except AttributeError:  # The slot was never filled.
                return None
    return None


def held(value: object, name: str) -> Any:
    """What an instance keeps under a name, in its dict or in a slot, or None."""
    found = own(value, name)
    return slot(value, name) if found is None else found


def class_attribute(cls: type, name: str) -> Any:
    """What the nearest of a class's bases defines under a name, as it lies there, or None."""
    return next(
        (CLASS_DICT(base)[name] for base in CLASS_MRO(cls) if name in CLASS_DICT(base)), None
    )


def read(cls: Any, name: str, value: object) -> Any:
    """What a class's own reader in C gives for an instance; None if it has no such reader.

    Meant for the classes of known libraries alone: a getter is code, if not Python's.
    """
    descriptor = None if cls is None else CLASS_DICT(cls).get(name)
    genuine = type(descriptor) is GETSET or type(descriptor) is MEMBER
    return descriptor.__get__(value) if genuine else None  # type: ignore[union-attr]


def loaded(module: str, name: str) -> Any:
    """What a module that is loaded already holds under a name, or None; nothing is imported."""
    found = dict.get(sys.modules, module)
    return own(found, name) if type(found) is MODULE else None


def loaded_class(module: str, name: str) -> Any:
    """The class of a library that is loaded already, or None."""
    found = loaded(module, name)
    return found if is_class(found) else None


def first_class(*places: tuple[str, str]) -> Any:
    """The first class that is loaded at one of these places: libraries move theirs about."""
    return next(filter(None, (loaded_class(*place) for place in places)), None)
