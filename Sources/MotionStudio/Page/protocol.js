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
 * Reads `motion.v1.PropertySample` (protobuf). Fields of later versions are skipped.
 * @param {DataView} view
 * @returns {Sample}
 */
export function readSample(view) {
  /** @type {Sample} */
  const sample = { frame: 0, time: 0, value: [], velocity: [], omitted: 0 };
  let offset = 0;
  const varint = () => {
    let [result, factor] = [0, 1];
    for (;;) {
      const byte = view.getUint8(offset++);
      result += (byte & 0x7f) * factor;
      if (byte < 0x80) return result;
      factor *= 128;
    }
  };
  while (offset < view.byteLength) {
    const tag = varint();
    const [field, type] = [Math.floor(tag / 8), tag % 8];
    if (type === 0) {
      const number = varint();
      if (field === 1) sample.frame = number;
      if (field === 5) sample.omitted = number;
    } else if (type === 1) {
      const number = view.getFloat64(offset, true);
      offset += 8;
      if (field === 2) sample.time = number;
      if (field === 3) sample.value.push(number);
      if (field === 4) sample.velocity.push(number);
    } else if (type === 2) {
      const end = varint() + offset;
      const lanes = field === 3 ? sample.value : field === 4 ? sample.velocity : null;
      if (lanes) for (; offset < end; offset += 8) lanes.push(view.getFloat64(offset, true));
      offset = end;
    } else if (type === 5) {
      offset += 4;
    } else {
      throw new RangeError(`wire type ${type} in a sample`);
    }
  }
  return sample;
}

/**
 * Reads `foxglove.Log` (JSON).
 * @param {DataView} view
 * @returns {{level: number, message: string, name: string}}
 */
export function readLine(view) { return JSON.parse(new TextDecoder().decode(view)); }
