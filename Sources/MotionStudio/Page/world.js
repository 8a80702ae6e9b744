// The newest values of properties. The only owner of them; rooms read it when they draw.

/** @typedef {import("./motion.js").Motion} Motion */
/** @typedef {import("./protocol.js").Sample} Sample */

/** The most properties that are watched for the stage: more cannot be told apart. */
const mostWatched = 2000;

/** Fires `change` when targets or properties come or go, and `sample` for each frame with new values. */
export class World extends EventTarget {
  /** Properties by target. @type {Map<string, Map<string, Sample | null>>} */ targets = new Map();
  /** The simulated time of the newest value. */ time = 0;
  /** How many properties are not watched, because of the limit. */ unwatched = 0;
  /** @type {Motion} */ #motion;
  /** @type {Map<string, () => void>} */ #ends = new Map();
  #isDue = false;

  /** @param {Motion} motion */
  constructor(motion) {
    super();
    this.#motion = motion;
    motion.addEventListener("properties", () => this.#follow());
  }

  #follow() {
    const properties = this.#motion.properties;
    const present = new Set(properties.map(([target, property]) => `${target}/${property}`));
    for (const [key, end] of this.#ends) {
      if (present.has(key)) continue;
      end();
      this.#ends.delete(key);
      const at = key.lastIndexOf("/");
      const rows = this.targets.get(key.slice(0, at));
      rows?.delete(key.slice(at + 1));
      if (rows?.size === 0) this.targets.delete(key.slice(0, at));
    }
    for (const [target, property] of properties) {
      const key = `${target}/${property}`;
      if (this.#ends.has(key) || this.#ends.size >= mostWatched) continue;
      const rows = this.targets.get(target) ?? new Map();
      rows.set(property, null);
      this.targets.set(target, rows);
      this.#ends.set(key, this.#motion.watch(target, property, (sample) => {
        rows.set(property, sample);
        this.time = sample.time;
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
}
