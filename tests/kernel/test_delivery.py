from cave_lab.kernel.delivery import pause_seconds
from cave_lab.limits import DEFAULT_LIMITS as LIMITS


def test_the_pause_between_two_tellings_grows_with_what_was_told():
    pauses = [pause_seconds(LIMITS, told) for told in (0, 32_000, 320_000, 10_000_000_000)]
    assert pauses[0] == LIMITS.output_merge_seconds
    assert pauses[1] == 2 * pauses[0]
    assert pauses == sorted(pauses)
    assert pauses[-1] == LIMITS.output_merge_max_seconds
