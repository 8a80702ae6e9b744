import MotionClient
import MotionModel

/// Builds the bytes that an input device would deliver, record by record.
struct EvdevStream {
  private(set) var bytes: [UInt8] = []
  /// The time of the next records.
  var time = 0.0

  /// A record with the present time.
  mutating func record(_ type: UInt16, _ code: UInt16, _ value: Int32) {
    let whole = time.rounded(.down)
    append(Int64(whole))
    append(Int64(((time - whole) * 1e6).rounded()))
    append(type)
    append(code)
    append(value)
  }

  mutating func slot(_ slot: Int32) { record(EvdevEvent.Kind.place, EvdevEvent.Code.slot, slot) }
  mutating func contact(_ contact: Int32) { record(EvdevEvent.Kind.place, EvdevEvent.Code.contact, contact) }
  mutating func place(x: Int32? = nil, y: Int32? = nil) {
    if let x { record(EvdevEvent.Kind.place, EvdevEvent.Code.contactX, x) }
    if let y { record(EvdevEvent.Kind.place, EvdevEvent.Code.contactY, y) }
  }
  mutating func way(x: Int32 = 0, y: Int32 = 0) {
    if x != 0 { record(EvdevEvent.Kind.way, EvdevEvent.Code.wayX, x) }
    if y != 0 { record(EvdevEvent.Kind.way, EvdevEvent.Code.wayY, y) }
  }
  mutating func button(_ value: Int32) { record(EvdevEvent.Kind.button, EvdevEvent.Code.leftButton, value) }
  mutating func report() { record(EvdevEvent.Kind.mark, EvdevEvent.Code.report, 0) }
  mutating func dropped() { record(EvdevEvent.Kind.mark, EvdevEvent.Code.dropped, 0) }

  private mutating func append(_ number: some FixedWidthInteger) {
    withUnsafeBytes(of: number) { bytes.append(contentsOf: $0) }
  }
}

extension EvdevDecoder {
  /// Takes `bytes` and returns all steps that follow from them, until more bytes are needed.
  mutating func steps(_ bytes: some Sequence<UInt8>) -> [Step] {
    append(bytes)
    var steps: [Step] = []
    while true {
      let step = next()
      if step == .needsMoreBytes { return steps }
      steps.append(step)
    }
  }

  /// The events among the steps that follow from `bytes`.
  mutating func events(_ bytes: some Sequence<UInt8>) -> [PointerEvent] {
    steps(bytes).flatMap { step in
      if case .events(let events) = step { return events }
      return []
    }
  }
}
