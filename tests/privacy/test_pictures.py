"""The size of a picture is read from its first bytes, and no data makes that fail."""

import base64
import io
import random
from collections.abc import Mapping
from typing import Any

import pytest
from matplotlib.figure import Figure
from pydantic import JsonValue

from cave_lab.privacy.pictures import picture_in


def drawn(kind: str, width: int = 640, height: int = 480, **options: Any) -> bytes:
    """A plot, as a kernel would send it."""
    figure = Figure(figsize=(width / 100, height / 100), dpi=100)
    figure.subplots().plot([1, 3, 2])
    stream = io.BytesIO()
    figure.savefig(stream, format=kind, **options)
    return stream.getvalue()


def bundle(mime: str, data: bytes) -> Mapping[str, Any]:
    return {mime: base64.encodebytes(data).decode(), "text/plain": "<Figure>"}


@pytest.mark.parametrize(
    ("kind", "mime", "options"),
    [
        ("png", "image/png", {}),
        ("jpeg", "image/jpeg", {}),
        ("jpeg", "image/jpeg", {"pil_kwargs": {"progressive": True}}),
        ("jpeg", "image/jpeg", {"pil_kwargs": {"icc_profile": b"x" * 60_000}}),
        ("webp", "image/webp", {}),
        ("webp", "image/webp", {"pil_kwargs": {"lossless": True}}),
        ("webp", "image/webp", {"pil_kwargs": {"icc_profile": b"x" * 600}}),
        ("gif", "image/gif", {}),
    ],
)
def test_the_size_is_read(kind: str, mime: str, options: dict[str, Any]) -> None:
    data = drawn(kind, 701, 403, **options)
    picture = picture_in(bundle(mime, data))
    assert picture is not None
    assert (picture.mime, picture.size) == (mime, (701, 403))
    assert abs(picture.bytes - len(data)) < 3
    head, _, text = picture.url.partition(",")
    assert head == f"data:{mime};base64"
    assert base64.b64decode(text, validate=True) == data


def test_of_several_kinds_one_that_models_see_is_taken() -> None:
    both = {"image/svg+xml": "<svg/>", **bundle("image/png", drawn("png"))}
    picture = picture_in(both)
    assert picture is not None
    assert picture.mime == "image/png"
    assert picture_in({"image/svg+xml": "<svg/>"}) is None
    assert picture_in({"text/plain": "2"}) is None


@pytest.mark.parametrize("kind", ["png", "jpeg", "webp", "gif"])
def test_broken_data_has_no_size_and_breaks_nothing(kind: str) -> None:
    chance = random.Random(3)
    data = drawn(kind)
    for cut in (0, 1, 8, 12, 20, 29):
        assert picture_in(bundle(f"image/{kind}", data[:cut])) is not None
    for _ in range(200):
        broken = bytearray(data[:400])
        for _ in range(20):
            broken[chance.randrange(len(broken))] = chance.randrange(256)
        picture_in(bundle(f"image/{kind}", bytes(broken)))
    texts: list[JsonValue] = ["", "not base64 ¿", "é" * 100, ["a", "b"], "\ud800"]
    for text in texts:
        picture = picture_in({f"image/{kind}": text})
        assert picture is not None
        assert picture.size is None
