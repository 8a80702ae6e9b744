#!/usr/bin/python3
"""How much the page of motion-studio costs, in headless Chromium: page.py --bin .build/release [--targets 100000]

motiond has many targets, a tenth of which move; a hundred of those are on the stage. The work of the page's main thread is
that of Chromium's own trace, in each sixtieth of a second. motiond's lateness beside the rooms is compared with that
beside a page that is as busy and has no motiond.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

BUSY = """data:text/html,<canvas id=c width=1000 height=600></canvas><script>
const busy = MILLISECONDS;
const c = document.getElementById('c').getContext('2d');
function turn() {
  const start = performance.now();
  c.clearRect(0, 0, 1000, 600);
  for (let i = 0; i < 100; i++) c.fillRect((i * 37 + start / 10) % 1000, (i * 61) % 600, 20, 20);
  while (performance.now() - start < busy);
  requestAnimationFrame(turn);
}
turn();
</script>"""
INTERVALS = """
const done = arguments[arguments.length - 1];
const found = [];
let last = performance.now();
const until = last + SECONDS * 1000;
requestAnimationFrame(function turn() {
  const now = performance.now();
  found.push(now - last);
  last = now;
  if (now < until) requestAnimationFrame(turn); else done(found);
});
"""


def part(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * share))] if values else float("nan")


def browser():
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                     "--disable-background-networking", "--window-size=1280,720"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"performance": "ALL"})
    options.add_experimental_option("perfLoggingPrefs", {"traceCategories": "toplevel,__metadata"})
    driver = webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)
    driver.set_script_timeout(120)
    return driver


def trace(driver):
    """The tasks of the page's main thread since the last call: (start, duration) in milliseconds."""
    events = []
    for entry in driver.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Tracing.dataCollected":
            events.append(message["params"])
    main = {(event["pid"], event["tid"]) for event in events
            if event.get("name") == "thread_name" and event["args"]["name"] == "CrRendererMain"}
    return [(event["ts"] / 1000, event["dur"] / 1000) for event in events
            if (event.get("pid"), event.get("tid")) in main and event.get("ph") == "X"
            and event["name"].endswith("RunTask")]


def work(tasks):
    """The work in each sixtieth of a second, in milliseconds."""
    if not tasks:
        return []
    first = min(start for start, _ in tasks)
    sums = {}
    for start, duration in tasks:
        slot = int((start - first) / 16.667)
        sums[slot] = sums.get(slot, 0) + duration
    return [sums.get(slot, 0) for slot in range(max(sums) + 1)]


def memory(pid):
    with open(f"/proc/{pid}/status") as file:
        return next(int(line.split()[1]) / 1024 for line in file if line.startswith("VmHWM"))


class Stage:
    def __init__(self, arguments, folder):
        self.bin, self.folder, self.children = arguments.bin, folder, []
        self.environment = {**os.environ, "XDG_RUNTIME_DIR": folder, "XDG_STATE_HOME": folder, "MOTIOND_RUNTIME_DIR": f"{folder}/run"}
        self.motiond = self.start("motiond", "--runtime-dir", f"{folder}/run", "--state-dir", f"{folder}/state", "--rate", "120")
        self.wait(lambda: self.ctl("status").returncode == 0)
        size, moving = 10_000, arguments.targets // 10
        for first in range(0, arguments.targets, size):
            operations = []
            for number in range(first, min(first + size, arguments.targets)):
                name = f"shown{number}" if number < 100 else f"t{number}"
                spring = {"type": "AnchoredSpring" if number < moving else "SpringTo", "property": "position",
                          "destination": [number % 40 * 20 + 10, number // 40 % 30 * 20 + 10]}
                # Without friction it never rests.
                operations.append({"add": spring | ({"tension": 20, "friction": 0} if number < moving else {}), "to": name})
            path = f"{folder}/transaction.json"
            with open(path, "w") as file:
                json.dump({"transaction": operations}, file)
            run = self.ctl("commit", path)
            if run.returncode != 0:
                sys.exit(run.stderr)

    def start(self, program, *arguments):
        with open(f"{self.folder}/{program}.log", "w") as log, open(f"{self.folder}/{program}.out", "w") as output:
            child = subprocess.Popen([f"{self.bin}/{program}", *arguments], stdout=output, stderr=log, env=self.environment)
        self.children.append(child)
        return child

    def wait(self, fact):
        end = time.monotonic() + 60
        while not fact():
            if time.monotonic() > end:
                sys.exit("motiond or motion-studio does not answer")
            time.sleep(0.1)

    def ctl(self, *arguments):
        return subprocess.run([f"{self.bin}/motionctl", *arguments], capture_output=True, text=True, env=self.environment)

    def lateness(self):
        """The lateness of the frames of the last minute, in milliseconds."""
        late = json.loads(self.ctl("status", "--json").stdout)["latenessInLastMinute"]
        return {"p50": late["p50Microseconds"] / 1000, "p99": late["p99Microseconds"] / 1000}

    def end(self):
        for child in reversed(self.children):
            child.terminate()
        for child in self.children:
            try:
                child.wait(20)
            except subprocess.TimeoutExpired:
                child.kill()


def measure(driver, seconds):
    trace(driver)
    intervals = driver.execute_async_script(INTERVALS.replace("SECONDS", str(seconds)))[2:]
    tasks = work(trace(driver))
    dropped = sum(max(0, round(interval / 16.667) - 1) for interval in intervals)
    return {"work p50": part(tasks, 0.5), "work p95": part(tasks, 0.95), "work p99": part(tasks, 0.99),
            "mean": sum(tasks) / max(1, len(tasks)), "dropped": dropped / (dropped + len(intervals)), "frames": len(intervals)}


def show(name, found):
    print(f"{name:22}", ", ".join(f"{key} {value:.3g}" for key, value in found.items()), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--targets", type=int, default=100_000)
    parser.add_argument("--seconds", type=int, default=60, help="for each room; motiond's lateness is that of a minute")
    parser.add_argument("--rooms", default="stage,hierarchy,timeline,graph")
    arguments = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="motion-page-")
    stage, driver = None, None
    try:
        stage = Stage(arguments, folder)
        studio = stage.start("motion-studio", "--runtime-dir", f"{folder}/run", "--port", "0", "--channels", "shown*")
        output = f"{folder}/motion-studio.out"
        stage.wait(lambda: open(output).read().endswith("\n"))
        address = open(output).read().strip()
        driver = browser()
        driver.get(address)
        stage.wait(lambda: driver.execute_script("return document.getElementById('canvas') !== null"))
        time.sleep(5)
        busiest = 0
        for room in arguments.rooms.split(","):
            driver.execute_script(f"document.getElementById('tab-{room}').click()")
            time.sleep(3)
            found = measure(driver, arguments.seconds)
            busiest = max(busiest, found["mean"])
            show(room, found)
            show("  motiond is late, ms", stage.lateness())
        show("memory, MiB", {"motion-studio": memory(studio.pid), "motiond": memory(stage.motiond.pid)})
        driver.get("about:blank")
        studio.terminate()
        studio.wait(20)
        driver.get(BUSY.replace("MILLISECONDS", str(busiest)))
        time.sleep(3)
        show("a page without motiond", measure(driver, arguments.seconds))
        show("  motiond is late, ms", stage.lateness())
    finally:
        if driver:
            driver.quit()
        if stage:
            stage.end()
        shutil.rmtree(folder, ignore_errors=True)


main()
