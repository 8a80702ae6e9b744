// A connection to motiond through motion-studio, for web programs. See docs/studio.md.
//
//     import { Motion } from "./motion.js";
//     const motion = new Motion();
//     motion.watch("ball", "position", ({ value }) => { element.style.translate = `${value[0]}px ${value[1]}px`; });
//     await motion.commit({ transaction: [{ add: { type: "SpringTo", property: "position", destination: [100, 50] }, to: "ball" }] });

import { PointerQueue } from "./pointers.js";
import { callMessage, columnsChannel, moment, readBinary, readColumns, readLine, subprotocol } from "./protocol.js";

/** @typedef {import("./protocol.js").Sample} Sample */
/**
 * Whether motion can be seen and changed:
 * - `connecting`: the first connection is on its way
 * - `open`: motion-studio and motiond answer
 * - `closed`: motion-studio does not answer; the connection is retried, or continues
 * - `refused`: motion-studio answers, and does not admit this page: its token is missing or of an earlier start
 * - `absent`: motiond is gone; motion-studio waits for it
 * @typedef {"connecting" | "open" | "closed" | "refused" | "absent"} Connection
 */
/** @typedef {import("./pointers.js").PointerSample} PointerSample */
/** @typedef {{resolve: (json: any) => void, reject: (error: Error) => void, since: number}} Waiting */
/** @typedef {string | number} Moment A moment of the past: `-30s`, `12.5s`, `01:58:12`, or a number of simulated seconds. */
/** @typedef {{total: number, first: number, rows: any[], selected: number | null}} Page The rows from number `first` on. */
/** @typedef {{level: number, message: string, name: string}} Line A line of motiond's log: hand-overs, and plans that failed. */

/** Milliseconds without a message after which a connection counts as closed: motion-studio sends one each 250 ms. */
const silence = 800;
/** After so many it is made anew. */
const longSilence = 4000;
/** Milliseconds after which an answer of motiond is missed. */
const slowness = 900;
const longServices = new Set(["curves", "rows"]); // Their answers may take longer.
/** The interval of looks at these times, in milliseconds. */
const watchInterval = 50;
/** The interval of attempts to connect, in milliseconds. */
const retryInterval = 500;

/**
 * A connection that reconnects by itself. Events: `connection` (see {@link Motion#connection}), `properties` (there are
 * other properties), `clock`, `notice` (a `CustomEvent` with a text of motion-studio).
 */
export class Motion extends EventTarget {
  /** @type {Connection} */
  connection = "connecting";
  /** Why, in words for people; empty while all is well. Not empty while it is open: an answer of motiond is missed. */
  reason = "";
  /** @type {{speed: number, paused: boolean}} The clock as it was last received. */
  clock = { speed: 1, paused: false };
  /** Whether this viewer may change motion. */
  mayChange = false;

