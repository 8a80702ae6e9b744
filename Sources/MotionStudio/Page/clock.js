// The clock: run, pause, step, speed, stop all, with a key for each.

import { byId } from "./dom.js";

/** @typedef {import("./motion.js").Motion} Motion */
/** @typedef {import("./world.js").World} World */

/** Milliseconds between looks at the time. */
const interval = 1000;
/** Seconds by which the time goes back only if motiond was started without its journal. */
const restart = 2;
/** Milliseconds until the frame of a step has run. */
const stepTime = 50;

/**
 * @param {Motion} motion
 * @param {World} world
 * @param {(error: unknown) => void} report
 */
export function showClock(motion, world, report) {
  const run = byId("run", HTMLButtonElement);
  const step = byId("step", HTMLButtonElement);
  const speed = byId("speed", HTMLInputElement);
  const time = byId("time", HTMLOutputElement);
  const stop = byId("stop-all", HTMLButtonElement);

  const toggle = () => (motion.clock.paused ? motion.resume() : motion.pause()).then(take, report);
  // The answer comes before the frame.
  const stepOnce = () => motion.step().then(() => setTimeout(refresh, stepTime), report);
  const stopAll = () => motion.stop().then(take, report);
  /** @param {number} value */
  const setSpeed = (value) => { if (value > 0 && Number.isFinite(value)) motion.speed(value); };

  /**
   * The answer has the clock, before the next status does.
   * @param {any} clock
   */
  function take(clock) {
    if (typeof clock?.paused === "boolean") motion.clock.paused = clock.paused;
    // Values may be newer than the answer.
    const isNewer = clock?.paused || clock?.time > world.time || clock?.time < world.time - restart;
    if (typeof clock?.time === "number" && isNewer) world.time = clock.time;
    show();
    showTime();
  }

  function show() {
    const mayChange = motion.connection === "open" && motion.mayChange;
    run.textContent = motion.clock.paused ? "Run" : "Pause";
    run.setAttribute("aria-pressed", String(motion.clock.paused));
    for (const control of [run, stop, speed]) control.disabled = !mayChange;
    step.disabled = !mayChange || !motion.clock.paused;
    if (document.activeElement !== speed) speed.value = String(motion.clock.speed);
  }

  /** The time runs on without values when nothing moves. */
  async function refresh() {
    if (motion.connection !== "open" || document.hidden) return;
    try {
      const [status] = await motion.list("status");
      world.targetCount = status.counts?.targets ?? 0;
      take(status.clock);
    } catch (error) { report(error); }
  }

  function showTime() {
    const text = `${world.time.toFixed(3)} s`;
    if (time.value !== text) time.value = text;
  }

  run.addEventListener("click", toggle);
  step.addEventListener("click", stepOnce);
  stop.addEventListener("click", stopAll);
  speed.addEventListener("change", () => setSpeed(speed.valueAsNumber));
  motion.addEventListener("clock", show);
  motion.addEventListener("connection", show);
  world.addEventListener("sample", showTime);
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) return;
    // A focused button has its own use of the space bar.
    const isOnButton = event.target instanceof HTMLButtonElement;
    if (event.key === " " && !isOnButton) toggle();
    else if (event.key === "." && !step.disabled) stepOnce();
    else if (event.key === "[") setSpeed(motion.clock.speed / 2);
    else if (event.key === "]") setSpeed(motion.clock.speed * 2);
    else if (event.key === "Escape" && event.shiftKey) stopAll();
    else return;
    event.preventDefault();
  });
  setInterval(refresh, interval);
  show();
}
