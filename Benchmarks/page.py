#!/usr/bin/env python3
"""What the page of motion-studio costs in headless Chromium.

motiond has many targets, of which a tenth moves, and a hundred of those are shown. The work of the page's main thread is
taken from Chromium's own trace, for each frame of the screen (60 Hz). A frame is left out if Chromium did not
call the page for it in time. motiond's lateness beside each room is compared with that beside a page that is as busy
and has no motiond.

It needs `websockets` (PyPI), and Chromium. `make bench-page` runs it with both.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from websockets.sync.client import connect

FRAME = 1000 / 60
SHOWN = 100
OPERATIONS = 10_000

# A page that draws as many figures, and works as long for each frame, without a connection.
BUSY = """<canvas id=c width=1000 height=600></canvas><script>
const canvas = document.getElementById('c').getContext('2d');
requestAnimationFrame(function turn() {
  const start = performance.now();
  canvas.clearRect(0, 0, 1000, 600);
  for (let i = 0; i < SHOWN; i++) canvas.fillRect((i * 37 + start / 10) % 1000, (i * 61) % 600, 20, 20);
  while (performance.now() - start < MILLISECONDS);
  requestAnimationFrame(turn);
});
</script>"""
# The times between the frames that Chromium calls the page for, in milliseconds.
INTERVALS = """new Promise((done) => {
  const found = [];
  let last = performance.now();
  const until = last + SECONDS * 1000;
  requestAnimationFrame(function turn() {
    const now = performance.now();
    found.push(now - last);
    last = now;
    if (now < until) requestAnimationFrame(turn); else done(found);
  });
})"""


class Failure(Exception):
    """What the user reads."""


def wait(what: str, fact: Callable[[], bool], seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while not fact():
        if time.monotonic() > end:
            raise Failure(f"{what} did not come about in {seconds:.0f} s")
        time.sleep(0.1)


def share(values: list[float], part: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * part))]


class Browser:
    """Headless Chromium, by the DevTools protocol: a driver would add work of its own."""

    def __init__(self, folder: Path) -> None:
        program = shutil.which("chromium")
        if program is None:
            raise Failure("Chromium is missing: make setup")
        log = folder / "chromium.log"
        with log.open("w") as errors:
            self.process = subprocess.Popen(
                [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                 "--disable-background-networking", "--window-size=1280,720", "--remote-debugging-port=0",
                 f"--user-data-dir={folder}/profile", "about:blank"],
                stdout=errors, stderr=errors)
        address = re.compile(r"ws://\S+")
        wait("Chromium's address", lambda: address.search(log.read_text()) is not None)
        found = address.search(log.read_text())
        assert found is not None
        self._connection = ExitStack()
        self._socket = self._connection.enter_context(connect(found[0], max_size=None))
        self._numbers = itertools.count(1)
        self._events: list[dict[str, Any]] = []
        targets = self._call("Target.getTargets")["targetInfos"]
        page = next(target["targetId"] for target in targets if target["type"] == "page")
        self._session: str = self._call("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]

    def _call(self, method: str, session: str | None = None, **parameters: Any) -> dict[str, Any]:
        number = next(self._numbers)
        message = {"id": number, "method": method, "params": parameters} | ({"sessionId": session} if session else {})
        self._socket.send(json.dumps(message))
        while True:
            answer = json.loads(self._socket.recv(180))
            if answer.get("id") == number:
                if "error" in answer:
                    raise Failure(f"Chromium refuses {method}: {answer['error']['message']}")
                return answer["result"]
            self._events.append(answer)

    def open(self, address: str) -> None:
        self._call("Page.navigate", self._session, url=address)

    def show(self, html: str) -> None:
        self.open("about:blank")
        frame = self._call("Page.getFrameTree", self._session)["frameTree"]["frame"]["id"]
        self._call("Page.setDocumentContent", self._session, frameId=frame, html=html)

    def value(self, script: str) -> Any:
        result = self._call("Runtime.evaluate", self._session, expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise Failure(f"the page has no answer to {script}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def tasks(self, work: Callable[[], None]) -> list[tuple[float, float]]:
        """When the page's main thread worked meanwhile, and for how long, in milliseconds."""
        self._events = []
        self._call("Tracing.start", transferMode="ReportEvents", bufferUsageReportingInterval=0,
                   traceConfig={"includedCategories": ["toplevel", "__metadata", "blink.user_timing"],
                                "excludedCategories": ["*"]})
        self.value("performance.mark('motion-page')")
        work()
        self._call("Tracing.end")
        while not any(event["method"] == "Tracing.tracingComplete" for event in self._events):
            self._events.append(json.loads(self._socket.recv(180)))
        trace = [one for event in self._events if event["method"] == "Tracing.dataCollected" for one in event["params"]["value"]]
        self._events = []
        main = next(((one["pid"], one["tid"]) for one in trace if one["name"] == "motion-page"), None)
        found = [(one["ts"] / 1000, one["dur"] / 1000) for one in trace
                 if one["ph"] == "X" and one["name"].endswith("RunTask") and (one["pid"], one["tid"]) == main]
        if not found:
            raise Failure("Chromium's trace has no tasks of the page")
        return found

    def close(self) -> None:
        self._connection.close()
        self.process.terminate()
        self.process.wait(20)


