"""The guide's requests are requests of this schema, and its tables are complete."""

import re
from pathlib import Path

import pytest
from graphql import build_schema, parse, validate

from service.graphql.limits import Limits
from service.graphql.lobby import PAGE_LIMIT
from service.graphql.looking import EVENTS_LIMIT
from service.graphql.subscription import SLOW
from service.watching import EndReason

ROOT = Path(__file__).parents[3]
GUIDE = (ROOT / "docs" / "graphql.md").read_text()
SCHEMA = build_schema((ROOT / "tests" / "golden" / "schema.graphql").read_text())
REQUESTS = re.findall(r"```graphql\n(.*?)```", GUIDE, re.DOTALL)


@pytest.mark.parametrize("request_", REQUESTS)
def test_every_request_of_the_guide_is_valid(request_: str) -> None:
    assert validate(SCHEMA, parse(request_)) == []


def test_every_mutation_query_and_reason_is_in_the_guide() -> None:
    assert len(REQUESTS) > 8
    for root in (SCHEMA.query_type, SCHEMA.subscription_type):
        assert root is not None
        for name in root.fields:
            assert name in GUIDE
    for reason in [*[reason.name for reason in EndReason], SLOW.upper()]:
        assert f"`{reason}`" in GUIDE


def test_every_refusal_of_this_surface_is_in_a_table() -> None:
    described = GUIDE + (ROOT / "docs" / "refusals.md").read_text()
    codes = set()
    for path in (ROOT / "service" / "graphql").glob("*.py"):
        codes |= set(re.findall(r'Illegal\(\s*"([a-z_]+)"', path.read_text()))
        codes |= set(re.findall(r'code="([a-z_]+)"', path.read_text()))
    assert codes
    assert {code for code in codes if f"| `{code}` |" not in described} == set()


def test_the_limits_in_the_guide_are_those_in_force() -> None:
    limits = Limits()
    for number in (limits.tokens, limits.selections, limits.string, limits.items):
        assert f"{number:,}" in GUIDE
    for words in (
        f"{limits.body_bytes // 1024} KiB",
        f"depth {limits.depth}",
        f"{limits.aliases} aliases",
        f"{limits.subscriptions} operations",
        f"{limits.sockets} sockets",
        f"in {limits.init_s:.0f} s",
        f"1 to {PAGE_LIMIT} matches, 1 to {EVENTS_LIMIT} events",
    ):
        assert words in GUIDE
