"""Code on code: what nobody should have to look for in a review."""

import ast
import re
import statistics
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
HOUSES = ("domain", "infra", "service", "migrations")
FILE_MAX = 400
FILE_MEDIAN = 120
FUNCTION_MAX = 60
ENTRY_POINTS = {"service.cli", "migrations.env", "domain.games"}
FOUND_BY_LOOKING = re.compile(r"^(domain\.[a-z_]+|migrations\.versions\..+)$")


def tracked(*patterns: str) -> list[Path]:
    """The files under version control that fit, as paths from the root; all files, where there is no repository."""
    asked = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z", *patterns],
        check=False,
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert asked.returncode == 0, "the tidy tests need the project's repository"
    return [Path(name) for name in asked.stdout.split("\0") if name and (ROOT / name).is_file()]


PRODUCT = tracked(*(f"{house}/*.py" for house in HOUSES))
TESTS = tracked("tests/*.py")
PYTHON = [*PRODUCT, *TESTS, *tracked("bench/*.py")]
TREES = {path: ast.parse((ROOT / path).read_text()) for path in PYTHON}


def module(path: Path) -> str:
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def functions(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def body_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines of what it does itself: without its signature, its docstring, and functions defined within."""
    body = function.body[1:] if ast.get_docstring(function) else function.body
    return sum(
        (each.end_lineno or 0) - each.lineno + 1
        for each in body
        if not isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    )


def imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_files_are_short() -> None:
    lengths = {path: len((ROOT / path).read_text().splitlines()) for path in PRODUCT}
    assert {path: length for path, length in lengths.items() if length > FILE_MAX} == {}
    assert statistics.median(lengths.values()) <= FILE_MEDIAN


def test_functions_fit_one_screen() -> None:
    long = {
        f"{path}:{function.name}": body_lines(function)
        for path in PRODUCT
        if path.parts[0] != "migrations"
        for function in functions(TREES[path])
        if body_lines(function) > FUNCTION_MAX
    }
    assert long == {}


def test_every_module_says_what_it_is_for() -> None:
    assert [path for path, tree in TREES.items() if tree.body and not ast.get_docstring(tree)] == []


def test_every_module_is_used() -> None:
    used = {name for path in PRODUCT for name in imported(TREES[path])} | ENTRY_POINTS
    modules = {module(path): path for path in PRODUCT}
    unused = [
        name
        for name, path in modules.items()
        if name not in used and path.name not in {"__init__.py", "__main__.py"} and not FOUND_BY_LOOKING.match(name)
    ]
    assert unused == []


def test_every_metric_is_measured_somewhere() -> None:
    page = TREES[Path("infra/metrics.py")]
    declared = {
        node.target.id
        for node in page.body
        if isinstance(node, ast.AnnAssign)
        and isinstance(node.target, ast.Name)
        and isinstance(node.value, ast.Call)
        and ast.unparse(node.value.func) in {"Counter", "Gauge", "Histogram", "Tally"}
    }
    used = {
        node.attr
        for path in PRODUCT
        for node in ast.walk(TREES[path])
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "metrics"
    }
    assert declared
    assert declared - used == set()


@pytest.mark.parametrize("word", ["TO" + "DO", "FIX" + "ME", "X" * 3, "HA" + "CK"])
def test_nothing_is_left_for_later(word: str) -> None:
    found = [path for path in tracked("*.py", "*.md", "*.yaml", "*.toml", "Makefile", ".ci/run") if word in text(path)]
    assert found == []


def text(path: Path) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


FORGIVING = {"skip", "skipif", "xfail", "importorskip"}


def test_no_test_is_skipped_or_expected_to_fail() -> None:
    """`pytest.skip`, `pytest.mark.xfail` and their like; a game may well have a function named skip."""
    found = [
        f"{path}:{node.lineno}"
        for path in TESTS
        for node in ast.walk(TREES[path])
        if isinstance(node, ast.Attribute)
        and node.attr in FORGIVING
        and ast.unparse(node).startswith(("pytest.", "unittest."))
    ]
    assert found == []


# What names the machine on which somebody worked, and no product; put together, so that this file does not hold them.
PLACES = re.compile(
    "|".join(("/wo" + "rk/", "/ho" + "me/", "/ro" + "ot/", "/op" + "t/(wheels|pypi)", "/tm" + "p/[a-z]"))
)
LINKS = re.compile(r"https?://([^/\s\"'`)>:]+)")
HOSTS = {
    "127.0.0.1",
    "localhost",
    "www.apache.org",
    "keepachangelog.com",
    "semver.org",
    "spec.graphql.org",
    "testserver",
}


def test_no_file_names_the_place_where_it_was_written() -> None:
    found = [path for path in tracked() if path.suffix not in {".png", ".gz"} and PLACES.search(text(path))]
    assert found == []


def test_locked_versions_name_no_place_to_get_them_from() -> None:
    pin = re.compile(r"^[a-z0-9-]+==[a-zA-Z0-9.]+( ; [a-zA-Z_0-9 '.<>=!*]+)?$")
    for name in ("requirements.lock", "requirements-dev.lock"):
        lines = text(Path(name)).splitlines()
        assert lines
        assert [line for line in lines if not pin.match(line)] == []
    run, dev = (set(text(Path(name)).splitlines()) for name in ("requirements.lock", "requirements-dev.lock"))
    assert {line.split(" ;")[0] for line in run} <= {line.split(" ;")[0] for line in dev}


def refusal_codes(path: Path) -> Iterator[str]:
    """The codes that a module can refuse with: first arguments of Illegal, codes of Refused, constants of the core."""
    for node in ast.walk(TREES[path]):
        if not isinstance(node, ast.Call):
            continue
        called = ast.unparse(node.func).rsplit(".", 1)[-1]
        given = node.args[:1] if called in {"Illegal", "__init__"} else []
        given += [keyword.value for keyword in node.keywords if called == "Refused" and keyword.arg == "code"]
        for code in given:
            if isinstance(code, ast.Constant) and re.fullmatch(r"[a-z]+(_[a-z]+)*", str(code.value)):
                yield str(code.value)


def documented(page: Path) -> set[str]:
    return set(re.findall(r"^\| `([a-z_]+)`", text(page), re.MULTILINE))


def core_codes() -> set[str]:
    errors = TREES[Path("domain/core/errors.py")]
    return {
        str(node.value.value)
        for node in errors.body
        if isinstance(node, ast.AnnAssign) and isinstance(node.value, ast.Constant)
    }


COMMON = [path for path in PRODUCT if path.parts[0] == "service" or path.parts[:2] == ("domain", "core")]
GAMES = sorted({path.parts[1] for path in PRODUCT if path.parts[0] == "domain" and len(path.parts) > 2} - {"core"})


def test_every_refusal_of_table_and_service_is_documented() -> None:
    raised = {code for path in COMMON for code in refusal_codes(path)} | core_codes()
    page = documented(Path("docs/refusals.md"))
    assert raised - page == set(), "raised, and not in docs/refusals.md"
    assert page - raised == set(), "in docs/refusals.md, and raised nowhere"


@pytest.mark.parametrize("game", GAMES)
def test_every_refusal_of_a_game_is_documented(game: str) -> None:
    raised = {code for path in PRODUCT if path.parts[:2] == ("domain", game) for code in refusal_codes(path)}
    [page] = [text(path) for path in tracked("docs/games/*.md") if path.stem.replace("-", "_") == game]
    assert {code for code in raised if f"`{code}`" not in page} == set()


def test_the_changelog_has_its_shape() -> None:
    lines = text(Path("CHANGELOG.md")).splitlines()
    assert lines[0] == "# Changelog"
    releases = [line for line in lines if line.startswith("## ")]
    assert releases[0] == "## [Unreleased]"
    assert all(re.fullmatch(r"## \[\d+\.\d+\.\d+\] - \d{4}-\d{2}-\d{2}", line) for line in releases[1:])
    kinds = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security", "Rules"}
    assert {line.removeprefix("### ") for line in lines if line.startswith("### ")} <= kinds
    version = re.search(r'^version = "(.+)"$', text(Path("pyproject.toml")), re.MULTILINE)
    assert version
    assert f"## [{version[1]}]" in "\n".join(releases)
