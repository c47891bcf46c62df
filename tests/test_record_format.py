"""docs/record-format.md and its JSON Schema say what the code does."""

import json
import re
from pathlib import Path

import msgspec
import pytest

from domain.core.record import Record
from domain.core.words import GALLERY
from service.verifying.findings import Kind
from tests.service.verifying.records import finished, record_of
from tests.tiny import GAME

DOCS = Path(__file__).parents[1] / "docs"
SCHEMA = DOCS / "record.schema.json"


def schema() -> str:
    """The schema as it is published; `python -m tests.test_record_format` writes it."""
    made = {"$schema": "https://json-schema.org/draft/2020-12/schema", **msgspec.json.schema(Record)}
    return json.dumps(made, indent=2, sort_keys=True) + "\n"


def test_the_schema_is_that_of_the_code() -> None:
    assert SCHEMA.read_text() == schema()


def test_a_record_has_the_fields_that_the_page_names() -> None:
    record = json.loads(msgspec.json.encode(record_of(finished(GAME, 3, 1), GALLERY)))
    page = (DOCS / "record-format.md").read_text()
    names = {*record, *record["commits"][0], *record["commits"][0]["events"][0]}
    missing = [name for name in sorted(names) if f"`{name}`" not in page]
    assert missing == []


@pytest.mark.parametrize("kind", list(Kind), ids=lambda kind: kind.name)
def test_every_exit_status_is_on_the_page(kind: Kind) -> None:
    page = (DOCS / "record-format.md").read_text()
    assert re.search(rf"^\| {int(kind)} \| {kind.name.lower()} \| \w", page, re.MULTILINE)


if __name__ == "__main__":
    SCHEMA.write_text(schema())
