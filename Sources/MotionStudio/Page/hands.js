// Pointers, wheel and fingers on the Timeline: pan, zoom, pinch, scrub, and the cursors. Decides nothing about what is shown.

import { rulerHeight } from "./plot.js";

/**
 * What the hands do.
 * @typedef {object} Handlers
 * @property {(pixels: number) => void} pan moves the curves to the right
 * @property {(x: number, factor: number) => void} zoom stretches them around a place
 * @property {(x: number) => void} scrub shows the moment at a place
 * @property {(name: "a" | "b", x: number) => void} move moves a cursor to a place
 * @property {(x: number, reach: number) => "a" | "b" | null} cursor the cursor whose flag is at a place
 */

/** Pixels that a click may move. */
const steady = 5;

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Handlers} handlers
 */
export function follow(canvas, handlers) {
  /** @type {Map<number, {x: number, y: number}>} The places of the pointers that are down. */
  const down = new Map();
  /** @type {"pan" | "scrub" | "pinch" | "a" | "b" | null} What the present gesture is. */
  let gesture = null;
  let way = 0;

  /** @param {MouseEvent} event */
  const at = (event) => {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };

  canvas.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "mouse" && event.button !== 0) return;
    const point = at(event);
    canvas.setPointerCapture(event.pointerId);
    down.set(event.pointerId, point);
    if (down.size === 2) {
      gesture = "pinch";
    } else if (down.size === 1) {
      way = 0;
      const reach = event.pointerType === "touch" ? 22 : 8;
      const isOnRuler = point.y < (event.pointerType === "touch" ? 1.5 : 1) * rulerHeight;
      gesture = isOnRuler ? handlers.cursor(point.x, reach) ?? "scrub" : "pan";
      if (gesture === "scrub") handlers.scrub(point.x);
    }
  });
  canvas.addEventListener("pointermove", (event) => {
    const before = down.get(event.pointerId);
    if (!before) return;
    const point = at(event);
    if (gesture === "pinch") {
      const other = [...down].find(([id]) => id !== event.pointerId)?.[1];
      if (!other) return;
      const middle = (one = point) => (one.x + other.x) / 2;
      const distance = (one = point) => Math.max(10, Math.hypot(one.x - other.x, one.y - other.y));
      handlers.pan(middle() - middle(before));
      handlers.zoom(middle(), distance() / distance(before));
    } else {
      way += Math.abs(point.x - before.x) + Math.abs(point.y - before.y);
      if (gesture === "scrub") handlers.scrub(point.x);
      else if (gesture === "a" || gesture === "b") handlers.move(gesture, point.x);
      else if (gesture === "pan" && way > steady) handlers.pan(point.x - before.x);
    }
    down.set(event.pointerId, point);
  });
  /** @param {PointerEvent} event */
  const release = (event) => {
    if (!down.delete(event.pointerId)) return;
    // A click shows the moment.
    if (gesture === "pan" && way <= steady && event.type === "pointerup") handlers.scrub(at(event).x);
    gesture = down.size === 0 ? null : "pan";
    way = 2 * steady;
  };
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    const isAcross = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
    if (isAcross) handlers.pan(-(event.deltaX || event.deltaY));
    else handlers.zoom(at(event).x, Math.exp(-event.deltaY / (event.ctrlKey ? 100 : 400)));
  }, { passive: false });
}
