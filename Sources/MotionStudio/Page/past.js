// The sign that the past is shown, and the way back.

import { seconds } from "./axis.js";
import { byId } from "./dom.js";
import { place } from "./place.js";

/** @typedef {import("./world.js").World} World */

/** @param {World} world */
export function showPast(world) {
  const sign = byId("past", HTMLDivElement);
  const words = byId("past-text", HTMLSpanElement);
  const live = () => {
    place.look(null);
    place.show({ from: null });
  };

  function show() {
    sign.hidden = place.moment === null;
    document.body.classList.toggle("past", place.moment !== null);
    sign.setAttribute("aria-busy", String(world.isLoading));
    if (place.moment === null) return;
    const { moment, problem } = world;
    const shown = moment
      ? `${seconds(moment.time)}, frame ${moment.frame}${moment.wallTime ? `, ${moment.wallTime}` : ""}` : seconds(place.moment);
    words.textContent = problem ? `The past: ${seconds(place.moment)} cannot be shown: ${problem}` : `The past: ${shown}`;
  }

  byId("live", HTMLButtonElement).addEventListener("click", live);
  addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "l" || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) return;
    live();
  });
  place.addEventListener("change", show);
  world.addEventListener("past", show);
  show();
}
