"""A server process under supervision: started, stopped, killed, paused and restarted by pid, never leaked."""

import contextlib
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

START_S = 60.0
STOP_S = 30.0
REMOVE_S = 120.0
PORTS = (15_000, 32_000)

_GUARD = """
import os, shutil, signal, sys
signal.signal(signal.SIGINT, signal.SIG_IGN)
alive = set()
for line in sys.stdin:
    (alive.add if line[0] == "+" else alive.discard)(int(line[1:]))
for pid in alive:
    try:
        os.kill(pid, signal.SIGKILL)
    except OSError:
        pass
shutil.rmtree(sys.argv[1], ignore_errors=True)
"""
"""Reads `+pid` and `-pid` until we are gone, in whatever way; then ends what is left and removes the folder."""


class ServerFailedError(RuntimeError):
    """A server could not be started or did not do as told; the message holds the end of its log."""


def unprivileged() -> dict[str, object]:
    """Arguments of `subprocess` that run a program as `nobody` when we are root, and as ourselves otherwise."""
    if os.name != "posix" or os.geteuid() != 0:
        return {}
    import pwd

    nobody = pwd.getpwnam("nobody")
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


def free_port() -> int:
    """A TCP port of 127.0.0.1 that was free a moment ago.

    It is below the range from which outgoing connections take theirs: a client that keeps trying to reach a server
    that is down would sooner or later be given the server's own port, connect to itself, and keep the server out.
    """
    while True:
        port = random.randint(*PORTS)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


class Folder:
    """A private temporary folder (0700) of the user that the servers run as; guarded, so that it cannot outlive us."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="podesta-"))
        self.give(self.path)
        self._guard = subprocess.Popen(
            [sys.executable, "-S", "-E", "-c", _GUARD, str(self.path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            cwd="/",
            start_new_session=True,
            text=True,
        )

    def give(self, path: Path) -> None:
        """Make the path belong to the user that the servers run as."""
        who = unprivileged()
        if who:
            os.chown(path, who["user"], who["group"])  # type: ignore[arg-type]

    def note(self, sign: str, pid: int) -> None:
        """Tell the guard that a process lives (+) or has ended (-)."""
        assert self._guard.stdin is not None
        self._guard.stdin.write(f"{sign}{pid}\n")
        self._guard.stdin.flush()

    def readable(self, tree: Path, program: str, beside: Sequence[Path] = ()) -> Path:
        """The tree itself if the servers' user can run `program` in it, else a copy (with its neighbours) in here."""
        try:
            subprocess.run([tree / program, "--version"], check=True, capture_output=True, cwd="/", **unprivileged())  # type: ignore[call-overload]
        except (OSError, subprocess.CalledProcessError):
            shelf = self.path / "programs"
            for source in (tree, *beside):
                if not (shelf / source.name).exists():
                    shutil.copytree(source, shelf / source.name, symlinks=True)
            for folder, _, _ in os.walk(shelf):
                self.give(Path(folder))
            return shelf / tree.name
        return tree

    def close(self) -> None:
        """Remove the folder; whatever still runs in it is ended."""
        assert self._guard.stdin is not None
        self._guard.stdin.close()
        self._guard.wait(REMOVE_S)


class Server:
    """One server process. Subclasses say how it is told to run, and when it is ready."""

    stop_signal = signal.SIGTERM

    def __init__(self, folder: Folder, name: str) -> None:
        self.folder = folder
        self.name = name
        self.log = folder.path / f"{name}.log"
        self._process: subprocess.Popen[bytes] | None = None

    def command(self) -> Sequence[str | Path]:
        """The program and its arguments."""
        raise NotImplementedError

    def environment(self) -> Mapping[str, str]:
        """The environment of the process."""
        return {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C.UTF-8", "TZ": "UTC"}

    def ready(self) -> bool:
        """Whether it serves."""
        raise NotImplementedError

    @property
    def pid(self) -> int:
        """The process id. Raises if it is not running."""
        if self._process is None:
            raise ServerFailedError(f"{self.name} is not running")
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether the process exists."""
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Start it and wait until it serves. Raises ServerFailedError with the end of its log."""
        assert not self.alive, f"{self.name} runs already"
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(  # type: ignore[call-overload]
                self.command(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd="/",
                env=dict(self.environment()),
                start_new_session=True,
                **self.credentials(),
            )
        self.folder.note("+", self.pid)
        until = time.monotonic() + START_S
        while not self.ready():
            if not self.alive or time.monotonic() > until:
                self.kill()
                raise ServerFailedError(f"{self.name} did not start:\n{self.tail()}")
            time.sleep(0.01)

    def credentials(self) -> dict[str, object]:
        """Whom the process runs as."""
        return unprivileged()

    def stop(self) -> int:
        """Ask it to end, wait, and give its exit status. Does nothing if it is not running."""
        return self._end(self.stop_signal)

    def kill(self) -> None:
        """End it as a power cut would: SIGKILL, its children too."""
        self._end(signal.SIGKILL)

    def restart(self) -> None:
        """Stop and start again: same port, same data."""
        self.stop()
        self.start()

    def pause(self) -> None:
        """Freeze it with its children (SIGSTOP): connections stay open and nothing answers."""
        for pid in (self.pid, *children(self.pid)):
            _send(pid, signal.SIGSTOP)

    def resume(self) -> None:
        """Let it go on after `pause`."""
        for pid in (*children(self.pid), self.pid):
            _send(pid, signal.SIGCONT)

    def tail(self, lines: int = 30) -> str:
        """The end of its log."""
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-lines:])

    def _end(self, how: signal.Signals) -> int:
        process = self._process
        if process is None:
            return 0
        family = children(process.pid)
        if process.poll() is None:
            self.resume()
            _send(process.pid, how)
        try:
            status = process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            _send(process.pid, signal.SIGKILL)
            status = process.wait(STOP_S)
        if how == signal.SIGKILL:
            for pid in family:
                _send(pid, signal.SIGKILL)
        self.folder.note("-", process.pid)
        self._process = None
        return status


def children(pid: int) -> tuple[int, ...]:
    """The processes that this one started."""
    return tuple(each for each, parent, _, _ in processes() if parent == pid)


def processes() -> Iterator[tuple[int, int, int, int]]:
    """(pid, parent's pid, user, group) of every process: from /proc, where there is one, since `ps` may be missing."""
    if Path("/proc/self/status").exists():
        for status in Path("/proc").glob("[0-9]*/status"):
            with contextlib.suppress(OSError):  # it has ended meanwhile
                lines = dict(line.split(":", 1) for line in status.read_text().splitlines() if ":" in line)
                user, group = (int(lines[name].split()[1]) for name in ("Uid", "Gid"))
                yield int(lines["Pid"]), int(lines["PPid"]), user, group
        return
    for line in subprocess.check_output(["ps", "-A", "-o", "pid=,ppid=,uid=,gid="], text=True).splitlines():
        one, two, three, four = map(int, line.split())
        yield one, two, three, four


def _send(pid: int, what: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, what)
