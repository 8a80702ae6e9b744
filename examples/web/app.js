// A web program on motiond: two elements of a page, moved by plans. See README.md beside it.

import { Motion } from "./motion.js";

/** Tolerance of an opacity, within which the compositor and motiond show the same. */
const tolerance = 0.06;

// `#studio=http://127.0.0.1:8765&token=…`: the token is removed from the address, and kept for this tab only.
const fields = new URLSearchParams(location.hash.slice(1));
for (const name of ["studio", "token"]) {
  const value = fields.get(name);
  if (value) sessionStorage.setItem(name, value);
}
history.replaceState(null, "", location.pathname);
const motion = new Motion({
  url: sessionStorage.getItem("studio") ?? "http://127.0.0.1:8765", token: sessionStorage.getItem("token") ?? undefined,
});

const [stage, ball, card, mode, connection] = ["stage", "ball", "card", "mode", "connection"].map((id) => document.getElementById(id));
motion.addEventListener("connection", () => { connection.textContent = motion.reason || "Connected"; });
/** @param {unknown} error */
const report = (error) => { connection.textContent = String(error); };

// A spring. Its values arrive at most 60 times a second.

motion.watch("ball", "position", ({ value: [x, y] }) => { ball.style.translate = `${x}px ${y}px`; });
stage.addEventListener("pointerdown", (event) => {
  const box = stage.getBoundingClientRect();
  const destination = [event.clientX - box.left, event.clientY - box.top];
  motion.commit({ transaction: [{ add: { type: "SpringTo", property: "position", destination }, to: "ball" }] }).catch(report);
});

// A tween. Once its plan is known, nothing has to be sent any more: the browser's compositor runs it at the rate of the screen,
// also while the page's own thread is busy. motiond's values still arrive, and decide if something else takes over.

const course = { duration: 2, easing: "cubic-bezier(0.3, 0, 0.2, 1)" };
let opacity = { value: 1, time: 0, at: performance.now() };
/** The tween that the compositor runs. @type {Animation | null} */
let animation = null;

motion.watch("card", "opacity", ({ value: [value], time }) => {
  opacity = { value, time, at: performance.now() };
  if (!animation) {
    card.style.opacity = String(value);
  } else if (Math.abs(Number(getComputedStyle(card).opacity) - value) > tolerance) {
    giveBack();
  }
});

/** From now on motiond's values move the card. */
function giveBack() {
  animation?.cancel();
  animation = null;
  card.style.opacity = String(opacity.value);
  mode.textContent = "motiond's values";
}

document.getElementById("fade").addEventListener("click", async () => {
  try {
    const [from, to] = [opacity.value, opacity.value > 0.5 ? 0.15 : 1];
    giveBack();
    await motion.commit({
      transaction: [{
        add: { type: "Tween", property: "opacity", from, to, duration: `${course.duration}s`, easing: course.easing, carry: false },
        to: "card", named: "fade",
      }],
    });
    // When it began, in simulated time: it begins with the next frame, and its first value may come some frames later.
    let { plan, since } = await motion.why("card", "opacity");
    for (let tries = 0; tries < 20 && (plan?.name !== "fade" || since === null); tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      ({ plan, since } = await motion.why("card", "opacity"));
    }
    if (plan?.name !== "fade" || since === null) return;
    const now = opacity.time + (performance.now() - opacity.at) / 1000 * motion.clock.speed;
    const started = card.animate({ opacity: [from, to] }, { duration: course.duration * 1000, easing: course.easing, fill: "forwards" });
    started.currentTime = Math.max(0, now - since) * 1000;
    started.playbackRate = motion.clock.paused ? 0 : motion.clock.speed;
    animation = started;
    mode.textContent = "the compositor";
    started.finished.then(() => { if (animation === started) giveBack(); }, () => {});
  } catch (error) { report(error); }
});

document.getElementById("wave").addEventListener("click", () => {
  motion.commit({ transaction: [{ add: { type: "SpringTo", property: "opacity", destination: 1 }, to: "card" }] }).catch(report);
});

// What the page needs exists from its first visit on.
motion.addEventListener("connection", () => {
  if (motion.connection !== "open") return;
  setTimeout(() => {
    const known = new Set(motion.properties.map(([target]) => target));
    const transaction = [
      { add: { type: "SpringTo", property: "position", destination: [100, 160] }, to: "ball" },
      { add: { type: "SpringTo", property: "opacity", destination: 1 }, to: "card" },
    ].filter(({ to }) => !known.has(to));
    if (transaction.length > 0) motion.commit({ transaction }).catch(report);
  }, 500);
});
