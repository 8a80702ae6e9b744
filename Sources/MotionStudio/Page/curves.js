// The curves of the Timeline: what motiond has kept of the chosen properties, and the samples that arrive. The only owner
// of both.

/** @typedef {import("./motion.js").Motion} Motion */
/** @typedef {import("./protocol.js").Sample} Sample */
/**
 * A hand-over, or a start, end, failure or stop of a plan.
 * @typedef {object} Mark
 * @property {string} property as `ball/position`
 * @property {number} time
 * @property {number} frame
 * @property {string} kind
 * @property {string} text
 * @property {{type: string, name?: string | null, sequence: number} | null} plan
 * @property {string | null} client
 * @property {string | null} comment
 * @property {number[]} stepOfValue
 * @property {number[]} stepOfVelocity
 * @property {boolean} [jumps] whether the value jumped
 */
/** @typedef {{time: number[], frame: number[], value: number[][], velocity: number[][]}} Track Values by time. */
/** @typedef {[number, number]} Extent Low and high. */

/** The most properties that motiond answers for at once. */
const mostAtOnce = 32;
/** The most samples that are added to what was loaded, until it is loaded again. */
const mostAdded = 3600;
/** Milliseconds that a change of the view, or a hand-over, waits before the history is asked. */
const loadDelay = 150;
/** The least milliseconds between two questions. */
const loadInterval = 1000;
/** The points of a curve that are asked for: twice as many as a wide screen has columns. */
const points = 4000;
/** The points of all curves together: more take longer than a picture to read. */
const mostPoints = 60_000;

/** Of the largest value: smaller steps are those of rounding. */
const rounding = 1e-6;
/** The part of all shown values that a value moves in no frame without a jump. */
const largePart = 0.15;

/** A property that is shown. */
export class Curve {
  /** @type {Track} */ loaded = { time: [], frame: [], value: [], velocity: [] };
  /** @type {Track} Received since. */ added = { time: [], frame: [], value: [], velocity: [] };
  /** @type {[Extent, Extent]} The extents of values and velocities. */ extents = [[Infinity, -Infinity], [Infinity, -Infinity]];
  /** Ends the subscription. */ end = () => {};

  /** @param {string} key as `ball/position` */
  constructor(key) { this.key = key; }

  get lanes() { return (this.loaded.value[0] ?? this.added.value[0] ?? []).length; }
  get length() { return this.loaded.time.length + this.added.time.length; }

  /** @param {number} index */
  time(index) {
    const { loaded, added } = this;
    return index < loaded.time.length ? loaded.time[index] : added.time[index - loaded.time.length];
  }

  /** @param {number} index @param {0 | 1} kind value or velocity */
  lanesAt(index, kind) {
    const { loaded, added } = this;
    const [track, at] = index < loaded.time.length ? [loaded, index] : [added, index - loaded.time.length];
    return kind === 0 ? track.value[at] : track.velocity[at];
  }

  /** @param {number} index */
  frame(index) {
    const { loaded, added } = this;
    return index < loaded.time.length ? loaded.frame[index] : added.frame[index - loaded.time.length];
  }

  /** @param {number} time The index of the first point after a time. */
  after(time) {
    let [low, high] = [0, this.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.time(middle) <= time) low = middle + 1; else high = middle;
    }
    return low;
  }

  /**
   * Value and velocity at a time: those of the last frame until then. Null before the first one.
   * @param {number} time
   * @returns {{value: number[], velocity: number[]} | null}
   */
  at(time) {
    // The address of the page has microseconds.
    const index = this.after(time + 1e-6) - 1;
    return index < 0 ? null : { value: this.lanesAt(index, 0), velocity: this.lanesAt(index, 1) };
  }

  /** The shortest duration of a frame; 0 if it is not known. */
  get frameTime() {
    const { time, frame } = this.loaded;
    let shortest = Infinity;
    for (let index = 1; index < time.length; index += 1) {
      const frames = frame[index] - frame[index - 1];
      if (frames > 0) shortest = Math.min(shortest, (time[index] - time[index - 1]) / frames);
    }
    return Number.isFinite(shortest) ? shortest : 0;
  }

  /**
   * Whether the value jumped at a mark: by more than the step of velocity makes in a frame, which every spring has, or by
   * a large part of all that is shown.
   * @param {Mark} mark
   */
  jumps({ kind, stepOfValue, stepOfVelocity }) {
    if (kind === "jump") return true;
    const frameTime = this.frameTime;
    const [low, high] = this.extents[0];
    const size = Math.max(Math.abs(low), Math.abs(high));
    return (stepOfValue ?? []).some((step, lane) => {
      const explained = 1.5 * Math.abs(stepOfVelocity?.[lane] ?? 0) * frameTime + size * rounding;
      return Math.abs(step) > explained || Math.abs(step) > largePart * (high - low);
    });
  }

  /** @param {Sample} sample */
  add({ time, frame, value, velocity }) {
    const last = this.length - 1;
    // A subscription begins with the present value, which may have been loaded.
    if (last >= 0 && time <= this.time(last)) return;
    this.added.time.push(time);
    this.added.frame.push(frame);
    this.added.value.push(value);
    this.added.velocity.push(velocity);
    this.#extend(value, velocity);
  }

  /** @param {Track} track @param {boolean} isLive whether what was received goes on from it */
  load(track, isLive) {
    const before = this.added;
    const last = this.length - 1;
    if (isLive && track.time.length === 0 && last >= 0) {
      // It has rested since: the newest value holds.
      track = {
        time: [this.time(last)], frame: [this.frame(last)], value: [this.lanesAt(last, 0)], velocity: [this.lanesAt(last, 1)],
      };
    }
    this.loaded = track;
    this.added = { time: [], frame: [], value: [], velocity: [] };
    this.extents = [[Infinity, -Infinity], [Infinity, -Infinity]];
    track.value.forEach((value, index) => this.#extend(value, track.velocity[index]));
    if (!isLive) return;
    before.time.forEach((time, index) => {
      this.add({ time, frame: before.frame[index], value: before.value[index], velocity: before.velocity[index], omitted: 0 });
    });
  }

  /** @param {number[]} value @param {number[]} velocity */
  #extend(value, velocity) {
    const [values, velocities] = this.extents;
    for (const lane of value) [values[0], values[1]] = [Math.min(values[0], lane), Math.max(values[1], lane)];
    for (const lane of velocity) [velocities[0], velocities[1]] = [Math.min(velocities[0], lane), Math.max(velocities[1], lane)];
  }
}

