// A connection to motiond through motion-studio, for web programs. See docs/studio.md.
//
//     import { Motion } from "./motion.js";
//     const motion = new Motion();
//     motion.watch("ball", "position", ({ value }) => { element.style.translate = `${value[0]}px ${value[1]}px`; });
//     await motion.commit({ transaction: [{ add: { type: "SpringTo", property: "position", destination: [100, 50] }, to: "ball" }] });

import { callMessage, readBinary, readSample, subprotocol } from "./protocol.js";

/** @typedef {import("./protocol.js").Sample} Sample */
/**
 * Whether motion can be seen and changed:
 * - `connecting`: the first connection is on its way
 * - `open`: motion-studio and motiond answer
 * - `closed`: motion-studio does not answer; the connection is retried
 * - `refused`: motion-studio answers, and does not admit this page: its token is missing or of an earlier start
 * - `absent`: motiond is gone; motion-studio waits for it
 * @typedef {"connecting" | "open" | "closed" | "refused" | "absent"} Connection
 */
/**
 * An event of a pointer, in the units of the target's position.
 * @typedef {{pointer: number, phase: "down" | "move" | "up" | "cancel", at: [number, number], time?: number}} PointerSample
 */
/** @typedef {{resolve: (json: any) => void, reject: (error: Error) => void}} Waiting */

/**
 * Milliseconds without a message after which a connection counts as closed: motion-studio sends its time each second, or
 * after another second that motiond is gone.
 */
const silence = 3500;
/** The interval of attempts to connect, in milliseconds. */
const retryInterval = 500;

/**
 * A connection that reconnects by itself. Events: `connection` (see {@link Motion#connection}), `properties` (there are
 * other properties), `clock`, `notice` (a `CustomEvent` with a text of motion-studio).
 */
export class Motion extends EventTarget {
  /** @type {Connection} */
  connection = "connecting";
  /** Why, in words of motion-studio; empty while all is well. */
  reason = "";
  /** The clock as it was last received. @type {{speed: number, paused: boolean}} */
  clock = { speed: 1, paused: false };
  /** Whether this viewer may change motion. */
  mayChange = false;

  /** @type {string} */ #address;
  /** @type {WebSocket | null} */ #socket = null;
  /** Topics by channel. @type {Map<number, string>} */ #topics = new Map();
  /** Channels by topic. @type {Map<string, number>} */ #channels = new Map();
  /** Services by name. @type {Map<string, number>} */ #services = new Map();
  /** @type {Map<string, {id: number, handlers: Set<(sample: Sample) => void>}>} */ #watched = new Map();
  /** Topics by subscription. @type {Map<number, string>} */ #subscriptions = new Map();
  /** @type {Map<number, Waiting>} */ #calls = new Map();
  #next = 1;
  #lastMessage = 0;
  #isEnded = false;
  /** @type {ReturnType<typeof setInterval>} */ #watchdog;
  /** @type {Map<string, PointerSample[]>} */ #pointers = new Map();
  #sendsPointers = false;

