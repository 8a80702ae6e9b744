// The state of the page that stands in its address: the room and the selection. The only owner of both. Never a token.

/** @typedef {"stage" | "hierarchy"} Room */

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
  try { await fetch("/session", { method: "POST", body: token }); } catch { /* the connection says why */ }
}

/** Fires `change` after each change. */
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

  constructor() {
    super();
    this.#read();
    addEventListener("hashchange", () => { this.#read(); this.dispatchEvent(new Event("change")); });
  }

  /**
   * Selects a target or one of its properties.
   * @param {string | null} target
   * @param {string | null} [property]
   */
  select(target, property = null) {
    if (this.target === target && this.property === property) return;
    [this.target, this.property] = [target, property];
    history.replaceState(null, "", this.address(this.room));
    this.dispatchEvent(new Event("change"));
  }

  /**
   * The address of a room with the present selection.
   * @param {Room} room
   */
  address(room) {
    const fields = new URLSearchParams({ room });
    if (this.target) fields.set("target", this.target);
    if (this.property) fields.set("property", this.property);
    return `#${fields}`;
  }

  #read() {
    const fields = new URLSearchParams(location.hash.slice(1));
    this.room = fields.get("room") === "hierarchy" ? "hierarchy" : "stage";
    this.target = fields.get("target");
    this.property = fields.get("property");
  }
}

export const place = new Place();
