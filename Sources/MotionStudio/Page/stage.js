// The room Stage: targets as shapes, moved by pointers. Owns the view and the pointers that are down.

import { contains, figure, radius } from "./figure.js";
import { byId } from "./dom.js";
import { place } from "./place.js";

/** @typedef {import("./motion.js").Motion} Motion */
/** @typedef {import("./world.js").World} World */
/** @typedef {import("./figure.js").Figure} Figure */

export class Stage {
  /** @type {Motion} */ #motion;
  /** @type {World} */ #world;
  #canvas = byId("canvas", HTMLCanvasElement);
  #empty = byId("stage-empty", HTMLParagraphElement);
  /** @type {Figure[]} */ #figures = [];
  /** Pixels for a unit, and the unit that is at the middle. */
  #view = { scale: 1, x: 0, y: 0, isChosen: false };
  /** @type {Map<number, string>} The targets of pointers that are down. */ #down = new Map();
  /** The size of the canvas in pixels of the page. */ #size = { width: 0, height: 0 };
  /** @type {{text: string, accent: string, faint: string, line: string} | null} Null until they are read again. */ #colors = null;

  /**
   * @param {Motion} motion
   * @param {World} world
   */
  constructor(motion, world) {
    [this.#motion, this.#world] = [motion, world];
    const canvas = this.#canvas;
    canvas.addEventListener("pointerdown", (event) => this.#press(event));
    canvas.addEventListener("pointermove", (event) => this.#move(event));
    canvas.addEventListener("pointerup", (event) => this.#release(event, "up"));
    canvas.addEventListener("pointercancel", (event) => this.#release(event, "cancel"));
    canvas.addEventListener("wheel", (event) => this.#zoom(event), { passive: false });
    canvas.addEventListener("keydown", (event) => {
      if (event.key === "n") this.#next(1);
      if (event.key === ",") this.#next(-1);
      if (event.key === "+" || event.key === "=") this.#scale(1.25, this.#view.x, this.#view.y);
      if (event.key === "-") this.#scale(0.8, this.#view.x, this.#view.y);
    });
    world.addEventListener("sample", () => this.draw());
    world.addEventListener("past", () => this.draw());
    place.addEventListener("change", () => this.draw());
    new ResizeObserver(() => this.draw()).observe(canvas);
    matchMedia("(prefers-color-scheme: light)").addEventListener("change", () => {
      this.#colors = null;
      this.draw();
    });
  }

  /** At once, if the room is shown. */
  draw() {
    const canvas = this.#canvas;
    if (place.room !== "stage") return;
    // Read once: each look at it lays out the page again.
    this.#size = { width: canvas.clientWidth, height: canvas.clientHeight };
    if (this.#size.width === 0) return;
    let unplaced = 0;
    this.#figures = [...this.#world.targets].map(([target, properties]) => {
      const made = figure(target, properties, unplaced);
      if (!made.isPlaced) unplaced += 1;
      return made;
    });
    this.#empty.hidden = this.#figures.length > 0;
    this.#fit();
    const ratio = devicePixelRatio || 1;
    const [width, height] = [this.#size.width * ratio, this.#size.height * ratio].map(Math.round);
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    const context = canvas.getContext("2d");
    if (!context) return;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, this.#size.width, this.#size.height);
    const colors = this.#colors ??= this.#readColors();
    this.#grid(context, colors);
    for (const one of this.#figures) this.#shape(context, one, colors);
    context.font = "13px system-ui, sans-serif";
    context.fillStyle = colors.text;
    context.textAlign = "center";
    for (const one of this.#figures) context.fillText(one.target, this.#pixels(one.x, one.y)[0], this.#below(one));
    context.font = "11px system-ui, sans-serif";
    context.textAlign = "start";
    for (const one of this.#figures) {
      one.bars.slice(0, 6).forEach(([name, lanes], row) => {
        this.#bar(context, name, lanes, this.#pixels(one.x, one.y)[0], this.#below(one) + 8 + row * 14, colors);
      });
    }
  }

  #readColors() {
    const style = getComputedStyle(this.#canvas);
    /** @param {string} name */
    const color = (name) => style.getPropertyValue(name).trim();
    return { text: color("--text"), accent: color("--accent"), faint: color("--faint"), line: color("--line") };
  }

  /**
   * Where a figure's name stands.
   * @param {Figure} one
   */
  #below(one) {
    return this.#pixels(one.x, one.y)[1] + this.#radius * Math.max(1, Math.abs(one.scaleY)) + 18;
  }

  /** Half of the width of a figure of scale 1, in pixels. */
  get #radius() { return Math.max(4, radius * this.#view.scale); }

  /** Shows all targets, until the view is chosen by hand; only outwards, so that motion does not move the view. */
  #fit() {
    const { width, height } = this.#size;
    if (this.#view.isChosen || this.#figures.length === 0 || this.#down.size > 0) return;
    const margin = radius * 3;
    const fits = this.#figures.every((one) => {
      const [x, y] = this.#pixels(one.x, one.y);
      return x >= 0 && y >= 0 && x <= width && y <= height;
    });
    if (fits && this.#view.scale !== 1) return;
    const [xs, ys] = [this.#figures.map((one) => one.x), this.#figures.map((one) => one.y)];
    const [left, right] = [Math.min(0, ...xs) - margin, Math.max(0, ...xs) + margin];
    const [top, bottom] = [Math.min(0, ...ys) - margin, Math.max(0, ...ys) + margin];
    const scale = Math.min(2, 0.6 * width / (right - left), 0.6 * height / (bottom - top));
    this.#view = { scale: scale === 1 ? 0.999 : scale, x: (left + right) / 2, y: (top + bottom) / 2, isChosen: false };
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {{faint: string, line: string}} colors
   */
  #grid(context, colors) {
    const { width, height } = this.#size;
    const step = 10 ** Math.ceil(Math.log10(60 / this.#view.scale));
    const [left, top] = this.#units(0, 0);
    const [right, bottom] = this.#units(width, height);
    context.strokeStyle = colors.line;
    context.lineWidth = 1;
    context.font = "11px system-ui, sans-serif";
    context.fillStyle = colors.faint;
    context.beginPath();
    for (let x = Math.ceil(left / step) * step; x <= right; x += step) {
      const [at] = this.#pixels(x, 0);
      context.moveTo(at, 0);
      context.lineTo(at, height);
      context.fillText(String(Math.round(x * 1e6) / 1e6), at + 3, height - 4);
    }
    for (let y = Math.ceil(top / step) * step; y <= bottom; y += step) {
      const [, at] = this.#pixels(0, y);
      context.moveTo(0, at);
      context.lineTo(width, at);
      context.fillText(String(Math.round(y * 1e6) / 1e6), 3, at - 3);
    }
    context.stroke();
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {Figure} one
   * @param {{text: string, accent: string, faint: string}} colors
   */
  #shape(context, one, colors) {
    const [x, y] = this.#pixels(one.x, one.y);
    const isSelected = one.target === place.target;
    const size = this.#radius;
    context.save();
    context.translate(x, y);
    context.rotate(one.rotation);
    context.scale(one.scaleX, one.scaleY);
    context.globalAlpha = one.opacity;
    context.fillStyle = one.color ?? colors.accent;
    context.beginPath();
    context.arc(0, 0, size, 0, 2 * Math.PI);
    context.fill();
    // A line from the middle shows the rotation.
    if (one.hasRotation) {
      context.strokeStyle = colors.text;
      context.lineWidth = 2;
      context.beginPath();
      context.moveTo(0, 0);
      context.lineTo(size, 0);
      context.stroke();
    }
    context.restore();
    if (isSelected || one.opacity < 0.15) {
      // What is nearly invisible can still be found.
      context.strokeStyle = isSelected ? colors.text : colors.faint;
      context.setLineDash(isSelected ? [] : [4, 4]);
      context.lineWidth = 2;
      context.beginPath();
      context.arc(x, y, size * Math.max(Math.abs(one.scaleX), Math.abs(one.scaleY), 0.3) + 4, 0, 2 * Math.PI);
      context.stroke();
      context.setLineDash([]);
    }
  }

  /**
   * A bar from the middle: half of it is the value 1, and larger values approach its end.
   * @param {CanvasRenderingContext2D} context
   * @param {string} name
   * @param {number[]} lanes
   * @param {number} x
   * @param {number} y
   * @param {{text: string, accent: string, faint: string}} colors
   */
  #bar(context, name, lanes, x, y, colors) {
    const half = 30;
    context.fillStyle = colors.accent;
    const height = 10 / Math.max(1, lanes.length);
    lanes.forEach((value, lane) => {
      context.fillRect(x, y + lane * height, half * value / (1 + Math.abs(value)), Math.max(1, height - 1));
    });
    context.strokeStyle = colors.faint;
    context.strokeRect(x - half, y, 2 * half, 10);
    context.fillStyle = colors.faint;
    context.fillText(name, x + half + 4, y + 9);
  }

  // Pointers

  /** @param {PointerEvent} event */
  #press(event) {
    const [x, y] = this.#at(event);
    const least = (event.pointerType === "touch" ? 22 : 8) / this.#view.scale;
    const found = [...this.#figures].reverse().find((one) => contains(one, x, y, least));
    // A second finger beside the target belongs to the hand that holds it.
    const target = found?.target ?? this.#down.values().next().value;
    if (found) place.select(found.target, found.target === place.target ? place.property : null);
    // Hands cannot change the past.
    if (!target || place.moment !== null) return;
    this.#canvas.setPointerCapture(event.pointerId);
    this.#down.set(event.pointerId, target);
    this.#send(event, "down");
  }

  /** @param {PointerEvent} event */
  #move(event) {
    if (!this.#down.has(event.pointerId)) return;
    const parts = event.getCoalescedEvents?.() ?? [];
    for (const part of parts.length > 0 ? parts : [event]) this.#send(part, "move", event.pointerId);
  }

  /**
   * @param {PointerEvent} event
   * @param {"up" | "cancel"} phase
   */
  #release(event, phase) {
    if (!this.#down.has(event.pointerId)) return;
    this.#send(event, phase);
    this.#down.delete(event.pointerId);
  }

  /**
   * @param {PointerEvent} event
   * @param {"down" | "move" | "up" | "cancel"} phase
   */
  #send(event, phase, pointer = event.pointerId) {
    const target = this.#down.get(pointer);
    if (target) this.#motion.input(target, { pointer: Math.max(0, pointer), phase, at: this.#at(event), time: event.timeStamp });
  }

  /** @param {WheelEvent} event */
  #zoom(event) {
    event.preventDefault();
    this.#scale(Math.exp(-event.deltaY / 400), ...this.#at(event));
  }

  /**
   * @param {number} factor
   * @param {number} x that stays where it is
   * @param {number} y
   */
  #scale(factor, x, y) {
    const scale = Math.min(1e4, Math.max(1e-4, this.#view.scale * factor));
    const part = this.#view.scale / scale;
    this.#view = { scale, x: x + (this.#view.x - x) * part, y: y + (this.#view.y - y) * part, isChosen: true };
    this.draw();
  }

  /** @param {number} step */
  #next(step) {
    const names = this.#figures.map((one) => one.target);
    if (names.length === 0) return;
    const at = place.target ? names.indexOf(place.target) : -1;
    place.select(names[(at + step + names.length) % names.length] ?? names[0]);
  }

  /**
   * @param {number} x
   * @param {number} y
   * @returns {[number, number]}
   */
  #pixels(x, y) {
    const { width, height } = this.#size;
    return [width / 2 + (x - this.#view.x) * this.#view.scale, height / 2 + (y - this.#view.y) * this.#view.scale];
  }

  /**
   * @param {number} x
   * @param {number} y
   * @returns {[number, number]}
   */
  #units(x, y) {
    const { width, height } = this.#size;
    return [(x - width / 2) / this.#view.scale + this.#view.x, (y - height / 2) / this.#view.scale + this.#view.y];
  }

  /** @param {MouseEvent} event */
  #at(event) {
    const box = this.#canvas.getBoundingClientRect();
    return this.#units(event.clientX - box.left, event.clientY - box.top);
  }
}