  /** @type {string} */ #address;
  /** @type {WebSocket | null} */ #socket = null;
  /** @type {Map<number, string>} Topics by channel. */ #topics = new Map();
  /** @type {Map<string, number>} Channels by topic. */ #channels = new Map();
  /** @type {Map<string, number>} Services by name. */ #services = new Map();
  /** @type {Map<string, {id: number, handlers: Set<(message: any) => void>}>} Subscriptions by topic. */ #watched = new Map();
  /** @type {Map<number, string>} Topics by subscription. */ #subscriptions = new Map();
  /** @type {Map<number, Waiting>} */ #calls = new Map();
  #next = 1;
  /** The subscription to values in columns. */ #columns = 0;
  #lastMessage = 0;
  #lastLook = 0;
  /** Whether the services are known. */ #isReady = false;
  /** Why motiond is absent; empty while it is not. */ #absence = "";
  #isEnded = false;
  /** @type {ReturnType<typeof setInterval>} */ #watchdog;
  #pointers = new PointerQueue((target, events) => this.call("input", { target, events }), (error) => this.#notice(error));

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
    this.#watchdog = setInterval(() => this.#look(), watchInterval);
  }

  /** Ends the connection. Pointers that are down are cancelled by motiond. */
  close() {
    this.#isEnded = true;
    clearInterval(this.#watchdog);
    this.#socket?.close();
  }

  /** @returns {[string, string][]} The properties that there are: target and property. */
  get properties() {
    return [...this.#channels.keys()].filter((topic) => topic.startsWith("values/")).map((topic) => [
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
  watch(target, property, handler) { return this.#follow(`values/${target}/${property}`, handler); }

  /**
   * Calls the handler with each line about hand-overs and plans that failed.
   * @param {(line: Line) => void} handler
   * @returns {() => void} ends it
   */
  log(handler) { return this.#follow("motiond/log", handler); }

  /**
   * @param {string} topic
   * @param {(message: any) => void} handler
   */
  #follow(topic, handler) {
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
   * Explains why a property has its value, or had it.
   * @param {string} target
   * @param {string} property
   * @param {Moment | null} [at]
   */
  why(target, property, at) { return this.call("why", { property: `${target}/${property}`, ...moment(at) }); }
  /**
   * Values and velocities of the last minutes, with the hand-overs.
   * @param {string[]} properties `target/property`, at most 32
   * @param {{from?: Moment, to?: Moment, points?: number}} range by default all that motiond has kept
   */
  curves(properties, range = {}) {
    const [from, to] = [moment(range.from).at, moment(range.to).at];
    return this.call("curves", { properties, from, to, points: range.points });
  }
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
   * @param {string | null} [target]
   * @param {Moment | null} [at]
   * @returns {Promise<any[]>}
   */
  async list(kind, target, at) {
    return (await this.call("list", { of: kind, ...(target ? { target } : {}), ...moment(at) })).rows;
  }

  /**
   * A part of the rows of all targets, each followed by its properties, that contain all words of `search`.
   * @param {{search?: string, first?: number, count?: number, target?: string | null, property?: string | null,
   *   moment?: Moment | null}} request with the selected target or property, whose number is wanted
   * @returns {Promise<Page>}
   */
  rows({ search = "", first = 0, count = 100, target, property, moment: at }) {
    return this.call("rows", {
      search, first, count, ...(target ? { target, ...(property ? { property } : {}) } : {}), ...moment(at),
    });
  }

  /**
   * Sends an event of a pointer on a target. Events wait while others are on their way, and are sent together with
   * their ages, so that velocities stay right.
   * @param {string} target
   * @param {PointerSample} event with its `time` of `performance.now()`
   */
  input(target, event) { this.#pointers.add(target, event); }

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
    const since = longServices.has(service) ? Infinity : performance.now();
    return new Promise((resolve, reject) => this.#calls.set(call, { resolve, reject, since }));
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
    // A message for each value would cost more than the value.
    this.#columns = this.#next++;
    this.#send({ op: "subscribe", subscriptions: [{ id: this.#columns, channelId: columnsChannel }] });
    this.#send({ op: "subscribeParameterUpdates", parameterNames: ["/clock/speed", "/clock/paused"] });
    this.#send({ op: "getParameters", parameterNames: ["/clock/speed", "/clock/paused"], id: "clock" });
    this.#absence = "";
  }

  /** Looks how long nothing has arrived. */
  #look() {
    const now = performance.now();
    // After a pause of the page itself, messages may wait that it has not read.
    const isLate = now - this.#lastLook > 8 * watchInterval;
    this.#lastLook = now;
    const socket = this.#socket;
    if (isLate || !this.#isReady || socket?.readyState !== WebSocket.OPEN) return;
    const quiet = now - this.#lastMessage;
    if (quiet > longSilence) {
      this.#lost();
      socket.close();
    } else if (quiet > silence) {
      this.#become("closed", "motion-studio does not answer");
    } else if (this.#absence) {
      this.#become("absent", this.#absence);
    } else {
      const isMissed = [...this.#calls.values()].some(({ since }) => now - since > slowness);
      this.#become("open", isMissed ? "motiond has not answered for a second" : "");
    }
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
    this.#isReady = false;
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
        this.#isReady = true;
        this.#become("open", "");
        break;
      case "parameterValues":
        for (const { name, value } of message.parameters) {
          if (name === "/clock/speed") this.clock.speed = value;
          if (name === "/clock/paused") this.clock.paused = value;
        }
        this.dispatchEvent(new Event("clock"));
        break;
      case "status":
        if (message.id === "motiond") this.#become("absent", this.#absence = message.message);
        else this.#notice(message.message);
        break;
      case "removeStatus":
        if (message.statusIds.includes("motiond")) this.#become("open", this.#absence = "");
        break;
      case "serviceCallFailure":
        this.#calls.get(message.callId)?.reject(new Error(message.message));
        this.#calls.delete(message.callId);
        break;
    }
  }

  /** @param {number} subscription @param {any} message */
  #pass(subscription, message) {
    for (const handler of this.#watched.get(this.#subscriptions.get(subscription) ?? "")?.handlers ?? []) handler(message);
  }

  /** @param {ArrayBuffer} buffer */
  #receiveBinary(buffer) {
    const message = readBinary(buffer);
    if (message.kind === "data" && message.subscription === this.#columns) {
      readColumns(buffer, (subscription, sample) => this.#pass(subscription, sample));
    } else if (message.kind === "data") {
      this.#pass(message.subscription, readLine(message.payload));
    } else if (message.kind === "response") {
      this.#calls.get(message.call)?.resolve(message.json);
      this.#calls.delete(message.call);
    }
  }
}
