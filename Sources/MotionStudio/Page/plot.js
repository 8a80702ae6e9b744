// Draws the curves of the Timeline: on a picture beside the canvas, a few curves in each frame, which is then shown moved
// and stretched until a newer one is complete. So a frame costs little, however many curves there are.

import { bounds, label, ticks } from "./axis.js";
import { drawFlags } from "./flags.js";

/** @typedef {import("./curves.js").Curves} Curves */
/** @typedef {import("./curves.js").Curve} Curve */
/** @typedef {{from: number, to: number}} Times What is drawn: the times at the edges. */
/** @typedef {import("./flags.js").Flag} Flag */
/** @typedef {{top: number, height: number, title: string}} Band Two plots, one below the other: values and velocities. */
/**
 * A picture of curves: complete when all entries are drawn.
 * @typedef {object} Picture
 * @property {HTMLCanvasElement} canvas
 * @property {Times} window
 * @property {[[number, number], [number, number]]} bounds
 * @property {{curve: Curve, lane: number, kind: 0 | 1}[]} entries
 * @property {number} drawn the entries that are drawn
 * @property {number} version
 * @property {string} look size and colors
 * @property {number} until the time up to which samples were there when it was begun
 * @property {Map<Curve, number>} added the times up to which samples were added to it since
 */

/** The height of the ruler at the top. */
export const rulerHeight = 26;
/** Milliseconds of a frame for curves. */
const budget = 3;
/** Seconds without a sample after which a value rests; its line grows in steps of this length. */
const restTime = 0.25;
/** How far a picture reaches beyond the edges, as a part of the span. */
const beyond = 0.3;

/**
 * The color of a lane: neighbours differ in hue, lanes of one curve in lightness.
 * @param {number} index
 * @param {number} lane
 * @param {boolean} isLight whether the ground is light
 */
export function color(index, lane, isLight) {
  const hue = (210 + index * 137.5 + lane * 65) % 360;
  return `hsl(${hue.toFixed(0)} 80% ${isLight ? 36 - (lane % 3) * 5 : 66 + (lane % 3) * 7}%)`;
}