class Stage:
    """motiond with its targets, and motion-studio."""

    def __init__(self, programs: Path, folder: Path, targets: int) -> None:
        self._programs, self._folder = programs, folder
        self._children: list[subprocess.Popen[bytes]] = []
        self._environment = {**os.environ, "XDG_RUNTIME_DIR": f"{folder}", "XDG_STATE_HOME": f"{folder}",
                             "MOTIOND_RUNTIME_DIR": f"{folder}/run"}
        self.motiond = self._start("motiond", "--runtime-dir", f"{folder}/run", "--state-dir", f"{folder}/state", "--rate", "120")
        wait("motiond", lambda: self._motionctl("status").returncode == 0)
        for first in range(0, targets, OPERATIONS):
            file = folder / "transaction.json"
            numbers = range(first, min(first + OPERATIONS, targets))
            file.write_text(json.dumps({"transaction": [self._operation(number, targets // 10) for number in numbers]}))
            committed = self._motionctl("commit", f"{file}")
            if committed.returncode != 0:
                raise Failure(committed.stderr)

    @staticmethod
    def _operation(number: int, moving: int) -> dict[str, Any]:
        place = [number % 40 * 20 + 10, number // 40 % 30 * 20 + 10]
        # Without friction a spring never rests.
        if number < moving:
            plan = {"type": "AnchoredSpring", "property": "position", "destination": place, "tension": 20, "friction": 0}
        else:
            plan = {"type": "SpringTo", "property": "position", "destination": place}
        return {"add": plan, "to": f"shown{number}" if number < SHOWN else f"t{number}"}

    def studio(self) -> tuple[subprocess.Popen[bytes], str]:
        """motion-studio, and its address."""
        child = self._start("motion-studio", "--runtime-dir", f"{self._folder}/run", "--port", "0", "--channels", "shown*")
        output = self._folder / "motion-studio.out"
        wait("motion-studio's address", lambda: output.read_text().endswith("\n"))
        return child, output.read_text().strip()

    def _start(self, program: str, *arguments: str) -> subprocess.Popen[bytes]:
        with (self._folder / f"{program}.log").open("w") as log, (self._folder / f"{program}.out").open("w") as output:
            child = subprocess.Popen([self._programs / program, *arguments], stdout=output, stderr=log, env=self._environment)
        self._children.append(child)
        return child

    def _motionctl(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self._programs / "motionctl", *arguments], capture_output=True, text=True, env=self._environment, check=False)

    def lateness(self) -> float:
        """How late the frames of the last minute were, p99 in milliseconds."""
        return json.loads(self._motionctl("status", "--json").stdout)["latenessInLastMinute"]["p99Microseconds"] / 1000

    def end(self) -> None:
        for child in reversed(self._children):
            child.terminate()
            try:
                child.wait(20)
            except subprocess.TimeoutExpired:
                child.kill()


def times(process: int) -> float:
    """The processor's time that a process and its children took, in seconds."""
    def of(number: str) -> float:
        fields = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    return sum(of(number) for number in family(process))


def family(process: int) -> Iterator[str]:
    yield f"{process}"
    for task in Path(f"/proc/{process}/task").iterdir():
        for child in (task / "children").read_text().split():
            yield from family(int(child))


def memory(process: int) -> float:
    """The most memory that a process has had, in MiB."""
    status = Path(f"/proc/{process}/status").read_text()
    return int(re.findall(r"VmHWM:\s*(\d+)", status)[0]) / 1024


def measure(browser: Browser, processes: dict[str, int], seconds: int) -> dict[str, float]:
    intervals: list[float] = []
    before, start = {name: times(process) for name, process in processes.items()}, time.monotonic()
    tasks = browser.tasks(lambda: intervals.extend(browser.value(INTERVALS.replace("SECONDS", f"{seconds}"))[2:]))
    spent = {f"{name}, % of a core": (times(process) - before[name]) / (time.monotonic() - start) * 100
             for name, process in processes.items()}
    first, frames = min(tasks)[0], dict[int, float]()
    for begin, duration in tasks:
        frame = int((begin - first) / FRAME)
        frames[frame] = frames.get(frame, 0) + duration
    work = [frames.get(frame, 0) for frame in range(max(frames) + 1)]
    missed = sum(max(0, round(interval / FRAME) - 1) for interval in intervals)
    return {"work a frame, ms: p50": share(work, 0.5), "p95": share(work, 0.95), "p99": share(work, 0.99),
            "mean": sum(work) / len(work), "frames left out, %": missed / (missed + len(intervals)) * 100, **spent}


def report(name: str, found: dict[str, float]) -> None:
    print(f"{name:24}", ", ".join(f"{key} {value:.3g}" for key, value in found.items()), flush=True)


def run(arguments: argparse.Namespace, folder: Path) -> None:
    stage, browser = None, None
    try:
        stage = Stage(arguments.bin, folder, arguments.targets)
        studio, address = stage.studio()
        browser = Browser(folder)
        browser.open(address)
        wait("the page", lambda: bool(browser.value("document.querySelector('canvas') !== null")))
        processes = {"motiond": stage.motiond.pid, "motion-studio": studio.pid, "Chromium": browser.process.pid}
        time.sleep(arguments.pause)
        busiest = 0.0
        for room in arguments.rooms.split(","):
            browser.value(f"document.getElementById('tab-{room}').click()")
            time.sleep(arguments.pause)
            found = measure(browser, processes, arguments.seconds)
            busiest = max(busiest, found["mean"])
            report(room, found | {"motiond is late, p99 in ms": stage.lateness()})
        report("memory, MiB", {"motion-studio": memory(studio.pid), "motiond": memory(stage.motiond.pid)})
        browser.open("about:blank")
        studio.terminate()
        studio.wait(20)
        del processes["motion-studio"]
        browser.show(BUSY.replace("MILLISECONDS", f"{busiest}").replace("SHOWN", f"{SHOWN}"))
        time.sleep(arguments.pause)
        found = measure(browser, processes, arguments.seconds)
        report("a page without motiond", found | {"motiond is late, p99 in ms": stage.lateness()})
    finally:
        if browser:
            browser.close()
        if stage:
            stage.end()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True, type=Path, help="the folder of the programs")
    parser.add_argument("--targets", type=int, default=100_000)
    parser.add_argument("--seconds", type=int, default=60, help="for each room; motiond's lateness is that of a minute")
    parser.add_argument("--pause", type=int, default=5, help="seconds before each measurement")
    parser.add_argument("--rooms", default="stage,hierarchy,timeline,graph")
    arguments = parser.parse_args()
    arguments.bin = arguments.bin.resolve()
    with tempfile.TemporaryDirectory(prefix="motion-page-", ignore_cleanup_errors=True) as folder:
        try:
            run(arguments, Path(folder))
        except Failure as failure:
            sys.exit(f"page.py: {failure}")


main()
