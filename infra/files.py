"""Files that hold secrets: readable by their owner alone, and never seen half-written."""

import contextlib
import os
import secrets
from pathlib import Path


def make_private(path: Path, text: str) -> None:
    """Write the whole file under this name with mode 0600, unless another process was faster."""
    made = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    handle = os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileExistsError):
            path.hardlink_to(made)
    finally:
        made.unlink()


def read_private(path: Path) -> str:
    """The file's text. Raises ValueError if others than its owner may read it, or if it is not ASCII."""
    if path.stat().st_mode & 0o077:
        raise ValueError(f"{path} holds a key and may be read by others: chmod 600 it")
    return path.read_text(encoding="ascii")