export class Plot {
  /** @type {HTMLCanvasElement} */ canvas;
  width = 0;
  height = 0;
  /** @type {Curves} */ #curves;
  /** @type {Picture | null} */ #front = null;
  /** @type {Picture | null} */ #next = null;
  /** The places of the two plots, of the height that was drawn last. */ #bands = Plot.#bandsOf(0);
  /** @type {Record<string, string>} */
  #colors = { line: "", text: "", faint: "", panel: "", ground: "", accent: "", warn: "", danger: "", good: "" };
  #isLight = matchMedia("(prefers-color-scheme: light)");

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {Curves} curves
   */
  constructor(canvas, curves) { [this.canvas, this.#curves] = [canvas, curves]; }

  get isLight() { return this.#isLight.matches; }

  /** Reads the size and the colors of the canvas: not in each frame, because it makes the browser compute its layout. */
  measure() {
    [this.width, this.height] = [this.canvas.clientWidth, this.canvas.clientHeight];
    this.#bands = Plot.#bandsOf(this.height);
    const style = getComputedStyle(this.canvas);
    for (const name of Object.keys(this.#colors)) this.#colors[name] = style.getPropertyValue(`--${name}`).trim();
  }

  /** @param {string} name */
  named(name) { return this.#colors[name]; }

  /** @param {number} time @param {Times} window */
  x(time, { from, to }) { return (time - from) / (to - from) * this.width; }
  /** @param {number} x @param {Times} window */
  time(x, { from, to }) { return from + x / Math.max(1, this.width) * (to - from); }

  /** @param {number} height of the canvas @returns {[Band, Band]} */
  static #bandsOf(height) {
    const room = height - rulerHeight;
    const upper = Math.round(room * 0.58);
    return [
      { top: rulerHeight, height: upper - 4, title: "value" },
      { top: rulerHeight + upper, height: room - upper, title: "velocity /s" },
    ];
  }

  /**
   * Draws a frame. Returns whether another one is needed for what is not drawn yet.
   * @param {Times} window
   * @param {number} end the time up to which resting values are known
   * @param {Flag[]} flags
   */
  draw(window, end, flags) {
    const began = performance.now();
    const { canvas } = this;
    const { width, height } = this;
    const context = canvas.getContext("2d");
    if (!context || width === 0 || height === 0) return false;
    const ratio = devicePixelRatio || 1;
    const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (canvas.width !== wide || canvas.height !== high) [canvas.width, canvas.height] = [wide, high];
    const colors = this.#colors;
    this.#advance(window, ratio, began);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = colors.ground;
    context.fillRect(0, 0, width, height);
    const front = this.#front;
    const limits = front?.bounds ?? [[-1, 1], [-1, 1]];
    this.#grid(context, window, limits, colors);
    if (front) {
      this.#add(front, ratio, end);
      this.#copy(context, front, window);
    }
    drawFlags(context, flags, (time) => this.x(time, window), this, colors, rulerHeight);
    return this.#next !== null;
  }

  // Pictures

  /** @param {Times} window @param {number} ratio @param {number} began */
  #advance(window, ratio, began) {
    const look = `${this.width} ${this.height} ${ratio} ${this.isLight}`;
    const next = this.#next;
    if (next && (next.look !== look || next.version !== this.#curves.version)) this.#next = null;
    const front = this.#front;
    const span = window.to - window.from;
    /** @param {Times} one */
    const span2 = (one) => (one.to - one.from) / (1 + 2 * beyond);
    const isStale = !front || front.look !== look || front.version !== this.#curves.version
      || Math.abs(span2(front.window) / span - 1) > 1e-6 || window.from < front.window.from || window.to > front.window.to
      || this.#exceeds(front);
    if (!this.#next && isStale) this.#next = this.#begin(window, ratio, look);
    const picture = this.#next;
    if (!picture) return;
    const context = picture.canvas.getContext("2d");
    if (!context) return;
    const lines = [...this.#curves.shown.keys()];
    while (picture.drawn < picture.entries.length && performance.now() - began < budget) {
      const { curve, lane, kind } = picture.entries[picture.drawn];
      context.strokeStyle = color(lines.indexOf(curve.key), lane, this.isLight);
      context.beginPath();
      this.#trace(context, curve, lane, kind, picture.window, picture.bounds, picture.canvas.width / ratio, -Infinity, picture.until);
      context.stroke();
      picture.drawn += 1;
    }
    if (picture.drawn === picture.entries.length) [this.#front, this.#next] = [picture, null];
  }

  /** @param {Picture} front Whether samples since the picture are above or below it. */
  #exceeds(front) {
    for (const { extents } of this.#curves.shown.values()) {
      if (extents.some(([low, high], kind) => low < front.bounds[kind][0] || high > front.bounds[kind][1])) return true;
    }
    return false;
  }

  /**
   * @param {Times} window
   * @param {number} ratio
   * @param {string} look
   * @returns {Picture}
   */
  #begin(window, ratio, look) {
    const margin = (window.to - window.from) * beyond;
    const width = this.width * (1 + 2 * beyond);
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [Math.max(1, Math.round(width * ratio)), Math.max(1, this.canvas.height)];
    const context = canvas.getContext("2d");
    context?.scale(ratio, ratio);
    if (context) [context.lineWidth, context.lineJoin] = [1.5, "bevel"];
    const shown = [...this.#curves.shown.values()];
    const entries = shown.flatMap((curve) => Array.from({ length: curve.lanes }, (_, lane) => (
      /** @type {{curve: Curve, lane: number, kind: 0 | 1}[]} */ ([{ curve, lane, kind: 0 }, { curve, lane, kind: 1 }]))).flat());
    /** @param {0 | 1} kind @returns {[number, number]} */
    const limits = (kind) => bounds([
      Math.min(...shown.map((curve) => curve.extents[kind][0])), Math.max(...shown.map((curve) => curve.extents[kind][1])),
    ]);
    return {
      canvas, entries, look, drawn: 0, added: new Map(), version: this.#curves.version, bounds: [limits(0), limits(1)],
      window: { from: window.from - margin, to: window.to + margin },
      until: Math.max(-Infinity, ...shown.map((curve) => (curve.length > 0 ? curve.time(curve.length - 1) : -Infinity))),
    };
  }

  /**
   * Shows the picture, moved, and stretched if the span is another one. Whole pixels are copied without being computed.
   * @param {CanvasRenderingContext2D} context
   * @param {Picture} front
   * @param {Times} window
   */
  #copy(context, front, window) {
    const { width, height } = this.canvas;
    const { canvas, window: { from, to } } = front;
    const scale = canvas.width / (to - from);
    const [left, room] = [(window.from - from) * scale, (window.to - window.from) * scale];
    context.save();
    context.setTransform(1, 0, 0, 1, 0, 0);
    if (Math.abs(room - width) < 0.5) {
      context.imageSmoothingEnabled = false;
      context.drawImage(canvas, -Math.round(left), 0);
    } else {
      context.drawImage(canvas, left, 0, room, canvas.height, 0, 0, width, height);
    }
    context.restore();
  }

  /**
   * Adds what has arrived to the picture.
   * @param {Picture} front
   * @param {number} ratio
   * @param {number} end the time up to which resting values are known
   */
  #add(front, ratio, end) {
    const context = front.canvas.getContext("2d");
    if (!context || !this.#curves.isLive) return;
    let index = -1;
    for (const curve of this.#curves.shown.values()) {
      index += 1;
      const last = curve.length - 1;
      if (last < 0) continue;
      const time = curve.time(last);
      const before = front.added.get(curve) ?? Math.min(front.until, time);
      const rests = end - Math.max(time, before) >= restTime;
      if (time <= before && !rests) continue;
      front.added.set(curve, rests ? end : time);
      for (let lane = 0; lane < curve.lanes; lane += 1) {
        context.strokeStyle = color(index, lane, this.isLight);
        context.beginPath();
        for (const kind of /** @type {const} */ ([0, 1])) {
          const width = front.canvas.width / ratio;
          if (time > before) this.#trace(context, curve, lane, kind, front.window, front.bounds, width, before, Infinity);
          if (!rests) continue;
          const { from, to } = front.window;
          const y = this.#y(kind === 0 ? curve.lanesAt(last, kind)[lane] : 0, kind, front.bounds);
          context.moveTo((Math.max(time, before) - from) / (to - from) * width, y);
          context.lineTo((end - from) / (to - from) * width, y);
        }
        context.stroke();
      }
    }
  }

  /**
   * A line through the points after one time, and up to another one: for each column of pixels at most its lowest and
   * highest point. A value without points in between has rested.
   * @param {CanvasRenderingContext2D} context
   * @param {Curve} curve
   * @param {number} lane
   * @param {0 | 1} kind
   * @param {Times} window
   * @param {[[number, number], [number, number]]} limits
   * @param {number} width
   * @param {number} after
   * @param {number} until
   */
  #trace(context, curve, lane, kind, window, limits, width, after, until) {
    const first = Math.max(0, curve.after(Math.max(after, window.from)) - 1);
    const last = Math.min(curve.length - 1, curve.after(Math.min(until, window.to)));
    if (last < first) return;
    const scale = width / (window.to - window.from);
    // Points are thinned evenly: gaps above the usual distance are rests.
    const rest = Math.max(0.1, 4 * (curve.time(curve.length - 1) - curve.time(0)) / curve.length);
    const zero = this.#y(0, kind, limits);
    const unit = this.#y(1, kind, limits) - zero;
    let [column, low, high, y, before] = [NaN, 0, 0, 0, 0];
    const flush = () => {
      if (low !== high) {
        context.lineTo(column, low);
        context.lineTo(column, high);
      }
      context.lineTo(column, y);
    };
    for (let index = first; index <= last; index += 1) {
      const time = curve.time(index);
      if (time > until && index > first) break;
      const x = Math.round((time - window.from) * scale * 2) / 2;
      const point = zero + unit * curve.lanesAt(index, kind)[lane];
      if (Number.isNaN(column)) {
        context.moveTo(x, point);
        [column, low, high] = [x, point, point];
      } else if (x !== column) {
        flush();
        if (time - before > rest) context.lineTo(x, kind === 0 ? y : zero);
        [column, low, high] = [x, point, point];
      } else {
        [low, high] = [Math.min(low, point), Math.max(high, point)];
      }
      [y, before] = [point, time];
    }
    flush();
  }

  /** @param {number} value @param {0 | 1} kind @param {[[number, number], [number, number]]} limits */
  #y(value, kind, limits) {
    const { top, height } = this.#bands[kind];
    const [low, high] = limits[kind];
    return top + height - (value - low) / (high - low) * height;
  }

  // Around them

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {Times} window
   * @param {[[number, number], [number, number]]} limits
   * @param {Record<string, string>} colors
   */
  #grid(context, window, limits, colors) {
    const { width, height } = this;
    context.font = "11px system-ui, sans-serif";
    context.textBaseline = "middle";
    context.strokeStyle = colors.line;
    context.lineWidth = 1;
    context.fillStyle = colors.panel;
    context.fillRect(0, 0, width, rulerHeight);
    context.fillStyle = colors.faint;
    context.beginPath();
    const times = ticks(window.from, window.to, width / 100);
    times.forEach((time) => {
      const x = Math.round(this.x(time, window)) + 0.5;
      context.moveTo(x, rulerHeight - 6);
      context.lineTo(x, height);
      context.fillText(`${label(time, (times[1] ?? time + 1) - times[0])} s`, x + 4, rulerHeight / 2);
    });
    this.#bands.forEach((band, kind) => {
      const rows = ticks(...limits[kind], band.height / 40);
      for (const value of rows) {
        const y = Math.round(this.#y(value, kind === 0 ? 0 : 1, limits)) + 0.5;
        context.moveTo(0, y);
        context.lineTo(width, y);
        context.fillText(label(value, (rows[1] ?? value + 1) - rows[0]), 4, y - 7);
      }
      context.textAlign = "right";
      context.fillText(band.title, width - 6, band.top + band.height - 8);
      context.textAlign = "start";
    });
    context.stroke();
    context.fillStyle = colors.line;
    context.fillRect(0, this.#bands[1].top - 3, width, 2);
  }
}
