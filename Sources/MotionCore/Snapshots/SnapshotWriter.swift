import MotionModel

/// Writes the bytes of a snapshot: numbers of variable length, and doubles by their bits.
///
/// What one type writes, the initialiser or method beside it reads in the same order, from a ``SnapshotReader``.
struct SnapshotWriter {
  private(set) var bytes: [UInt8] = []

  /// Writes a number in groups of seven bits, the lowest first.
  mutating func write(_ number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  mutating func write(_ number: Int) { write(UInt64(number)) }

  mutating func write(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

  mutating func write(_ number: Double) {
    withUnsafeBytes(of: number.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func write(_ text: String) {
    let units = text.utf8
    write(units.count)
    bytes.append(contentsOf: units)
  }

  /// Writes a vector: which lanes are other than 0, and those.
  mutating func write(_ vector: SIMD4<Double>) {
    var mask: UInt8 = 0
    for lane in 0..<4 where vector[lane].bitPattern != 0 { mask |= 1 << lane }
    bytes.append(mask)
    for lane in 0..<4 where mask & 1 << lane != 0 { write(vector[lane]) }
  }

  mutating func write(_ lanes: Lanes) {
    bytes.append(UInt8(lanes.count))
    write(lanes.storage)
  }

  mutating func write(_ state: PropertyState) {
    write(state.value)
    write(state.velocity.storage)
  }

  mutating func write(_ frame: Frame) {
    write(frame.number)
    write(frame.time)
    write(frame.dt)
  }

  mutating func write(_ executor: ExecutorHandle) { write(UInt64(executor.rawValue)) }

  mutating func write(_ identity: IntentionIdentity) {
    write(identity.sequence)
    write(UInt64(identity.operation))
    write(identity.path) { $0.write(UInt64($1)) }
  }

  mutating func write(_ worker: WorkerAddress) {
    write(worker.plugin.text)
    write(worker.instance)
  }

  mutating func write<Value>(_ value: Value?, _ body: (inout SnapshotWriter, Value) -> Void) {
    write(value != nil)
    if let value { body(&self, value) }
  }

  mutating func write<Values: Collection>(_ values: Values, _ body: (inout SnapshotWriter, Values.Element) -> Void) {
    write(values.count)
    for value in values { body(&self, value) }
  }
}
