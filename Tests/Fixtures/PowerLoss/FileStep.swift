import MotionTestKit
package import PowerLossVFS

/// A step on a file of a journal, as the layer below SQLite recorded it.
package struct FileStep {
  package var kind: motion_file_step_kind
  var path: String
  var offset: Int
  var bytes: [UInt8]

  init(_ step: motion_file_step) {
    (kind, path, offset) = (step.kind, String(cString: step.path), Int(step.offset))
    bytes = step.bytes.map { Array(UnsafeBufferPointer(start: $0, count: step.count)) } ?? []
  }

  /// Whether the step makes data durable that may not have been before.
  package var isSync: Bool { kind == MOTION_FILE_SYNC || kind == MOTION_NAMES_SYNC }

  /// Applies the step to the bytes of a file.
  func apply(to bytes: inout [UInt8]) {
    guard kind == MOTION_FILE_WRITE else {
      if offset < bytes.count { bytes.removeLast(bytes.count - offset) }
      bytes += [UInt8](repeating: 0, count: max(0, offset - bytes.count))
      return
    }
    let end = offset + self.bytes.count
    if bytes.count < end { bytes += [UInt8](repeating: 0, count: end - bytes.count) }
    bytes.replaceSubrange(offset..<end, with: self.bytes)
  }

  /// Some of the sectors that a write touches, of 512 bytes or of 4096.
  func torn(_ random: inout SeededRandom) -> [FileStep] {
    guard kind == MOTION_FILE_WRITE else { return Bool.random(using: &random) ? [self] : [] }
    let sector = Bool.random(using: &random) ? 512 : 4096
    var parts: [FileStep] = []
    var start = offset
    let end = offset + bytes.count
    while start < end {
      let next = min(end, (start / sector + 1) * sector)
      if Bool.random(using: &random) {
        var part = self
        part.offset = start
        part.bytes = Array(bytes[(start - offset)..<(next - offset)])
        parts.append(part)
      }
      start = next
    }
    return parts
  }
}
