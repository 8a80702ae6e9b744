"""``python -m motiond``: writes plugins, and their manifests."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from . import manifest
from ._plugin_template import first_program, problem_of_name, problem_of_types, type_of
from ._worker_trust import libraries, of_python

#: The longest first line that names an interpreter; Linux reads so many bytes.
_LONGEST_INTERPRETER = 250


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command. Returns the exit code: 0 if it did what was asked, 1 if not, 2 for wrong arguments."""
    parser = argparse.ArgumentParser(prog="python -m motiond", description="Plugins of motiond in Python.")
    commands = parser.add_subparsers(dest="command", required=True)
    new = commands.add_parser("new", help="write the folder of a plugin: plugin.json and a program that runs")
    new.add_argument("name", help="the name of the plugin: a-z or 0-9, then up to 63 of a-z 0-9 . _ -")
    new.add_argument(
        "--in", dest="folder", default=".", help="the folder in which the plugin's is made (default: here)"
    )
    new.add_argument("--from", dest="program", help="the program to take instead of a first example")
    new.add_argument("--untrusted", action="store_true", help="also with an interpreter that other users can change")
    of = commands.add_parser("manifest", help="print the manifest of a program")
    of.add_argument("program", help="the program of a plugin")
    of.add_argument("--write", action="store_true", help="write it to plugin.json beside the program")
    of.add_argument("--check", action="store_true", help="exit with 1 if plugin.json is not what the code says")
    given = parser.parse_args(arguments)
    try:
        if given.command == "new":
            source = Path(given.program) if given.program else None
            return write_plugin(given.name, Path(given.folder), source, is_trusting=given.untrusted)
        return write_manifest(Path(given.program), is_writing=given.write, is_checking=given.check)
    except (manifest.ManifestError, OSError) as error:
        print(error, file=sys.stderr)
        return 1


def write_manifest(program: Path, *, is_writing: bool, is_checking: bool) -> int:
    """Prints the manifest of a program, writes it, or checks the one that is there."""
    if is_checking:
        problem = manifest.stale(program)
        if problem is not None:
            print(problem, file=sys.stderr)
        return 0 if problem is None else 1
    text = manifest.text(manifest.placed(manifest.of_program(program), libraries()))
    if is_writing:
        (program.resolve().parent / "plugin.json").write_text(text)
        if problem := _problem_of_start(program):
            print(problem, file=sys.stderr)
    else:
        print(text, end="")
    return 0


def _problem_of_start(program: Path) -> str | None:
    """Why motiond could not start a program, with the remedy."""
    if not program.read_bytes().startswith(b"#!/"):
        return f"motiond cannot start {program}: no interpreter is named. Let its first line be #!{sys.executable}"
    if not os.access(program, os.X_OK):
        return f"motiond cannot start {program}: it is not executable. Make it so: chmod 755 {program}"
    return None


def write_plugin(name: str, folder: Path, source: Path | None, *, is_trusting: bool) -> int:
    """Writes a plugin that runs: ``NAME/plugin.json`` and ``NAME/NAME.py``, from a program or as a first example."""
    problem = problem_of_name(name)
    if problem is not None:
        print(problem, file=sys.stderr)
        return 2
    interpreter = os.path.abspath(sys.executable)
    if len(interpreter) > _LONGEST_INTERPRETER or " " in interpreter:
        print(
            f"Linux cannot start a program by the interpreter {interpreter}: its path is too long or has spaces. "
            "Make the environment in a folder without spaces: python -m venv FOLDER",
            file=sys.stderr,
        )
        return 1
    problems = of_python()
    for problem in problems:
        print(f"other users could make motiond run any program: {problem}", file=sys.stderr)
    if problems and not is_trusting:
        print("use an interpreter and packages that only root and you can change, or --untrusted", file=sys.stderr)
        return 1
    plugin = folder / name
    if plugin.exists():
        print(f"{plugin} is there already: remove it, or take another name", file=sys.stderr)
        return 1
    if source is None:
        text, types = first_program(name), [type_of(name)]
    else:
        # Before anything is written, so that an error names the line in this file.
        types = [row["type"] for row in manifest.of_program(source)["intentions"]]
        text = source.read_text()
    problem = problem_of_types(types, folder)
    if problem is not None:
        print(problem, file=sys.stderr)
        return 1
    plugin.mkdir(mode=0o755, parents=True)
    try:
        content = _write_program(plugin / f"{name}.py", text, interpreter)
    except BaseException:
        # Otherwise another try would find the folder there.
        shutil.rmtree(plugin)
        raise
    print(
        f"{plugin} is written: start motiond with --plugin-path {folder}, or move it to a folder that motiond searches."
    )
    for intention in content["intentions"]:
        print(f"  motionctl add {intention['type']} --to ball")
    return 0


def _write_program(program: Path, text: str, interpreter: str) -> dict[str, Any]:
    """Writes a program and the manifest that is made of it, which it returns."""
    # The first line names the interpreter of this process.
    body = text.split("\n", 1)[1] if text.startswith("#!") else text
    program.write_text(f"#!{interpreter}\n{_with_path(body, interpreter)}")
    program.chmod(0o755)
    # So that the plugin's name is that of its folder.
    file = program.parent / "plugin.json"
    file.write_text("{}\n")
    content = manifest.placed(manifest.of_program(program), libraries())
    file.write_text(manifest.text(content))
    file.chmod(0o644)
    return content


def _with_path(text: str, interpreter: str) -> str:
    """A program that finds this package: lines that name its folder are added if the interpreter does not find it."""
    found = subprocess.run([interpreter, "-c", "import motiond.executors"], env={}, cwd="/", capture_output=True)
    if found.returncode == 0:
        return text
    folder = str(Path(__file__).resolve().parent.parent)
    return text.replace("\nimport motiond\n", f"\nimport sys\n\nsys.path.insert(0, {folder!r})\nimport motiond\n", 1)


if __name__ == "__main__":
    sys.exit(main())
