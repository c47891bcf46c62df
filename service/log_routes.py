"""The transparency log over HTTP, as C2SP tlog-tiles has it: static resources that anybody may fetch and cache."""

import gzip
import re
import struct
from typing import Final

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from infra.tiles import HASH_BYTES, WIDTH
from infra.transparency import Transparency

PREFIX: Final = "/log"
FOR_EVER: Final = {"cache-control": "public, max-age=31536000, immutable"}
FOR_SECONDS: Final = {"cache-control": "public, max-age=2"}
_TILE: Final = re.compile(r"((?:x\d{3}/)*\d{3})(?:\.p/([1-9]\d{0,2}))?")
_LEVEL_MAX: Final = 63


def tile_path(index: int) -> str:
    """A tile's index as path elements of three digits: 1234067 is x001/x234/067."""
    digits = f"{index:03d}"
    digits = digits.zfill(-(-len(digits) // 3) * 3)
    parts = [digits[i : i + 3] for i in range(0, len(digits), 3)]
    return "/".join([*(f"x{part}" for part in parts[:-1]), parts[-1]])


def read_tile_path(path: str) -> tuple[int, int] | None:
    """(index, width) of a tile path; None if it is none, or not in its one spelling."""
    match = _TILE.fullmatch(path)
    if match is None:
        return None
    index = int("".join(re.findall(r"\d{3}", match[1])))
    width = int(match[2]) if match[2] else WIDTH
    if tile_path(index) != match[1] or (match[2] and width >= WIDTH):
        return None
    return index, width


def log_routes(log: Transparency, partitions: int) -> list[Route]:
    """`/log/checkpoint`, `/log/tile/L/N` and `/log/tile/entries/N`; further partitions under `/log/p/1` and so on."""
    routes: list[Route] = []
    for partition in range(partitions):
        prefix = PREFIX if partition == 0 else f"{PREFIX}/p/{partition}"
        routes += _routes(log, partition, prefix)
    return routes


def _routes(log: Transparency, partition: int, prefix: str) -> list[Route]:
    async def checkpoint(_request: Request) -> Response:
        note = await log.checkpoint(partition)
        if note is None:
            return PlainTextResponse("Nothing has been logged yet.\n", 404, headers=FOR_SECONDS)
        return PlainTextResponse(note, headers=FOR_SECONDS)

    async def tile(request: Request) -> Response:
        level = request.path_params["level"]
        where = read_tile_path(request.path_params["path"])
        if where is None or not level.isdecimal() or str(int(level)) != level or int(level) > _LEVEL_MAX:
            return _no_tile()
        index, width = where
        hashes = await log.tile(partition, int(level), index)
        if len(hashes) < width * HASH_BYTES:
            return _no_tile()
        return Response(hashes[: width * HASH_BYTES], media_type="application/octet-stream", headers=FOR_EVER)

    async def entries(request: Request) -> Response:
        where = read_tile_path(request.path_params["path"])
        if where is None:
            return _no_tile()
        index, width = where
        leaves = await log.entries(partition, index * WIDTH, width)
        if len(leaves) < width:
            return _no_tile()
        bundle = b"".join(struct.pack(">H", len(leaf)) + leaf for leaf in leaves)
        headers = {**FOR_EVER, "vary": "accept-encoding"}
        if "gzip" in request.headers.get("accept-encoding", ""):
            bundle, headers = gzip.compress(bundle, 6, mtime=0), {**headers, "content-encoding": "gzip"}
        return Response(bundle, media_type="application/octet-stream", headers=headers)

    return [
        Route(f"{prefix}/checkpoint", checkpoint),
        Route(f"{prefix}/tile/entries/{{path:path}}", entries),
        Route(f"{prefix}/tile/{{level}}/{{path:path}}", tile),
    ]


def _no_tile() -> Response:
    why = "There is no such tile in the tree. Tiles are named as C2SP tlog-tiles says: tile/LEVEL/INDEX[.p/WIDTH].\n"
    return PlainTextResponse(why, 404, headers=FOR_SECONDS)
