// Events of pointers on their way to motiond. No connection of its own.

/**
 * An event of a pointer, in the units of the target's position.
 * @typedef {{pointer: number, phase: "down" | "move" | "up" | "cancel", at: [number, number], time?: number}} PointerSample
 */

/** The most events that are sent at once. */
const mostAtOnce = 64;
/** The oldest age of an event that is sent, in seconds. */
const oldest = 10;

/** Sends events of pointers while none is on its way, together with their ages, so that velocities stay right. */
export class PointerQueue {
  /** @type {(target: string, events: object[]) => Promise<any>} */ #send;
  /** @type {(problem: string) => void} */ #report;
  /** @type {Map<string, PointerSample[]>} */ #waiting = new Map();
  #isSending = false;

  /**
   * @param {(target: string, events: object[]) => Promise<any>} send
   * @param {(problem: string) => void} report
   */
  constructor(send, report) { [this.#send, this.#report] = [send, report]; }

  /**
   * @param {string} target
   * @param {PointerSample} event with its `time` of `performance.now()`
   */
  add(target, event) {
    const queue = this.#waiting.get(target) ?? [];
    queue.push({ ...event, time: event.time ?? performance.now() });
    this.#waiting.set(target, queue);
    if (!this.#isSending) this.#run();
  }

  /** Forgets what waits. */
  clear() { this.#waiting.clear(); }

  async #run() {
    this.#isSending = true;
    for (;;) {
      const [first] = this.#waiting;
      if (!first) break;
      const [target, queue] = first;
      const part = queue.splice(0, mostAtOnce);
      if (queue.length === 0) this.#waiting.delete(target);
      const now = performance.now();
      const events = part.map(({ time = now, ...event }) => ({
        ...event, age: Math.min(oldest, Math.max(0, (now - time) / 1000)),
      }));
      try { await this.#send(target, events); } catch (error) {
        // The hand has moved on: what could not be sent is not sent later.
        this.clear();
        this.#report(String(error));
      }
    }
    this.#isSending = false;
  }
}
