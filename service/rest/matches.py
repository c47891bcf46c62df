"""Looking: games, the lobby, a match, its events, steps, record and case files."""

import msgspec
from starlette.responses import Response

from domain.core.errors import Illegal
from domain.core.table import Status
from infra.ports import MatchFilter
from service.case_page import case_page
from service.cases import case_bytes
from service.graphql.catalogue import offer
from service.graphql.lobby import page_of
from service.graphql.looking import frame_after
from service.graphql.proving import STEPS_LIMIT, case_viewer
from service.rest.asking import Asked, bad, check_plain, number
from service.rest.shapes import EventPage, Lobby, StepPage, commit, encode, event, match_shown
from service.steps import Sought, steps


def answer(value: object, status: int = 200) -> Response:
    """The value as JSON, for the one who asked."""
    return Response(encode(value), status, {"cache-control": "no-store"}, media_type="application/json")


async def games(asked: Asked) -> Response:
    """The games on offer."""
    return answer([offer(game) for _, game in sorted(asked.services.games.items())])


async def lobby(asked: Asked) -> Response:
    """A page of matches."""
    await asked.anyone()
    status = asked.text("status")
    if status is not None and status not in list(Status):
        raise bad(f"There is no status {status!r}.", f"Statuses: {', '.join(Status)}.")
    wanted = MatchFilter(game=asked.text("game"), status=status, account=asked.text("account"))
    page = await page_of(asked.services.read_models, wanted, asked.number("first", 20), asked.text("after"))
    return answer(Lobby(list(page.rows), page.cursor))


async def match(asked: Asked) -> Response:
    """One match, now or at a version."""
    account = await asked.asker()
    viewer, version = asked.viewer, asked.optional_number("version")
    return answer(match_shown(await asked.services.play.look(asked.match, account, viewer, version)))


async def events(asked: Asked) -> Response:
    """Events after a version."""
    account = await asked.asker()
    after, first, proofs = asked.number("after", 0), asked.number("first", 100), asked.flag("proofs")
    frame = await asked.services.play.look(asked.match, account, asked.viewer)
    found = await frame_after(asked.context, frame, frame.viewer, after, first)
    if found is None:
        return answer(EventPage(frame.match, frame.version, [], None, [] if proofs else None))
    chosen = found.events[:first]
    last = chosen[-1].version
    return answer(
        EventPage(
            frame.match,
            frame.version,
            [event(each, proofs=proofs) for each in chosen],
            last if last < frame.version else None,
            [commit(each) for each in found.commits if each.first <= last] if proofs else None,
        )
    )


async def find_steps(asked: Asked) -> Response:
    """Commit ends after a version that fit."""
    account = await asked.asker()
    after, first = asked.number("after", 0), asked.number("first", 100)
    if not 1 <= first <= STEPS_LIMIT:
        raise Illegal("bad_page", "S1", f"`first` is 1 to {STEPS_LIMIT}, not {first}.")
    sought = Sought(
        seat=asked.optional_number("seat"),
        turn_of=asked.optional_number("turn_of"),
        round=asked.optional_number("round"),
        type=asked.text("type"),
    )
    frame = await asked.services.play.look(asked.match, account)
    live = await asked.services.play.live.cached(frame.match)
    fitting = [step for step in steps(live.history) if step.version > after and sought.fits(step)]
    rest = fitting[first:]
    return answer(StepPage(frame.match, fitting[:first], fitting[first - 1].version if rest else None))


async def record(asked: Asked) -> Response:
    """The match as a file that proves itself."""
    account = await asked.asker()
    found = await asked.services.records.record(asked.match, account, asked.viewer)
    headers = {
        "cache-control": "no-store",
        "content-disposition": f'attachment; filename="{found.match}.podesta"',
        "x-content-type-options": "nosniff",
    }
    return Response(msgspec.json.encode(found), headers=headers, media_type="application/json")


async def case(asked: Asked) -> Response:
    """The case file of a move, as JSON or as a page."""
    account = await asked.asker()
    version = number("version", asked.request.path_params["version"])
    page = _as_page(asked)
    play = asked.services.play
    frame = await play.look(asked.match, account)
    live = await play.live.cached(frame.match)
    text = asked.text("command")
    command = None if text is None else play.game_command(live, _plain(asked, text))
    found = asked.services.cases.case(live, version, await case_viewer(asked.context, frame), command)
    headers = {"cache-control": "no-store", "x-content-type-options": "nosniff", "vary": "accept"}
    if page:
        headers["content-security-policy"] = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'"
        return Response(case_page(found), headers=headers, media_type="text/html")
    return Response(case_bytes(found), headers=headers, media_type="application/json")


def _as_page(asked: Asked) -> bool:
    given = asked.text("format")
    if given not in (None, "json", "html"):
        raise bad(f"There is no format {given!r}.", "Formats: json, html.")
    accept = asked.request.headers.get("accept", "")
    return given == "html" or (given is None and "text/html" in accept and "application/json" not in accept)


def _plain(asked: Asked, text: str) -> object:
    try:
        plain = msgspec.json.decode(text)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise Illegal("bad_command", "S1", f"The command is no JSON: {error}.", "`legal` lists some.") from error
    check_plain(plain, asked.limits)
    return plain
