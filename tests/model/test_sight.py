"""What providers say of images: that a model takes none, or that these are not accepted."""

import pytest

from cave_lab.errors import ModelBadRequest, ModelError, ModelRateLimited, ModelServerFault
from cave_lab.model.litellm.sight import figures_refused, images_refused
from cave_lab.model.port import ModelChoice, ModelRequest, UserMessage

REQUEST = ModelRequest(ModelChoice("some/model"), (UserMessage("Look", images=("data:,",)),))

NONE = [
    "Invalid content type. image_url is only supported by certain models.",
    "this model does not support image input (ref: 1)",
    "Invalid image. The model does not support vision input.",
    "multimodal content is not supported by this endpoint",
    "No endpoints found that support image input",
    "image input is not supported - hint: you may need to provide the mmproj",
    "Failed to deserialize: messages[1]: unknown variant `image_url`, expected `text`",
    "'messages.1' : for 'role:user' : content must be a string",
    "This model doesn't support the image content block that you provided.",
    "Image input modality is not enabled for models/small",
    "Model does not support images. Please use a model that does.",
    "some/model is not a multimodal model",
    "At most 0 image(s) may be provided in one prompt.",
    "This model is missing data required for image input",
    "Multimodal data provided, but model does not support multimodal requests.",
    "Image inputs are not supported by this model.",
]
DOUBTFUL = [
    "At most 1 image(s) may be provided in one prompt.",
    "too many images and documents: 120 + 0 > 100",
    "Request contains 52 images, exceeding the maximum of 50 allowed per request",
    "This model does not support more than 5 images",
    "messages.3.content.1.image.source.base64: image exceeds 5 MB maximum",
    "The model does not support images larger than 2000 pixels",
    "Could not process image",
    "Invalid image data",
    "Unsupported image format",
    "The image format is not supported: image/webp",
    "image_url must be a URL, base64 is not supported",
    "Image rate limit reached; images are not accepted now",
    "The vision service is not available at the moment",
]


@pytest.mark.parametrize("words", NONE)
@pytest.mark.parametrize("kind", [ModelBadRequest, ModelServerFault])
def test_what_says_that_a_model_takes_no_images_is_believed(
    words: str, kind: type[ModelError]
) -> None:
    assert images_refused(kind(detail=words), REQUEST)
    assert not figures_refused(kind(detail=words), REQUEST)


@pytest.mark.parametrize("words", DOUBTFUL)
def test_what_refuses_these_images_says_nothing_of_the_model(words: str) -> None:
    assert not images_refused(ModelBadRequest(detail=words), REQUEST)
    assert not images_refused(ModelServerFault(detail=words), REQUEST)
    assert figures_refused(ModelBadRequest(detail=words), REQUEST)


def test_a_model_that_is_named_after_its_eyes_says_nothing_of_images() -> None:
    request = ModelRequest(ModelChoice("groq/llama-90b-vision"), REQUEST.messages)
    words = "Model llama-90b-vision does not support the parameter reasoning_effort"
    assert not images_refused(ModelBadRequest(detail=words), request)
    assert not figures_refused(ModelBadRequest(detail=words), request)


@pytest.mark.parametrize(
    "error",
    [
        ModelServerFault(detail="The image service is overloaded"),
        ModelRateLimited(detail="Rate limit for images"),
        ModelBadRequest(detail="temperature must be 1"),
        ModelBadRequest(),
    ],
)
def test_a_server_in_trouble_and_other_refusals_stay_what_they_are(error: ModelError) -> None:
    assert not images_refused(error, REQUEST)
    assert not figures_refused(error, REQUEST)


@pytest.mark.parametrize("words", [*NONE, *DOUBTFUL])
def test_nothing_is_concluded_from_a_call_without_images(words: str) -> None:
    request = ModelRequest(ModelChoice("some/model"), (UserMessage("Look"),))
    assert not images_refused(ModelBadRequest(detail=words), request)
    assert not figures_refused(ModelBadRequest(detail=words), request)
