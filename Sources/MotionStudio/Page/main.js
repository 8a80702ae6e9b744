// The page: makes the rooms, and shows the one that the address names.

import { showClock } from "./clock.js";
import { showDetails } from "./details.js";
import { byId } from "./dom.js";
import { showHierarchy } from "./hierarchy.js";
import { Motion } from "./motion.js";
import { exchangeToken, place } from "./place.js";
import { Stage } from "./stage.js";
import { World } from "./world.js";

/** How long a notice is shown, in milliseconds. */
const noticeTime = 8000;

const rooms = /** @type {const} */ (["stage", "hierarchy"]);
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
showHierarchy(motion, report);

const connection = byId("connection", HTMLParagraphElement);
motion.addEventListener("connection", () => {
  connection.dataset.state = motion.connection;
  connection.textContent = motion.connection === "open" ? "Connected" : motion.reason;
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
}
place.addEventListener("change", showRoom);
showRoom();
