"""A case file as one page that a person can read and print: no script, nothing from outside."""

from datetime import UTC, datetime
from html import escape
from typing import Any, Final

import msgspec

from service.cases import CaseFile

STYLE: Final = """
:root { color-scheme: light; }
body { font: 15px/1.45 Georgia, "Times New Roman", serif; color: #1b1b1b; background: #fff; margin: 2rem auto;
  max-width: 62rem; padding: 0 1.2rem; }
h1 { font-size: 1.6rem; margin: 0 0 .2rem; } h2 { font-size: 1.1rem; margin: 1.6rem 0 .4rem;
  border-bottom: 1px solid #999; }
p.sub { margin: 0 0 1rem; color: #444; }
table { border-collapse: collapse; } th, td { text-align: left; vertical-align: top; padding: .15rem .9rem .15rem 0; }
th { font-weight: normal; color: #555; white-space: nowrap; }
pre { font: 12px/1.25 "DejaVu Sans Mono", Menlo, Consolas, monospace; background: #f6f5f1; padding: .6rem .8rem;
  overflow-x: auto; white-space: pre-wrap; word-break: break-word; }
pre.board { white-space: pre; }
.verdict { border-left: 4px solid #2a6b3f; padding: .3rem .8rem; background: #eef5f0; }
.verdict.bad { border-color: #a3231f; background: #f9eceb; }
.columns { display: flex; gap: 1.2rem; flex-wrap: wrap; } .columns > div { flex: 1 1 46rem; min-width: 0; }
ol.legal { columns: 2; font: 12px/1.3 "DejaVu Sans Mono", monospace; padding-left: 2.4rem; }
@media print { body { margin: 0; max-width: none; font-size: 11pt; } h2 { break-after: avoid; }
  pre, table { break-inside: avoid; } }
"""
LISTED: Final = 120
"""How many legal commands the page lists; the document holds them all."""


def case_page(case: CaseFile) -> str:
    """The page, as HTML."""
    who = "nobody's seat" if case.seat is None else f"seat {case.seat}"
    good = case.verdict.startswith("Decided again")
    parts = [
        f"<h1>{escape(case.title)}: version {case.version}</h1>",
        (
            f'<p class="sub">Match {escape(case.match)}, rules version {case.rules}. Issued {_when(case.issued)} for '
            f"{escape(case.issued_for)}{', after the end' if case.over else ', while the match runs'}.</p>"
        ),
        _table(
            [
                ("Who", f"{who}, account {case.account}"),
                ("When", _when(case.time)),
                ("Command", _json(case.command)),
                ("Commit", str(case.commit)),
            ]
        ),
        f'<p class="verdict{"" if good else " bad"}">{escape(case.verdict)}</p>',
        *_asked(case),
        "<h2>Rules it rests on</h2>",
        _table([(cited.rule, cited.title) for cited in case.grounds]) or "<p>None is named.</p>",
        '<div class="columns"><div>' + _position("Before", case.before.version, case.before.sketch) + "</div><div>",
        _position("After", case.after.version, case.after.sketch) + "</div></div>",
        "<h2>What happened</h2>",
        "".join(f"<pre>{escape(_json(event))}</pre>" for event in case.events),
        f"<h2>What was legal ({len(case.legal)})</h2>",
        *_legal(case),
        "<h2>Chance</h2>",
        _draws(case),
        "<h2>Disputes in this match</h2>",
        "".join(f"<pre>{escape(_json(event))}</pre>" for event in case.disputes) or "<p>None.</p>",
        "<h2>Proof</h2>",
        "".join(f"<pre>{escape(receipt)}</pre>" for receipt in case.receipts),
        (
            f"<p>Signed by the server's key {escape(case.key)}. The signed document is the JSON file of the same case; "
            "this page only shows it.</p>"
        ),
    ]
    title = f"Case {case.match}, version {case.version}"
    head = f'<meta charset="utf-8"><title>{escape(title)}</title><style>{STYLE}</style>'
    return f'<!doctype html><html lang="en"><head>{head}</head><body>{"".join(parts)}</body></html>\n'


def _when(ms: int) -> str:
    return datetime.fromtimestamp(ms / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _table(rows: list[tuple[str, str]]) -> str:
    made = "".join(f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in rows)
    return f"<table>{made}</table>" if rows else ""


def _position(title: str, version: int, sketch: str) -> str:
    return f'<h2>{title} (version {version})</h2><pre class="board">{escape(sketch or "Nothing yet.")}</pre>'


def _asked(case: CaseFile) -> list[str]:
    if (asked := case.asked) is None:
        return []
    words = "It was legal." if asked.legal else f"It was refused by {asked.rule} ({asked.title}): {asked.message}"
    return ["<h2>The command asked about</h2>", f"<pre>{escape(_json(asked.command))}</pre><p>{escape(words)}</p>"]


def _legal(case: CaseFile) -> list[str]:
    listed = "".join(f"<li>{escape(_json(command))}</li>" for command in case.legal[:LISTED])
    more = len(case.legal) - LISTED
    return [
        f'<ol class="legal">{listed}</ol>',
        f"<p>… and {more} more, in the document.</p>" if more > 0 else "",
        *(f"<p>And whatever fits: <code>{escape(_json(template))}</code></p>" for template in case.templates),
    ]


def _draws(case: CaseFile) -> str:
    draws = case.draws
    if draws.draws:
        return _table([(draw.label, f"{draw.result} of {draw.bound}") for draw in draws.draws])
    if draws.attested:
        return (
            "<p>The move drew from chance. While the match runs the draws stay closed; the server has committed to "
            f"them, and signed that commitment:</p><pre>{escape(draws.commitment or '')}</pre>"
            "<p>After the end this case is issued again with every draw.</p>"
        )
    return "<p>Nothing was drawn.</p>"
