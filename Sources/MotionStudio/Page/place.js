// The state of the page that stands in its address: the room, the selection, the moment, and the view of the Timeline. The
// only owner of them. Never a token.

/** @typedef {"stage" | "hierarchy" | "timeline" | "graph"} Room */
/** @typedef {{time: number, text: string}} Marker A marker of the Timeline. */
/**
 * What the Timeline shows.
 * @typedef {object} View
 * @property {string[]} shown the properties with curves, as `ball/position`; empty for those of the selected target
 * @property {number | null} from simulated seconds at the left edge; null while the newest ones are followed
 * @property {number} span seconds from edge to edge
 * @property {number | null} a the cursor A
 * @property {number | null} b the cursor B
 * @property {Marker[]} markers
 */

export const rooms = /** @type {const} */ (["stage", "hierarchy", "timeline", "graph"]);

/** Milliseconds that changes wait until they stand in the address: browsers limit how often it may change. */
const writeDelay = 150;
/** How often a token is sent: a network that changes ends what is under way. */
const exchanges = 4;
/** The seconds that the Timeline shows at first. */
const firstSpan = 10;

/**
 * Exchanges the token of the address for a cookie, and removes it from the address.
 * @returns {Promise<void>}
 */
export async function exchangeToken() {
  const fields = new URLSearchParams(location.hash.slice(1));
  const token = fields.get("token");
  if (!token) return;
  fields.delete("token");
  history.replaceState(null, "", `#${fields}`);
  for (let attempt = 0; attempt < exchanges; attempt += 1) {
    try {
      await fetch("/session", { method: "POST", body: token });
      return;
    } catch { await new Promise((resolve) => { setTimeout(resolve, 500); }); }
  }
  // The line about the connection shows the reason.
}

/** Fires `change` after each change of room, selection or moment, and `view` after each change of what the Timeline shows. */
class Place extends EventTarget {
  /** @type {Room} */ room = "stage";
  /**
   * The selected target.
   * @type {string | null}
   */
  target = null;
  /**
   * The selected property of it.
   * @type {string | null}
   */
  property = null;
  /**
   * The moment of the past that all rooms show, in simulated seconds; null for the present.
   * @type {number | null}
   */
  moment = null;
  /** @type {View} */ view = { shown: [], from: null, span: firstSpan, a: null, b: null, markers: [] };
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #writing;

  constructor() {
    super();
    this.#read();
    addEventListener("hashchange", () => {
      clearTimeout(this.#writing);
      this.#read();
      this.#changed("view");
      this.#changed("change");
    });
  }

  /**
   * Selects a target or one of its properties.
   * @param {string | null} target
   * @param {string | null} [property]
   */
  select(target, property = null) {
    if (this.target === target && this.property === property) return;
    [this.target, this.property] = [target, property];
    this.#changed("change");
  }

  /**
   * Shows a moment of the past, or the present.
   * @param {number | null} moment
   */
  look(moment) {
    // Not before the frame of that time, although the address has microseconds only.
    const rounded = moment === null ? null : Math.ceil(moment * 1e6 - 1e-3) / 1e6;
    if (this.moment === rounded) return;
    this.moment = rounded;
    this.#changed("change");
  }

  /**
   * Goes to a room. The browser's way back leads to the former one.
   * @param {Room} room
   */
  enter(room) {
    if (this.room === room) return;
    this.#write();
    this.room = room;
    history.pushState(null, "", this.address(room));
    this.#changed("change");
  }

  /**
   * Changes what the Timeline shows.
   * @param {Partial<View>} part
   */
  show(part) {
    this.view = { ...this.view, ...part };
    this.#changed("view");
  }

  /**
   * The address of a room with the present selection, moment and view.
   * @param {Room} room
   */
  address(room) {
    const fields = new URLSearchParams({ room });
    const { shown, from, span, a, b, markers } = this.view;
    /** @param {string} name @param {string | number | null} value */
    const set = (name, value) => { if (value !== null) fields.set(name, typeof value === "number" ? short(value) : value); };
    set("target", this.target);
    set("property", this.property);
    set("at", this.moment);
    for (const key of shown) fields.append("show", key);
    set("from", from);
    if (span !== firstSpan) set("span", span);
    set("a", a);
    set("b", b);
    for (const { time, text } of markers) fields.append("mark", `${short(time)} ${text}`);
    return `#${fields}`;
  }

  /** @param {"change" | "view"} name */
  #changed(name) {
    clearTimeout(this.#writing);
    this.#writing = setTimeout(() => this.#write(), writeDelay);
    this.dispatchEvent(new Event(name));
  }

  #write() {
    clearTimeout(this.#writing);
    const address = this.address(this.room);
    if (address !== location.hash) history.replaceState(null, "", address);
  }

  #read() {
    const fields = new URLSearchParams(location.hash.slice(1));
    /** @param {string} name */
    const number = (name) => {
      const value = Number.parseFloat(fields.get(name) ?? "");
      return Number.isFinite(value) ? value : null;
    };
    this.room = rooms.find((room) => room === fields.get("room")) ?? "stage";
    this.target = fields.get("target");
    this.property = fields.get("property");
    this.moment = number("at");
    const span = number("span") ?? firstSpan;
    this.view = {
      shown: fields.getAll("show"), from: number("from"), span: span > 0 ? span : firstSpan, a: number("a"), b: number("b"),
      markers: fields.getAll("mark").flatMap((text) => {
        const time = Number.parseFloat(text);
        return Number.isFinite(time) ? [{ time, text: text.replace(/^\S+\s?/, "") }] : [];
      }),
    };
  }
}

/**
 * Microseconds are enough in an address.
 * @param {number} value
 */
function short(value) { return String(Math.round(value * 1e6) / 1e6); }

export const place = new Place();
