// The room Timeline: curves of values and velocities, the hand-overs between plans, two cursors, markers, and the moment
// that all rooms show.

import { seconds } from "./axis.js";
import { Curves } from "./curves.js";
import { byId, element, text } from "./dom.js";
import { csv, save, savePicture } from "./export.js";
import { follow } from "./hands.js";
import { place } from "./place.js";
import { color, Plot } from "./plot.js";
import { shortly, showDifferences, showMarks } from "./readout.js";

/** @typedef {import("./motion.js").Motion} Motion */
/** @typedef {import("./world.js").World} World */
/** @typedef {import("./flags.js").Flag} Flag */

/** The shortest and the longest span in seconds. */
const [leastSpan, mostSpan] = [0.01, 3600];
/** How far before the left edge is loaded, as a part of the span. */
const margin = 0.5;
/** The curves of a target that is selected and shown without being chosen. */
const mostByDefault = 6;

export class Timeline {
  /** @type {Motion} */ #motion;
  /** @type {World} */ #world;
  /** @type {Curves} */ #curves;
  /** @type {Plot} */ #plot;
  #canvas = byId("plot", HTMLCanvasElement);
  #legend = byId("legend", HTMLUListElement);
  #now = byId("timeline-now", HTMLOutputElement);
  #isDue = false;
  /** Whether something else than the time has changed since it was drawn. */ #isNew = false;
  /** The place of the left edge, in pixels. */ #column = 0;
  /** The keys that are shown. */ #keys = "";
  /** @type {(error: unknown) => void} */ #report;
  /** The keys whose history was asked for. */ #loadedKeys = "";
  /** What the legend shows, and how many lanes. */ #shownLegend = "";
  #lanes = 0;
  #isWatching = false;
  #endLog = () => {};
  /** @type {{way: 1 | -1, moment: number | null} | null} From where a hand-over is sought that is not loaded yet. */
  #sought = null;