  /**
   * Connects.
   * @param {{url?: string, token?: string}} options the address of motion-studio, by default the page's own; a viewer's
   *   token, which a page of motion-studio itself does not need: it has a cookie.
   */
  constructor({ url = location.origin, token } = {}) {
    super();
    const live = new URL("/live", url);
    live.protocol = live.protocol === "https:" ? "wss:" : "ws:";
    if (token) live.searchParams.set("token", token);
    this.#address = live.href;
    this.#connect();
    this.#watchdog = setInterval(() => {
      // While motiond is gone, motion-studio has no time to send.
      if (this.connection !== "open" || performance.now() - this.#lastMessage <= silence) return;
      const socket = this.#socket;
      this.#lost();
      socket?.close();
    }, 250);
  }

  /** Ends the connection. Pointers that are down are cancelled by motiond. */
  close() {
    this.#isEnded = true;
    clearInterval(this.#watchdog);
    this.#socket?.close();
  }

  /** The properties that there are: target and property. @returns {[string, string][]} */
  get properties() {
    return [...this.#channels.keys()].map((topic) => [
      topic.slice(7, topic.lastIndexOf("/")), topic.slice(topic.lastIndexOf("/") + 1),
    ]);
  }

  /**
   * Calls the handler with the present value, and with each new one, at most 60 times a second. The property need not
   * exist yet.
   * @param {string} target
   * @param {string} property
   * @param {(sample: Sample) => void} handler
   * @returns {() => void} ends it
   */
  watch(target, property, handler) {
    const topic = `values/${target}/${property}`;
    const before = this.#watched.get(topic);
    // Another subscription brings the present value for the new handler.
    if (before) this.#unsubscribe(before.id);
    const entry = { id: this.#next++, handlers: (before?.handlers ?? new Set()).add(handler) };
    this.#watched.set(topic, entry);
    this.#subscribe(topic);
    return () => {
      const present = this.#watched.get(topic);
      if (!present?.handlers.delete(handler) || present.handlers.size > 0) return;
      this.#watched.delete(topic);
      this.#unsubscribe(present.id);
    };
  }

  /**
   * Commits a transaction in the form of a transaction file; resolves to the receipt.
   * @param {object} file
   */
  commit(file) { return this.call("commit", file); }
  /** Pauses simulated time. */
  pause() { return this.call("pause"); }
  /** Resumes simulated time. */
  resume() { return this.call("resume"); }
  /**
   * Runs frames while paused.
   * @param {number} frames
   */
  step(frames = 1) { return this.call("step", { frames }); }
  /**
   * Stops targets, or everything.
   * @param {string[]} targets
   */
  stop(targets = []) { return this.call("stop", { targets }); }
  /**
   * Explains why a property has its value.
   * @param {string} target
   * @param {string} property
   */
  why(target, property) { return this.call("why", { property: `${target}/${property}` }); }
  /**
   * Sets the speed of simulated time.
   * @param {number} speed
   */
  speed(speed) {
    this.#send({ op: "setParameters", parameters: [{ name: "/clock/speed", value: speed, type: "float64" }], id: "speed" });
  }

  /**
   * The rows of `motionctl list`: `targets`, `properties`, `executors`, `intentions`, `plugins` and others.
   * @param {string} kind
   * @param {string} [target]
   * @returns {Promise<any[]>}
   */
  async list(kind, target) { return (await this.call("list", target ? { of: kind, target } : { of: kind })).rows; }

  /**
   * Sends an event of a pointer on a target. Events wait while others are on their way, and are sent together with
   * their ages, so that velocities stay right.
   * @param {string} target
   * @param {PointerSample} event with its `time` of `performance.now()`
   */
  input(target, event) {
    const queue = this.#pointers.get(target) ?? [];
    queue.push({ ...event, time: event.time ?? performance.now() });
    this.#pointers.set(target, queue);
    if (!this.#sendsPointers) this.#sendPointers();
  }

  /**
   * Calls a service.
   * @param {string} service
   * @param {object} request
   * @returns {Promise<any>}
   */
  call(service, request = {}) {
    const id = this.#services.get(`/motiond/${service}`);
    if (!this.#socket || this.#socket.readyState !== WebSocket.OPEN || id === undefined) {
      return Promise.reject(new Error(this.#socket && id === undefined && this.connection === "open"
        ? "this viewer may only look" : this.reason || "motion-studio is not connected"));
    }
    const call = this.#next++;
    this.#socket.send(callMessage(id, call, request));
    return new Promise((resolve, reject) => this.#calls.set(call, { resolve, reject }));
  }

  async #sendPointers() {
    this.#sendsPointers = true;
    for (;;) {
      const [first] = this.#pointers;
      if (!first) break;
      const [target, queue] = first;
      const part = queue.splice(0, 64);
      if (queue.length === 0) this.#pointers.delete(target);
      const now = performance.now();
      const events = part.map(({ time = now, ...event }) => ({
        ...event, age: Math.min(10, Math.max(0, (now - time) / 1000)),
      }));
      try { await this.call("input", { target, events }); } catch (error) {
        // The hand has moved on: what could not be sent is not sent later.
        this.#pointers.clear();
        this.#notice(String(error));
      }
    }
    this.#sendsPointers = false;
  }

  // The connection

  #connect() {
    if (this.#isEnded) return;
    const socket = new WebSocket(this.#address, subprotocol);
    socket.binaryType = "arraybuffer";
    this.#socket = socket;
    let wasOpen = false;
    socket.onopen = () => { wasOpen = true; this.#opened(); };
    socket.onmessage = ({ data }) => {
      if (this.#socket !== socket) return;
      this.#lastMessage = performance.now();
      if (typeof data === "string") this.#receive(JSON.parse(data)); else this.#receiveBinary(data);
    };
    socket.onclose = () => {
      if (this.#socket !== socket) return;
      if (wasOpen) this.#lost(); else this.#unopened();
    };
  }

  #opened() {
    this.#lastMessage = performance.now();
    this.#send({ op: "subscribeParameterUpdates", parameterNames: ["/clock/speed", "/clock/paused"] });
    this.#send({ op: "getParameters", parameterNames: ["/clock/speed", "/clock/paused"], id: "clock" });
    this.#become("open", "");
  }

  /** A browser does not tell why a connection failed: a request for the page does. */
  async #unopened() {
    let answers = false;
    try { answers = (await fetch("/", { method: "HEAD", cache: "no-store" })).ok; } catch { /* it is gone */ }
    this.#lost(answers ? "refused" : "closed");
  }

  /** @param {"refused" | "closed"} state */
  #lost(state = "closed") {
    if (this.#socket) this.#socket.onclose = null;
    this.#socket = null;
    for (const map of [this.#topics, this.#channels, this.#services, this.#subscriptions]) map.clear();
    this.#pointers.clear();
    const reason = state === "refused"
      ? "motion-studio does not admit this page: open the address that motionctl open prints"
      : "motion-studio does not answer; the connection is retried";
    for (const { reject } of this.#calls.values()) reject(new Error(reason));
    this.#calls.clear();
    this.#become(state, reason);
    setTimeout(() => this.#connect(), retryInterval);
  }

  /** @param {Connection} connection @param {string} reason */
  #become(connection, reason) {
    if (this.connection === connection && this.reason === reason) return;
    [this.connection, this.reason] = [connection, reason];
    this.dispatchEvent(new Event("connection"));
  }

  /** @param {string} text */
  #notice(text) { this.dispatchEvent(new CustomEvent("notice", { detail: text })); }

  // Messages

  /** @param {object} message */
  #send(message) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  /** @param {string} topic */
  #subscribe(topic) {
    const [channel, entry] = [this.#channels.get(topic), this.#watched.get(topic)];
    if (channel === undefined || !entry) return;
    this.#subscriptions.set(entry.id, topic);
    this.#send({ op: "subscribe", subscriptions: [{ id: entry.id, channelId: channel }] });
  }

  /** @param {number} id */
  #unsubscribe(id) {
    if (this.#subscriptions.delete(id)) this.#send({ op: "unsubscribe", subscriptionIds: [id] });
  }

  /** @param {any} message */
  #receive(message) {
    switch (message.op) {
      case "serverInfo":
        this.mayChange = message.metadata?.access === "write";
        break;
      case "advertise":
        for (const { id, topic } of message.channels) {
          if (!topic.startsWith("values/")) continue;
          this.#topics.set(id, topic);
          this.#channels.set(topic, id);
          this.#subscribe(topic);
        }
        this.dispatchEvent(new Event("properties"));
        break;
      case "unadvertise":
        for (const id of message.channelIds) {
          const topic = this.#topics.get(id) ?? "";
          this.#topics.delete(id);
          this.#channels.delete(topic);
          const entry = this.#watched.get(topic);
          if (entry) this.#subscriptions.delete(entry.id);
        }
        this.dispatchEvent(new Event("properties"));
        break;
      case "advertiseServices":
        for (const { id, name } of message.services) this.#services.set(name, id);
        break;
      case "parameterValues":
        for (const { name, value } of message.parameters) {
          if (name === "/clock/speed") this.clock.speed = value;
          if (name === "/clock/paused") this.clock.paused = value;
        }
        this.dispatchEvent(new Event("clock"));
        break;
      case "status":
        if (message.id === "motiond") this.#become("absent", message.message); else this.#notice(message.message);
        break;
      case "removeStatus":
        if (message.statusIds.includes("motiond")) this.#become("open", "");
        break;
      case "serviceCallFailure":
        this.#calls.get(message.callId)?.reject(new Error(message.message));
        this.#calls.delete(message.callId);
        break;
    }
  }

  /** @param {ArrayBuffer} buffer */
  #receiveBinary(buffer) {
    const message = readBinary(buffer);
    if (message.kind === "data") {
      const entry = this.#watched.get(this.#subscriptions.get(message.subscription) ?? "");
      if (!entry) return;
      const sample = readSample(message.payload);
      for (const handler of entry.handlers) handler(sample);
    } else if (message.kind === "response") {
      this.#calls.get(message.call)?.resolve(message.json);
      this.#calls.delete(message.call);
    }
  }
}
