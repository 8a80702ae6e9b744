// The page: makes the rooms, and shows the one that the address names.

import { showClock } from "./clock.js";
import { showDetails } from "./details.js";
import { byId } from "./dom.js";
import { showGraph } from "./graph.js";
import { showHierarchy } from "./hierarchy.js";
import { Motion } from "./motion.js";
import { showPast } from "./past.js";
import { exchangeToken, place, rooms } from "./place.js";
import { Stage } from "./stage.js";
import { Timeline } from "./timeline.js";
import { World } from "./world.js";

/** How long a notice is shown, in milliseconds. */
const noticeTime = 8000;

const notice = byId("notice", HTMLParagraphElement);
/** @type {ReturnType<typeof setTimeout> | undefined} */
let clearing;

/**
 * Shows a problem for some seconds.
 * @param {unknown} error
 */
function report(error) {
  // The line about the connection says it already.
  if (motion.connection !== "open") return;
  notice.textContent = error instanceof Error ? error.message : String(error);
  clearTimeout(clearing);
  clearing = setTimeout(() => { notice.textContent = ""; }, noticeTime);
}

await exchangeToken();
const motion = new Motion();
const world = new World(motion);
const stage = new Stage(motion, world);
showClock(motion, world, report);
showDetails(motion, world, report);
showHierarchy(motion, world, report);
showGraph(motion, world, report);
showPast(world);
const timeline = new Timeline(motion, world, report);

const connection = byId("connection", HTMLParagraphElement);
motion.addEventListener("connection", () => {
  connection.dataset.state = motion.connection === "open" && motion.reason ? "slow" : motion.connection;
  connection.textContent = motion.reason || "Connected";
});
motion.addEventListener("notice", (event) => { if (event instanceof CustomEvent) report(event.detail); });
// A token that is pasted into the address of an open page.
addEventListener("hashchange", () => { void exchangeToken(); });

function showRoom() {
  for (const room of rooms) {
    byId(room, HTMLElement).hidden = room !== place.room;
    const tab = byId(`tab-${room}`, HTMLAnchorElement);
    tab.href = place.address(room);
    if (room === place.room) tab.setAttribute("aria-current", "page"); else tab.removeAttribute("aria-current");
  }
  stage.draw();
  timeline.draw();
}
for (const room of rooms) {
  byId(`tab-${room}`, HTMLAnchorElement).addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    place.enter(room);
  });
}
place.addEventListener("change", showRoom);
place.addEventListener("view", showRoom);
showRoom();