  /**
   * @param {Motion} motion
   * @param {World} world
   * @param {(error: unknown) => void} report
   */
  constructor(motion, world, report) {
    [this.#motion, this.#world, this.#report] = [motion, world, report];
    this.#curves = new Curves(motion);
    this.#plot = new Plot(this.#canvas, this.#curves);
    this.#curves.addEventListener("load", () => {
      this.#showMarks();
      if (this.#sought?.moment === place.moment) this.#step(this.#sought.way); else this.#sought = null;
      this.draw();
    });
    this.#curves.addEventListener("sample", () => this.draw());
    this.#curves.addEventListener("problem", (event) => {
      this.#sought = null;
      if (event instanceof CustomEvent) report(event.detail);
    });
    place.addEventListener("view", () => { this.#choose(); this.#load(); this.draw(); });
    place.addEventListener("change", () => this.#enter());
    world.addEventListener("change", () => this.#choose());
    world.addEventListener("past", () => this.#tell());
    motion.addEventListener("connection", () => { if (motion.connection === "open") this.#load(); });
    motion.addEventListener("clock", () => this.draw());
    const measure = () => {
      this.#plot.measure();
      this.#showLegend();
      this.draw();
    };
    new ResizeObserver(measure).observe(this.#canvas);
    matchMedia("(prefers-color-scheme: light)").addEventListener("change", measure);
    follow(this.#canvas, {
      pan: (pixels) => this.#pan(-pixels / this.#canvas.clientWidth * place.view.span),
      zoom: (x, factor) => this.#zoom(factor, this.#plot.time(x, this.#window)),
      scrub: (x) => this.#look(this.#plot.time(x, this.#window)),
      move: (name, x) => place.show({ [name]: this.#plot.time(x, this.#window) }),
      cursor: (x, reach) => (/** @type {const} */ (["a", "b"])).find((name) => {
        const time = place.view[name];
        return time !== null && Math.abs(this.#plot.x(time, this.#window) + 5 - x) <= reach;
      }) ?? null,
    });
    this.#canvas.addEventListener("keydown", (event) => this.#key(event));
    this.#fields();
    this.#enter();
  }

  /** The times at the edges. */
  get #window() {
    const { from, span } = place.view;
    const left = from ?? this.#world.now - span * 0.97;
    return { from: left, to: left + span };
  }

  /** Draws with the next picture of the browser. */
  draw() {
    this.#isNew = true;
    this.#next();
  }

  #next() {
    if (this.#isDue || place.room !== "timeline") return;
    this.#isDue = true;
    requestAnimationFrame(() => {
      this.#isDue = false;
      this.#draw();
    });
  }

  #draw() {
    const end = this.#world.now;
    const window = this.#window;
    // While nothing arrives, time moves the curves by whole pixels only.
    const column = Math.round(window.from / place.view.span * this.#plot.width * devicePixelRatio);
    if (!this.#isNew && column === this.#column) return this.#next();
    [this.#isNew, this.#column] = [false, column];
    const isIncomplete = this.#plot.draw(window, end, this.#flags(end));
    // The first sample of a property shows how many lanes it has.
    let lanes = 0;
    for (const curve of this.#curves.shown.values()) lanes += curve.lanes;
    if (lanes !== this.#lanes) this.#showLegend();
    this.#lanes = lanes;
    const { connection, clock } = this.#motion;
    // The newest edge moves on while time runs.
    if (isIncomplete || (place.view.from === null && connection === "open" && !clock.paused && !document.hidden)) {
      this.#isNew = isIncomplete;
      this.#next();
    }
  }

  /** @param {number} end @returns {Flag[]} */
  #flags(end) {
    const [accent, warn, danger, good, faint] = ["accent", "warn", "danger", "good", "faint"]
      .map((name) => this.#plot.named(name));
    const { a, b, markers } = place.view;
    const { from, to } = this.#window;
    /** @type {Flag[]} */
    const flags = this.#curves.marks.filter(({ time }) => time >= from && time <= to).slice(-200).map((mark) => ({
      time: mark.time, text: shortly(mark, this.#curves.shown.size > 1), isFaint: true,
      color: mark.jumps ? danger : mark.kind === "end" ? faint : warn,
    }));
    for (const marker of markers) flags.push({ ...marker, color: good });
    if (a !== null) flags.push({ time: a, text: "A", color: accent, isWide: true });
    if (b !== null) flags.push({ time: b, text: "B", color: accent, isWide: true });
    if (place.moment !== null) flags.push({ time: place.moment, text: "shown", color: danger, isWide: true, isLow: true });
    else if (to > end) flags.push({ time: end, text: "", color: faint });
    return flags;
  }

  // What is shown

  #enter() {
    if (place.room === "timeline") {
      // A hand-over becomes a mark.
      if (!this.#isWatching) {
        this.#isWatching = true;
        this.#endLog = this.#motion.log(({ message }) => {
          if ([...this.#curves.shown.keys()].some((key) => message.includes(key.replace("/", ".")) || message.includes(key))) {
            this.#curves.reload();
          }
        });
      }
      this.#choose();
      this.#load();
      this.draw();
    } else if (this.#isWatching) {
      this.#isWatching = false;
      this.#endLog();
      this.#keys = "";
      this.#curves.show([]);
    }
  }

  /** The curves that are chosen, else those of the selected target, else of the first one. */
  #choose() {
    if (place.room !== "timeline") return;
    let keys = place.view.shown;
    if (keys.length === 0) {
      const target = place.target ?? this.#world.targets.keys().next().value;
      const names = [...this.#world.targets.get(target ?? "")?.keys() ?? []];
      const chosen = place.property && names.includes(place.property) ? [place.property] : names.slice(0, mostByDefault);
      keys = chosen.map((name) => `${target}/${name}`);
    }
    if (keys.join() === this.#keys) return;
    this.#keys = keys.join();
    this.#curves.show(keys);
    this.#showLegend();
    this.#load();
    this.draw();
  }

  #load() {
    if (place.room !== "timeline") return;
    const { from, to } = this.#window;
    const { range, isLive } = this.#curves;
    const span = to - from;
    if (place.view.from === null) {
      if (isLive && from >= range[0] && from - span * 2 * margin - 1 < range[0] && this.#loadedKeys === this.#keys) return;
      this.#curves.want(from - span * margin, null);
    } else {
      const isNew = to >= this.#world.now;
      this.#curves.want(from - span * margin, isNew ? null : to + span * margin);
    }
    this.#loadedKeys = this.#keys;
  }

  /** Anew only if it is another one: a button that has the focus keeps it. */
  #showLegend() {
    const isChosen = place.view.shown.length > 0;
    const legend = JSON.stringify([
      isChosen, this.#plot.isLight, [...this.#curves.shown.values()].map(({ key, lanes }) => [key, lanes]),
    ]);
    if (legend === this.#shownLegend) return;
    this.#shownLegend = legend;
    this.#legend.replaceChildren(...[...this.#curves.shown.values()].map((curve, index) => {
      const lanes = Math.max(1, curve.lanes);
      const samples = Array.from({ length: lanes }, (_, lane) => {
        const sample = element("span", { class: "sample" });
        sample.style.background = color(index, lane, this.#plot.isLight);
        return sample;
      });
      const row = element("li", {}, ...samples, ` ${curve.key} `);
      const remove = element("button", { class: "small" }, "×");
      remove.setAttribute("aria-label", `Hide ${curve.key}`);
      remove.addEventListener("click", () => {
        const rest = [...this.#curves.shown.keys()].filter((key) => key !== curve.key);
        place.show({ shown: rest });
      });
      remove.hidden = !isChosen && this.#curves.shown.size === 1;
      row.append(remove);
      return row;
    }));
  }

  #showMarks() {
    this.#showLegend();
    showMarks(this.#curves.marks, (mark) => this.#look(mark.time, true));
    this.#tell();
  }

  /** Says the values of the moment, and the differences of the cursors. */
  #tell() {
    if (place.room !== "timeline") return;
    showDifferences(this.#curves.shown, place.view.a, place.view.b);
    if (place.moment === null) {
      this.#now.value = "";
    } else {
      const parts = [...this.#curves.shown.values()].slice(0, 3).map((curve) => {
        const found = curve.at(place.moment ?? 0);
        return `${curve.key} ${found ? `${text(found.value)}, ${text(found.velocity)} /s` : "has no value"}`;
      });
      this.#now.value = `${seconds(place.moment)}: ${parts.join(" · ")}`;
    }
  }

  // What people do

  /** @param {number} time */
  #pan(time) { place.show({ from: this.#bound(this.#window.from + time) }); }

  /** @param {number} from Not beyond the present, nor before the beginning. */
  #bound(from) {
    const { span } = place.view;
    return Math.max((this.#curves.begin ?? 0) - span * 0.5, Math.min(this.#world.now - span * 0.2, from));
  }

  /** @param {number} factor @param {number} time that stays where it is */
  #zoom(factor, time) {
    const { from, to } = this.#window;
    const span = Math.min(mostSpan, Math.max(leastSpan, (to - from) / factor));
    const part = (time - from) / (to - from);
    place.show(place.view.from === null ? { span } : { span, from: time - part * span });
  }

  /**
   * Shows a moment in all rooms.
   * @param {number} time
   * @param {boolean} [comes] whether the view moves there
   */
  #look(time, comes = false) {
    const at = Math.max(0, this.#curves.begin ?? 0, time);
    if (at >= this.#world.now) return place.look(null);
    // The view stays, while people look at it.
    const { from, to } = this.#window;
    if (comes && (at < from || at > to)) place.show({ from: this.#bound(at - place.view.span / 2) });
    else if (place.view.from === null) place.show({ from });
    place.look(at);
    this.#tell();
    this.draw();
  }

  /**
   * Shows the next hand-over, or the one before, and loads more times until there is one.
   * @param {1 | -1} way
   */
  #step(way) {
    const wasSought = this.#sought !== null;
    const next = this.#curves.next(way, place.moment ?? this.#world.now);
    this.#sought = next || !this.#curves.widen(way, this.#world.now) ? null : { way, moment: place.moment };
    if (next) this.#look(next.time, true); else if (wasSought && !this.#sought) this.#load();
  }

  /** The place of keys: the moment that is shown, or the middle. */
  get #focus() {
    const { from, to } = this.#window;
    return place.moment ?? Math.min(this.#world.now, (from + to) / 2);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const { span } = place.view;
    const present = place.moment ?? this.#world.now;
    const sign = event.key === "ArrowLeft" ? -1 : 1;
    switch (event.key) {
      case "ArrowLeft": case "ArrowRight":
        if (event.shiftKey) this.#look(present + sign * span / 100, true); else this.#pan(sign * span / 10);
        break;
      case "+": case "=": this.#zoom(1.25, this.#focus); break;
      case "-": this.#zoom(0.8, this.#focus); break;
      case "PageUp": this.#step(-1); break;
      case "PageDown": this.#step(1); break;
      case "Home": place.show({ from: this.#curves.begin ?? 0 }); break;
      case "End": place.show({ from: null }); break;
      case "a": place.show({ a: this.#focus }); break;
      case "b": place.show({ b: this.#focus }); break;
      case "m": this.#mark(); break;
      case "Delete": place.show({ a: null, b: null, markers: [] }); break;
      default: return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  #mark() {
    const { markers } = place.view;
    place.show({ markers: [...markers, { time: this.#focus, text: `${markers.length + 1}` }] });
  }

  #fields() {
    const add = byId("add-curve", HTMLInputElement);
    const names = byId("curve-names", HTMLDataListElement);
    const [first, second] = [byId("cursor-a", HTMLInputElement), byId("cursor-b", HTMLInputElement)];
    add.addEventListener("focus", () => {
      names.replaceChildren(...this.#motion.properties.slice(0, 1000).map(([target, property]) => {
        const option = document.createElement("option");
        option.value = `${target}/${property}`;
        return option;
      }));
    });
    add.addEventListener("change", () => {
      const key = add.value.trim();
      if (!key.includes("/")) return key ? this.#report(`Write target/property, such as ball/position, not ${key}`) : undefined;
      add.value = "";
      place.show({ shown: [...new Set([...this.#curves.shown.keys(), key])] });
    });
    for (const [name, field] of /** @type {const} */ ([["a", first], ["b", second]])) {
      field.addEventListener("change", () => { void this.#typed(field.value, (time) => place.show({ [name]: time })); });
      place.addEventListener("view", () => {
        const time = place.view[name];
        if (document.activeElement !== field) field.value = time === null ? "" : seconds(time);
        this.#tell();
      });
    }
    const go = byId("goto", HTMLInputElement);
    go.addEventListener("change", () => {
      void this.#typed(go.value, (time) => { if (time !== null) this.#look(time, true); });
    });
    byId("follow", HTMLButtonElement).addEventListener("click", () => { place.look(null); place.show({ from: null }); });
    byId("mark", HTMLButtonElement).addEventListener("click", () => this.#mark());
    byId("earlier", HTMLButtonElement).addEventListener("click", () => this.#step(-1));
    byId("later", HTMLButtonElement).addEventListener("click", () => this.#step(1));
    byId("save-csv", HTMLButtonElement).addEventListener("click", () => {
      save(new Blob([csv(this.#curves.shown, this.#window)], { type: "text/csv" }), "curves.csv");
    });
    byId("save-picture", HTMLButtonElement).addEventListener("click", () => {
      savePicture(this.#canvas, [...this.#curves.shown.keys()], this.#plot.isLight);
    });
  }

  /**
   * The simulated time of what was typed. motiond knows the frames of `-30s` and of a time on the wall clock.
   * @param {string} typed
   * @param {(time: number | null) => void} take
   */
  async #typed(typed, take) {
    const words = typed.trim().replace(/\s+s$/, "s");
    if (words === "") return take(null);
    const plain = /^\d+(\.\d+)?s?$/.test(words) ? Number.parseFloat(words) : null;
    if (plain !== null) return take(plain);
    try {
      const [first] = this.#curves.shown.keys();
      take((await this.#motion.call("list", { of: "properties", target: first?.split("/")[0], at: words })).time);
    } catch (error) { this.#report(error); }
  }
}
