/// Splits a stream of bytes into lines; bytes beyond the limit of a line are dropped, and the line states how many.
package struct LineSplitter {
  private let limit: Int
  private var line: [UInt8] = []
  /// Bytes of this line that were dropped.
  private var leftOut = 0

  /// A splitter with lines of at most `limit` bytes.
  package init(limit: Int) { self.limit = limit }

  /// The lines that these bytes complete.
  package mutating func add(_ bytes: UnsafeRawBufferPointer) -> [String] {
    var lines: [String] = []
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        lines.append(text)
        line.removeAll(keepingCapacity: true)
        leftOut = 0
      } else if line.count < limit {
        line.append(byte)
      } else {
        leftOut += 1
      }
    }
    return lines
  }

  /// The last line, if it has no end.
  package mutating func finish() -> String? {
    defer { (line, leftOut) = ([], 0) }
    return line.isEmpty ? nil : text
  }

  private var text: String {
    String(decoding: line, as: UTF8.self) + (leftOut > 0 ? " (\(leftOut) bytes left out)" : "")
  }
}