/** Fires `load` after the history has answered, `sample` when a value was added, `problem` with its text. */
export class Curves extends EventTarget {
  /** @type {Map<string, Curve>} */ shown = new Map();
  /** @type {Mark[]} */ marks = [];
  /** @type {number | null} How far the history reaches; null if nothing is kept. */ begin = null;
  /** Counts what was loaded. */ version = 0;
  /** @type {Extent} The loaded times. */ range = [Infinity, -Infinity];
  /** Whether the newest samples are added. */ isLive = true;
  /** @type {Motion} */ #motion;
  /** @type {{from: number, to: number | null} | null} What is to be loaded. */ #wanted = null;
  /** @type {{from: number, to: number | null} | null} What was loaded last. */ #last = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #timer;
  #isLoading = false;
  #lastLoad = -Infinity;

  /** @param {Motion} motion */
  constructor(motion) {
    super();
    this.#motion = motion;
  }

  /**
   * Shows these properties, and no others.
   * @param {string[]} keys
   */
  show(keys) {
    for (const [key, curve] of this.shown) {
      if (keys.includes(key)) continue;
      curve.end();
      this.shown.delete(key);
    }
    const before = this.shown;
    this.shown = new Map(keys.map((key) => [key, before.get(key) ?? this.#curve(key)]));
    this.version += 1;
  }

  /** @param {string} key */
  #curve(key) {
    const curve = new Curve(key);
    const at = key.lastIndexOf("/");
    curve.end = this.#motion.watch(key.slice(0, at), key.slice(at + 1), (sample) => {
      if (!this.isLive) return;
      curve.add(sample);
      // What was added becomes part of what is loaded.
      if (curve.added.time.length > mostAdded) this.reload();
      this.dispatchEvent(new Event("sample"));
    });
    return curve;
  }

  /**
   * Loads times, soon; of several wishes only the newest one.
   * @param {number} from
   * @param {number | null} to null for the newest values and all that follow
   */
  want(from, to) {
    this.#wanted = { from, to };
    this.#schedule(loadDelay);
  }

  /**
   * The next mark after a time, or the one before, of those that are loaded.
   * @param {1 | -1} way
   * @param {number} time
   */
  next(way, time) {
    if (way > 0) return this.marks.find((mark) => mark.time > time + 1e-6);
    return this.marks.filter((mark) => mark.time < time - 1e-6).at(-1);
  }

  /**
   * Loads three times as much, to find what the loaded times do not have.
   * @param {1 | -1} way where it grows
   * @param {number} now
   * @returns whether there is more
   */
  widen(way, now) {
    const [from, to] = this.range;
    if (from > to) return true;
    const more = 2 * (Math.min(to, now) - from);
    if (way < 0 ? this.begin === null || from <= this.begin : to >= now) return false;
    if (way > 0) this.want(from, to + more);
    else this.want(Math.max(this.begin ?? 0, from - more), to < Infinity ? to : null);
    return true;
  }

  /** Loads the same again, after a hand-over. */
  reload() {
    this.#wanted ??= this.#last;
    this.#schedule(Math.max(loadDelay, this.#lastLoad + loadInterval - performance.now()));
  }

  /** @param {number} delay */
  #schedule(delay) {
    if (this.#timer !== undefined || this.#isLoading) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#load();
    }, delay);
  }

  async #load() {
    const wanted = this.#wanted;
    if (!wanted || this.shown.size === 0 || this.#motion.connection !== "open") return;
    this.#wanted = null;
    this.#last = wanted;
    this.#isLoading = true;
    this.isLive = wanted.to === null;
    const keys = [...this.shown.keys()];
    /** @type {string[][]} */
    const parts = [];
    for (let at = 0; at < keys.length; at += mostAtOnce) parts.push(keys.slice(at, at + mostAtOnce));
    const share = Math.min(points, Math.floor(mostPoints / keys.length));
    try {
      const range = { from: Math.max(0, wanted.from), to: wanted.to ?? undefined, points: share };
      const answers = await Promise.all(parts.map((part) => this.#motion.curves(part, range)));
      for (const answer of answers) this.#take(answer);
      this.marks = answers.flatMap((answer) => answer.marks).sort((one, other) => one.time - other.time);
      for (const mark of this.marks) mark.jumps = this.shown.get(mark.property)?.jumps(mark) ?? false;
      this.begin = answers[0].begin;
      this.range = [wanted.from, wanted.to ?? Infinity];
      this.version += 1;
      this.dispatchEvent(new Event("load"));
    } catch (error) {
      this.dispatchEvent(new CustomEvent("problem", { detail: error instanceof Error ? error.message : String(error) }));
    }
    this.#isLoading = false;
    this.#lastLoad = performance.now();
    if (this.#wanted) this.#schedule(loadDelay);
  }

  /** @param {{curves: ({property: string} & Track)[]}} answer */
  #take({ curves }) {
    for (const track of curves) this.shown.get(track.property)?.load(track, this.isLive);
  }
}
