"""Fields of dataclasses and pydantic models: names and annotated types, never default values."""

from __future__ import annotations

from typing import Any

from cave_lab.kernel.probe.inside.plain import (
    class_attribute,
    class_module,
    class_name,
    held,
    is_class,
    is_subclass,
    loaded,
    loaded_class,
    shorten,
    slot,
)

NESTING = 3
"""Levels of an annotation that are written out."""

ARGUMENTS = 6
"""Arguments of one annotation that are written out."""


class Models:
    """The classes of dataclasses and pydantic that are loaded now."""

    def __init__(self) -> None:
        self.model = loaded_class("pydantic.main", "BaseModel")
        self._field = loaded_class("dataclasses", "Field")
        self._ordinary = loaded("dataclasses", "_FIELD")

    def fields(self, cls: type) -> list[tuple[str, str]] | None:
        """The fields that a class declares, with their types; None for any other class."""
        found = self._dataclass(cls)
        return self._pydantic(cls) if found is None else found

    def _dataclass(self, cls: type) -> list[tuple[str, str]] | None:
        declared = class_attribute(cls, "__dataclass_fields__")
        if self._field is None or type(declared) is not dict:
            return None
        return [
            (shorten(name), annotation_text(slot(field, "type")))
            for name, field in list(dict.items(declared))
            # Class variables and init-only arguments are no fields of the instance.
            if type(name) is str
            and type(field) is self._field
            and slot(field, "_field_type") is self._ordinary
        ]

    def _pydantic(self, cls: type) -> list[tuple[str, str]] | None:
        if self.model is None or not is_subclass(cls, self.model) or cls is self.model:
            return None
        places = ("__pydantic_fields__", "model_fields", "__fields__")
        found = (class_attribute(cls, place) for place in places)
        declared = next((one for one in found if type(one) is dict), {})
        return [
            (shorten(name), annotation_text(declared_type(field)))
            for name, field in list(dict.items(declared))
            if type(name) is str
        ]


def declared_type(field: object) -> Any:
    """The annotation of a pydantic field, as version 2 or version 1 keeps it."""
    found = held(field, "annotation")
    return held(field, "outer_type_") if found is None else found


def add_fields(cls: type, row: dict[str, Any], look: Any) -> bool:
    """Put a class's fields into a row as its columns; whether it has declared any."""
    fields = look.models.fields(cls) if look.max_columns else None
    if fields is None:
        return False
    row["columns_total"] = len(fields)
    row["columns"] = [list(field) for field in fields[: look.max_columns]]
    return True


def annotation_text(annotation: Any, nesting: int = NESTING) -> str:
    """An annotation as it is written, without the values that a `Literal` or metadata hold."""
    if annotation is None or annotation is type(None):
        return "None"
    if annotation is ...:
        return "..."
    if type(annotation) is str:
        return written_text(annotation)
    if is_class(annotation):
        return class_name(annotation)
    forward = slot(annotation, "__forward_arg__")
    if type(forward) is str:
        return written_text(forward)
    if type(annotation) is list and nesting > 0:
        return "[" + arguments_text(tuple(annotation), nesting - 1) + "]"
    return generic_text(annotation, nesting)


def written_text(annotation: str) -> str:
    """An annotation that was written as text; one that quotes values ends before its brackets."""
    quoting = "'" in annotation or '"' in annotation
    return shorten(annotation.split("[")[0] if quoting else annotation)


def generic_text(annotation: Any, nesting: int) -> str:
    """A type with arguments, a union, or a name of the typing module."""
    arguments, name = held(annotation, "__args__"), special_name(annotation)
    origin = held(annotation, "__origin__")
    union = class_name(type(annotation)) in ("UnionType", "Union")
    if union or special_name(origin) in ("Union", "Optional"):
        return arguments_text(arguments, nesting - 1, " | ")
    if class_name(type(annotation)) == "_AnnotatedAlias":
        return annotation_text(origin, nesting)
    if name is None or is_class(origin):
        name = annotation_text(origin, 0) if origin is not None else None
    if special_name(origin) == "Literal" or name is None or nesting <= 0:
        return name or class_name(type(annotation))
    text = arguments_text(arguments, nesting - 1)
    return shorten(name + "[" + text + "]") if text else name


def special_name(annotation: Any) -> str | None:
    """The name of a special form, an alias or a type variable of the typing module."""
    if class_module(type(annotation)) != "typing":
        return None
    found = (held(annotation, name) for name in ("_name", "__name__"))
    return next((name for name in found if type(name) is str), None)


def arguments_text(arguments: Any, nesting: int, between: str = ", ") -> str:
    """The arguments of a type; an empty text if it has none that can be read."""
    if type(arguments) is not tuple or nesting < 0:
        return ""
    texts = [annotation_text(one, nesting) for one in arguments[:ARGUMENTS]]
    return between.join(texts + ["…"] * (len(arguments) > ARGUMENTS))
