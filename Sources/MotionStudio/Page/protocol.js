// The messages of the protocol `foxglove.sdk.v1`, as motion-studio sends and takes them. No connection, no state.

/**
 * A value of a property at the end of a frame.
 * @typedef {object} Sample
 * @property {number} frame the frame
 * @property {number} time simulated seconds
 * @property {number[]} value a number for each lane
 * @property {number[]} velocity per second
 * @property {number} omitted newer values than the previous sample's that were left out before this one
 */

/**
 * A binary message of the server.
 * @typedef {{kind: "data", subscription: number, payload: DataView}
 *   | {kind: "time"}
 *   | {kind: "response", call: number, json: any}
 *   | {kind: "unknown"}} BinaryMessage
 */

/** The subprotocol. */
export const subprotocol = "foxglove.sdk.v1";
/** The channel of motion-studio that has the values of all subscriptions to properties, in one message for a frame. */
export const columnsChannel = 3;

/**
 * Reads a binary message.
 * @param {ArrayBuffer} buffer
 * @returns {BinaryMessage}
 */
export function readBinary(buffer) {
  const view = new DataView(buffer);
  if (view.byteLength === 0) return { kind: "unknown" };
  switch (view.getUint8(0)) {
    case 1:
      if (view.byteLength < 13) return { kind: "unknown" };
      return { kind: "data", subscription: view.getUint32(1, true), payload: new DataView(buffer, 13) };
    case 2:
      return { kind: "time" };
    case 3: {
      if (view.byteLength < 13) return { kind: "unknown" };
      const start = 13 + view.getUint32(9, true);
      if (start > view.byteLength) return { kind: "unknown" };
      const text = new TextDecoder().decode(new Uint8Array(buffer, start));
      return { kind: "response", call: view.getUint32(5, true), json: JSON.parse(text) };
    }
    default:
      return { kind: "unknown" };
  }
}

/**
 * The call of a service with a request in JSON.
 * @param {number} service
 * @param {number} call
 * @param {unknown} request
 * @returns {ArrayBuffer}
 */
export function callMessage(service, call, request) {
  const encoding = new TextEncoder().encode("json");
  const payload = new TextEncoder().encode(JSON.stringify(request));
  const bytes = new Uint8Array(13 + encoding.length + payload.length);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, 2);
  view.setUint32(1, service, true);
  view.setUint32(5, call, true);
  view.setUint32(9, encoding.length, true);
  bytes.set(encoding, 13);
  bytes.set(payload, 13 + encoding.length);
  return bytes.buffer;
}

/**
 * Reads values in columns.
 * @param {ArrayBuffer} buffer a message of the channel `columnsChannel`
 * @param {(subscription: number, sample: Sample) => void} each is called for each value
 */
export function readColumns(buffer, each) {
  // Numbers stand at multiples of their size in a copy without the head.
  const bytes = buffer.slice(13);
  const [rows, lanes] = new Uint32Array(bytes, 0, 2);
  const frames = new Float64Array(bytes, 8, rows);
  const times = new Float64Array(bytes, 8 + 8 * rows, rows);
  const values = new Float64Array(bytes, 8 + 16 * rows, lanes);
  const velocities = new Float64Array(bytes, 8 + 16 * rows + 8 * lanes, lanes);
  const whole = new Uint32Array(bytes, 8 + 16 * (rows + lanes), 3 * rows);
  let lane = 0;
  for (let row = 0; row < rows; row += 1) {
    const end = lane + whole[rows + row];
    each(whole[row], {
      frame: frames[row], time: times[row], value: [...values.subarray(lane, end)],
      velocity: [...velocities.subarray(lane, end)], omitted: whole[2 * rows + row],
    });
    lane = end;
  }
}

/**
 * Reads `foxglove.Log` (JSON).
 * @param {DataView} view
 * @returns {{level: number, message: string, name: string}}
 */
export function readLine(view) { return JSON.parse(new TextDecoder().decode(view)); }

/**
 * The member `at` of a request; without one, the present is meant.
 * @param {string | number | null} [at]
 * @returns {{at?: string}}
 */
export function moment(at) { return at === null || at === undefined ? {} : { at: String(at) }; }
