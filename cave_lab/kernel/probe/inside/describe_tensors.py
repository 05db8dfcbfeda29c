"""Tensors of torch, jax and cupy: shape, data type and device. No value, nothing is waited for."""

from __future__ import annotations

from typing import Any

from cave_lab.kernel.probe.inside.plain import (
    CLASS_DICT,
    class_module,
    first_class,
    is_subclass,
    loaded,
    loaded_class,
    read,
    shorten,
    slot,
)
from cave_lab.kernel.probe.inside.words import dtype_text

WRITTEN_IN_C = type(object.__repr__)
"""The type of a special method that is compiled."""

FUNCTION_IN_C: Any = type(len)
"""The type of a function that is compiled."""


class Tensors:
    """The tensor classes that are loaded now."""

    def __init__(self) -> None:
        self.torch = loaded_class("torch", "Tensor")
        self.jax = first_class(("jaxlib._jax", "ArrayImpl"), ("jaxlib.xla_extension", "ArrayImpl"))
        self.cupy = loaded_class("cupy", "ndarray")


def describe_torch(value: Any, row: dict[str, Any], look: Any) -> None:
    """A tensor of torch, of its own two classes alone.

    Its getters are C and wait for no device. Of a subclass, and while a function mode is on, they
    would hand over to Python.
    """
    row["kind"] = "tensor"
    own_classes = (look.tensors.torch, loaded_class("torch.nn.parameter", "Parameter"))
    if all(type(value) is not one for one in own_classes) or is_mode_on():
        return
    base = first_class(("torch._C", "TensorBase"), ("torch._C", "_TensorBase"))
    add_shape(read(base, "shape", value), row)
    dtype, device = read(base, "dtype", value), read(base, "device", value)
    if is_text_in_c(dtype, loaded_class("torch", "dtype")):
        row["dtype"] = shorten(str(dtype).rpartition(".")[2])
    if is_text_in_c(device, loaded_class("torch", "device")):
        row["summary"] = "on " + shorten(str(device))


def is_mode_on() -> bool:
    """Whether torch hands what is asked of tensors to Python in this thread."""
    modes = loaded("torch._C", "_len_torch_function_stack")
    if modes is None:  # Before version 2 there were none.
        return False
    return type(modes) is not FUNCTION_IN_C or modes() != 0


def is_text_in_c(value: object, cls: Any) -> bool:
    """Whether a value is of just this class, and its text is made without Python code."""
    if cls is None or type(value) is not cls:
        return False
    inside = CLASS_DICT(cls)
    return all(
        type(inside.get(name, object.__repr__)) is WRITTEN_IN_C for name in ("__str__", "__repr__")
    )


def describe_jax(value: Any, row: dict[str, Any], look: Any) -> None:
    """An array of jax, computed yet or not.

    `aval`, `_sharding`, `_device`, `platform` and `id` are properties in C++; the abstract value
    that they lead to keeps shape and data type in slots.
    """
    row["kind"] = "tensor"
    abstract = native(look.tensors.jax, "aval", value)
    if type(abstract) is not loaded_class("jax._src.core", "ShapedArray"):
        return
    add_shape(slot(abstract, "shape"), row)
    row["dtype"] = dtype_text(slot(abstract, "dtype"))
    place = class_module(look.tensors.jax) or ""
    sharding = native(look.tensors.jax, "_sharding", value)
    single, device = (loaded_class(place, name) for name in ("SingleDeviceSharding", "Device"))
    where = native(single, "_device", sharding)
    platform, number = native(device, "platform", where), native(device, "id", where)
    if type(platform) is str and type(number) is int:
        row["summary"] = "on " + shorten(platform) + ":" + str(number)


def native(cls: Any, name: str, value: object) -> Any:
    """What a property in C++ of just this class gives; None if it is none."""
    descriptor = None if cls is None else CLASS_DICT(cls).get(name)
    if type(value) is not cls or type(descriptor) is not property:
        return None
    getter: Any = descriptor.fget
    maker = type(getter)
    in_c = type(CLASS_DICT(maker).get("__call__")) is WRITTEN_IN_C
    return getter(value) if in_c and class_module(maker) == "nanobind" else None


def describe_cupy(value: Any, row: dict[str, Any], look: Any) -> None:
    """An array of cupy: what it keeps on this side of the bus, by getters in C."""
    row["kind"] = "tensor"
    base = first_class(("cupy._core.core", "_ndarray_base"), ("cupy._core.core", "ndarray"))
    add_shape(read(base, "shape", value), row)
    dtype = read(base, "dtype", value)
    if dtype is not None:
        row["dtype"] = dtype_text(dtype)
    memory, pointer = read(base, "data", value), loaded_class("cupy.cuda.memory", "MemoryPointer")
    number = read(pointer, "device_id", memory) if type(memory) is pointer else None
    if type(number) is int:
        row["summary"] = "on device " + str(number)


def add_shape(shape: Any, row: dict[str, Any]) -> None:
    """Put a shape into a row if it is a tuple of plain numbers."""
    if is_subclass(type(shape), tuple):
        sizes = list(tuple.__iter__(shape))
        if all(type(size) is int for size in sizes):
            row["shape"] = sizes
