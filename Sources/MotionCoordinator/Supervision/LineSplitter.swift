/// Makes lines of bytes as they come; what is beyond the limit of a line is thrown away.
struct LineSplitter {
  private let limit: Int
  private var line: [UInt8] = []

  init(limit: Int) { self.limit = limit }

  /// The lines that these bytes complete.
  mutating func add(_ bytes: UnsafeRawBufferPointer) -> [String] {
    var lines: [String] = []
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        lines.append(String(decoding: line, as: UTF8.self))
        line.removeAll(keepingCapacity: true)
      } else if line.count < limit {
        line.append(byte)
      }
    }
    return lines
  }

  /// The last line, if it has no end.
  mutating func finish() -> String? {
    defer { line = [] }
    return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
  }
}
