import pytest

from cave_lab.model.fences.purpose import Prose, told


@pytest.mark.parametrize(
    "prose, sentence",
    [
        ("", ""),
        ("\n \n", ""),
        ("I count.", "I count."),
        ("I count. Then I plot:\n\n", "Then I plot"),
        ("It is 3.5 of 10, i.e. little. Why? Let me see.", "Let me see."),
        ("First.\nI plot\nby month.\n", "I plot by month."),
        ("Old.\r\n\r\nNew.\r\n", "New."),
        ("## Plan\n- **load** it\n- plot `x_y`:", "plot x_y"),
        ("> I quote *this*\n>> and _that_.", "I quote this and that."),
        ("See [the docs](http://x.y).", "See the docs."),
        ('He said "go." Then **I go**.', "Then I go."),
        ("先看列。再数行数\uff1a", "再数行数"),
    ],
)
def test_the_last_sentence_leads_to_the_cell(prose: str, sentence: str):
    said = Prose()
    said.add(prose)
    assert said.last_sentence() == sentence


def test_only_the_end_of_long_prose_is_kept_and_the_same_of_it_however_it_came():
    text = "word " * 2_000 + "The end"
    whole, pieces = Prose(), Prose()
    whole.add(text)
    for at in range(0, len(text), 7):
        pieces.add(text[at : at + 7])
    assert whole.last_sentence() == pieces.last_sentence()
    assert len(whole.last_sentence()) <= 1_000


def test_what_a_block_parts_is_not_one_sentence():
    said = Prose()
    said.add("So:\n")
    said.end_paragraph()
    assert said.last_sentence() == "So"
    said.add("Now I do.")
    assert said.last_sentence() == "Now I do."


@pytest.mark.parametrize(
    "words, purpose",
    [
        ("", ""),
        ("Revenue by month", "Revenue by month"),
        ("# Revenue", "Revenue"),
        (": **Revenue**:", "Revenue"),
        ("- Revenue", "Revenue"),
        ('"Revenue by month"', "Revenue by month"),
        ("purpose: Revenue", "Revenue"),
        ('Purpose = "Revenue"', "Revenue"),
        ("purposeful work", "purposeful work"),
        ("--", ""),
    ],
)
def test_an_opening_line_tells_the_purpose(words: str, purpose: str):
    assert told(tuple(words.split())) == purpose
