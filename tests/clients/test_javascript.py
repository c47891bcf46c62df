"""The second verifier, in JavaScript: the same faults of level sealed are found, in Node and in Chromium."""

import json
import os
import random
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import msgspec
import pytest

from domain.core.words import GALLERY
from infra.notes import Checkpoint, sign_note
from service.verifying.check import check
from service.verifying.findings import Kind, Level
from tests.service.verifying import forge
from tests.service.verifying.records import LOG, LOG_KEY, TRUST, finished, record_of
from tests.support.match import CODECS
from tests.tiny import GAME

ROOT = Path(__file__).parents[2]
VERIFIER = ROOT / "service/site/verifier/sealed.js"
MANY = 50
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"]
FLAGS += ["--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage"]


def tool(*names: str) -> str:
    """Where the program is. Fails, and says what to do, if the machine has none."""
    for name in names:
        if found := shutil.which(name):
            return found
    pytest.fail(f"this test needs {' or '.join(names)}: apt-get install nodejs chromium")


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with honest records and fifty faults of each kind, and what to trust."""
    folder = tmp_path_factory.mktemp("records")
    matches = [finished(GAME, 3, seed) for seed in range(3)]
    running = finished(GAME, 3, 9, commits=9)
    names = []

    def put(name: str, data: bytes) -> None:
        names.append(name)
        (folder / name).write_bytes(data)

    for index, match in enumerate(matches):
        put(f"honest-{index}", msgspec.json.encode(record_of(match, GALLERY)))
    for viewer in (0, 1, 2, GALLERY):
        put(f"honest-running-{viewer}", msgspec.json.encode(record_of(running, viewer)))
    for kind in (*forge.FILE_HOLDER, "changed_byte", "truncated"):
        rng = random.Random(kind)
        for index in range(MANY):
            data = msgspec.json.encode(record_of(matches[index % 3], GALLERY))
            if kind in forge.FILE_HOLDER:
                plain = json.loads(data)
                forge.FILE_HOLDER[kind](plain, rng)
                data = json.dumps(plain, separators=(",", ":")).encode()
            else:
                data = getattr(forge, kind)(data, rng)
            put(f"{kind}-{index}", data)
    trust = {"keys": {key.id: key.key for key in TRUST.keys}, "log": str(LOG)}
    (folder / "manifest.json").write_text(json.dumps({"trust": trust, "names": names}))
    return folder


def compare(reports: dict[str, Any], folder: Path) -> None:
    """Each report says what the first verifier says of the same record."""
    for name, report in reports.items():
        ours = check((folder / name).read_bytes(), CODECS, TRUST, Level.SEALED)
        if name.startswith("honest"):
            assert report["finding"] is None, (name, report)
            assert report["level"] == "sealed"
            counts = report["counts"]
            assert counts["versions"] == ours.versions
            assert (counts["openings"], counts["closed"]) == (ours.openings, ours.closed)
            assert (counts["receipts"], counts["included"]) == (ours.receipts, ours.included)
            continue
        assert ours.finding is not None
        assert report["finding"] is not None, f"{name} was not found"
        assert report["level"] == "none"
        if ours.finding.kind is not Kind.UNREADABLE:
            assert report["finding"]["kind"] in (int(ours.finding.kind), int(Kind.UNREADABLE)), (name, report, ours)
    assert len(reports) == 7 + 9 * MANY


def test_in_node(planted: Path) -> None:
    script = Path(__file__).with_name("check.mjs")
    command = [tool("node", "nodejs"), "--no-warnings", str(script), str(VERIFIER), str(planted)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=170, check=False)
    assert done.returncode == 0, done.stderr
    compare(json.loads(done.stdout), planted)


@contextmanager
def served(folder: Path, received: Callable[[bytes], None]) -> Iterator[str]:
    """The folder over HTTP on this machine; what is posted to `/reports` is handed on."""

    class Handler(SimpleHTTPRequestHandler):
        extensions_map: ClassVar = {"": "text/plain", ".html": "text/html", ".js": "text/javascript"}

        def do_POST(self) -> None:
            received(self.rfile.read(int(self.headers["content-length"])))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(folder))) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_in_chromium(planted: Path, tmp_path: Path) -> None:
    shutil.copy(VERIFIER, planted / "sealed.js")
    shutil.copy(Path(__file__).with_name("check.html"), planted / "check.html")
    answer: list[bytes] = []
    came = threading.Event()

    def received(data: bytes) -> None:
        answer.append(data)
        came.set()

    with served(planted, received) as url:
        command = [tool("chromium", "chromium-browser", "google-chrome"), *FLAGS, f"--user-data-dir={tmp_path}"]
        command += ["--remote-debugging-port=0", f"{url}/check.html"]
        browser = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )
        try:
            assert came.wait(170), "the browser sent no reports"
        finally:
            os.killpg(browser.pid, 15)
            browser.wait(20)
    compare(json.loads(answer[0]), planted)


def test_a_split_view_is_found_in_node(tmp_path: Path) -> None:
    match = finished(GAME, 3, 1)
    record = record_of(match, GALLERY)
    other = Checkpoint(LOG.name, len(match.commits) + 2, b"\7" * 32)
    note = sign_note(other.text, LOG.name, LOG.key, LOG_KEY.sign)
    trust = {"keys": {key.id: key.key for key in TRUST.keys}, "log": str(LOG), "against": [note]}
    (tmp_path / "record").write_bytes(msgspec.json.encode(record))
    (tmp_path / "manifest.json").write_text(json.dumps({"trust": trust, "names": ["record"]}))
    script = Path(__file__).with_name("check.mjs")
    command = [tool("node", "nodejs"), "--no-warnings", str(script), str(VERIFIER), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert json.loads(done.stdout)["record"]["finding"]["kind"] == int(Kind.SPLIT_VIEW)
