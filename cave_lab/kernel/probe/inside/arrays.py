"""NumPy's arrays, read through the getters of the base class."""

from __future__ import annotations

from typing import Any

from cave_lab.kernel.probe.inside.plain import CLASS_DICT, loaded_class, shorten


class Arrays:
    """The array class of the NumPy that is loaded now, and its getters."""

    def __init__(self) -> None:
        self.ndarray = loaded_class("numpy", "ndarray")
        self.number = loaded_class("numpy", "number")
        self.boolean = loaded_class("numpy", "bool_")
        self.generic = loaded_class("numpy", "generic")
        self._getters = CLASS_DICT(self.ndarray) if self.ndarray else {}

    def is_plain(self, value: object) -> bool:
        """Whether the value is an array of the base class itself, whose methods are NumPy's own."""
        return self.ndarray is not None and type(value) is self.ndarray

    def get(self, value: Any, name: str) -> Any:
        """An attribute of an array or a subclass of it, by the base class's own getter."""
        return self._getters[name].__get__(value)

    def base(self, value: Any) -> Any:
        """The same data as an array of the base class; nothing is copied."""
        return self.ndarray.view(value, self.ndarray)

    def shape(self, value: Any) -> list[int]:
        """The lengths of all dimensions."""
        return list(self.get(value, "shape"))

    def dtype(self, value: Any) -> str:
        """The data type as NumPy writes it."""
        return shorten(str(self.get(value, "dtype")))
