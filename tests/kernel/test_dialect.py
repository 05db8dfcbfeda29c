from cave_lab.kernel.dialect import Dialect, error_name, is_interrupt


def test_only_ipykernel_has_room_for_the_probe():
    python = {"implementation": "ipython", "language_info": {"name": "python"}}
    xeus = {"implementation": "xeus-python", "language_info": {"name": "python"}}
    assert Dialect.of(python, "").has_handler_tables
    assert not Dialect.of(xeus, "").has_handler_tables
    assert not Dialect.of({}, "R").has_handler_tables


def test_only_of_ipykernel_is_a_heart_expected_to_beat_while_a_cell_runs():
    assert Dialect("python", "ipython").heart_beats_while_busy
    assert not Dialect("R", "IRkernel").heart_beats_while_busy


def test_a_kernel_that_an_interrupt_would_end_is_known():
    assert Dialect("python", "xeus-python").dies_of_sigint
    assert not Dialect("R", "IRkernel").dies_of_sigint


def test_a_kernel_that_says_nothing_speaks_the_language_of_its_spec():
    assert Dialect.of({}, "R").language == "R"
    assert Dialect.of({"language_info": "nonsense"}, "julia").language == "julia"


def test_the_text_of_a_class_is_its_name():
    assert error_name("<class 'ZeroDivisionError'>") == "ZeroDivisionError"
    assert error_name("<class 'my.module.Odd'>") == "Odd"
    assert error_name("ERROR") == "ERROR"


def test_interrupts_are_known_by_many_names():
    assert is_interrupt("<class 'KeyboardInterrupt'>", asked=False)
    assert is_interrupt("InterruptException", asked=False)
    assert not is_interrupt("CancelledError", asked=False)
