"""The settings in docs/operators.md, as a table made from themselves: `python -m tests.support.settings_table`."""

import re
from pathlib import Path
from typing import Any, get_args

from service.config import Settings, variable

PAGE = Path(__file__).resolve().parents[2] / "docs" / "operators.md"
BEGIN = re.compile(r"(<!-- settings: [^\n]* -->\n).*?(<!-- /settings -->)", re.DOTALL)


def table() -> str:
    """The table, a row for each setting."""
    rows = ["| setting | default | what it is |", "|---|---|---|"]
    for name, field in Settings.model_fields.items():
        rows.append(f"| `{variable(name)}` | {default(field.default)} | {field.description}{choices(field)} |")
    return "\n".join(rows) + "\n"


def default(value: Any) -> str:
    """The default as one would set it; nothing where none is set."""
    if value is None:
        return ""
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def choices(field: Any) -> str:
    """The values there are, where they can be listed."""
    values = [value for value in get_args(field.annotation) if isinstance(value, str)]
    return f" One of {', '.join(f'`{value}`' for value in values)}." if values else ""


def page() -> str:
    """The page with the table as it should be."""
    return BEGIN.sub(lambda found: found[1] + table() + found[2], PAGE.read_text(encoding="utf-8"))


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
