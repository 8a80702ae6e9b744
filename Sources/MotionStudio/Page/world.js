// The values of properties that rooms show: the newest ones, or those of a moment of the past. The only owner of them;
// rooms read it when they draw.

import { place } from "./place.js";

/** @typedef {import("./motion.js").Motion} Motion */
/** @typedef {import("./protocol.js").Sample} Sample */
/** @typedef {Map<string, Map<string, Sample | null>>} Targets Properties by target, and by property. */
/** @typedef {{frame: number, time: number, wallTime: string | null}} Moment The frame that is shown of the past. */

/** The most properties that are watched for the stage: more cannot be told apart. */
const mostWatched = 2000;
/** The most seconds that the time runs on by itself between two times of motiond. */
const mostAhead = 1.5;

/**
 * Fires `change` when targets or properties come or go, `sample` for each frame with new values, and `past` when another
 * moment of the past is shown, or the present again.
 */
export class World extends EventTarget {
  /** How many properties are not watched, because of the limit. */ unwatched = 0;
  /** How many targets there are at present. */ targetCount = 0;
  /** @type {Moment | null} The moment that is shown; null for the present. */ moment = null;
  /** Why the moment of the address cannot be shown; empty otherwise. */ problem = "";
  /** @type {Targets} */ #live = new Map();
  /** @type {Targets | null} */ #past = null;
  /** @type {Motion} */ #motion;
  /** @type {Map<string, () => void>} */ #ends = new Map();
  #time = 0;
  /** When the time was received. */ #timeAt = 0;
  #isDue = false;
  /** Whether the moment of the address is on its way. */ #isLoading = false;
  /** @type {number | null} The moment of the address that was loaded last, or could not be. */ #loaded = null;

  /** @param {Motion} motion */
  constructor(motion) {
    super();
    this.#motion = motion;
    motion.addEventListener("properties", () => this.#follow());
    motion.addEventListener("connection", () => {
      // What could not be loaded is tried again.
      if (this.problem) this.#loaded = null;
      this.#load();
    });
    place.addEventListener("change", () => this.#load());
  }

  /** What is shown: the present, or the past. */
  get targets() { return this.#past ?? this.#live; }

  /** Whether the moment of the address is on its way: another one is shown. */
  get isLoading() { return this.#isLoading; }

  /** The simulated time of the newest value. */
  get time() { return this.#time; }
  set time(time) { [this.#time, this.#timeAt] = [time, performance.now()]; }

  /** The simulated time now: it runs on between two times of motiond. */
  get now() {
    const { connection, clock } = this.#motion;
    if (connection !== "open" || clock.paused) return this.#time;
    return this.#time + Math.min(mostAhead, (performance.now() - this.#timeAt) / 1000) * clock.speed;
  }

  #follow() {
    const properties = this.#motion.properties;
    const present = new Set(properties.map(([target, property]) => `${target}/${property}`));
    for (const [key, end] of this.#ends) {
      if (present.has(key)) continue;
      end();
      this.#ends.delete(key);
      const at = key.lastIndexOf("/");
      const rows = this.#live.get(key.slice(0, at));
      rows?.delete(key.slice(at + 1));
      if (rows?.size === 0) this.#live.delete(key.slice(0, at));
    }
    for (const [target, property] of properties) {
      const key = `${target}/${property}`;
      if (this.#ends.has(key) || this.#ends.size >= mostWatched) continue;
      const rows = this.#live.get(target) ?? new Map();
      rows.set(property, null);
      this.#live.set(target, rows);
      this.#ends.set(key, this.#motion.watch(target, property, (sample) => {
        rows.set(property, sample);
        if (sample.time >= this.#time) this.time = sample.time;
        this.#changed();
      }));
    }
    this.unwatched = Math.max(0, properties.length - this.#ends.size);
    this.dispatchEvent(new Event("change"));
    this.#changed();
  }

  /** At most once for each picture of the browser. */
  #changed() {
    if (this.#isDue) return;
    this.#isDue = true;
    requestAnimationFrame(() => {
      this.#isDue = false;
      this.dispatchEvent(new Event("sample"));
    });
  }

  // The past

  /** Loads the moment of the address. While one is on its way, the next one waits, and only the newest one. */
  async #load() {
    if (place.moment === null) {
      this.#loaded = null;
      if (this.#past || this.problem) this.#show(null, null, "");
      return;
    }
    if (this.#isLoading || this.#motion.connection !== "open" || this.#loaded === place.moment) return;
    this.#isLoading = true;
    const asked = place.moment;
    let [answer, problem] = [/** @type {any} */ (null), ""];
    try {
      answer = await this.#motion.call("list", { of: "properties", at: String(asked) });
    } catch (error) { problem = error instanceof Error ? error.message : String(error); }
    this.#isLoading = false;
    // Back in the present, it is loaded again when it is asked for again.
    if (place.moment === null) return;
    this.#loaded = asked;
    if (place.moment !== asked) this.#load();
    if (answer) this.#show(answer, targets(answer), ""); else this.#show(this.moment, this.#past, problem);
  }

  /**
   * @param {any} moment
   * @param {Targets | null} past
   * @param {string} problem
   */
  #show(moment, past, problem) {
    this.moment = moment && { frame: moment.frame, time: moment.time, wallTime: moment.wallTime ?? null };
    [this.#past, this.problem] = [past, problem];
    this.dispatchEvent(new Event("past"));
    this.dispatchEvent(new Event("change"));
    this.#changed();
  }
}

/**
 * The values of an answer of `list`.
 * @param {{frame: number, time: number, rows: any[]}} answer
 * @returns {Targets}
 */
function targets({ frame, time, rows }) {
  /** @type {Targets} */
  const found = new Map();
  for (const { target, property, value, velocity } of rows) {
    const group = found.get(target) ?? new Map();
    found.set(target, group.set(property, { frame, time, value, velocity, omitted: 0 }));
  }
  return found;
}
