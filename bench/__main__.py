"""Every measurement, one after the other: `python -m bench`, or `python -m bench store games.toscana` for some.

Each runs in a process of its own and prints the command that repeats it. None runs beside another.
"""

import ast
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def measurements() -> list[str]:
    """The modules in here that can be run."""
    found = (path for path in sorted(HERE.rglob("*.py")) if path != Path(__file__))
    names = [".".join(path.relative_to(HERE).with_suffix("").parts) for path in found if _runs(path)]
    return [name for name in names if not name.endswith("_server")]


def _runs(path: Path) -> bool:
    body = ast.parse(path.read_text(encoding="utf-8")).body
    return any(isinstance(node, ast.If) and ast.unparse(node.test) == "__name__ == '__main__'" for node in body)


def main(chosen: list[str]) -> int:
    """Run the chosen ones, or all; 1 if one failed."""
    known = measurements()
    if unknown := [name for name in chosen if name not in known]:
        print(f"There is no {unknown[0]}. There are: {', '.join(known)}.", file=sys.stderr)
        return 2
    failed = []
    for name in chosen or known:
        print(f"\n== python -m bench.{name}", flush=True)
        if subprocess.run([sys.executable, "-m", f"bench.{name}"], check=False, cwd=HERE.parent).returncode:
            failed.append(name)
    if failed:
        print(f"\nFailed: {', '.join(failed)}.", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
