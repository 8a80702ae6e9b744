import Glibc
import MotionModel

/// Reads the lines of a script as they arrive.
struct ScriptReader {
  private static let chunk = 1 << 16
  /// The longest line in bytes: that of a transaction.
  static let longestLine = Limits.transactionFileBytes

  private let descriptor: Int32
  private let name: String
  private var bytes: [UInt8] = []
  private var next = 0
  private var isAtEnd = false

  /// A reader of an open file.
  init(_ descriptor: Int32, named name: String) {
    (self.descriptor, self.name) = (descriptor, name)
  }

  /// The next line without its end; `nil` at the end of the script.
  mutating func line() throws(Failure) -> [UInt8]? {
    var searched = next
    while true {
      if let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { next = end + 1 }
        return Self.line(bytes[next..<end])
      }
      if isAtEnd {
        defer { next = bytes.count }
        return next < bytes.count ? Self.line(bytes[next...]) : nil
      }
      bytes.removeFirst(next)
      next = 0
      searched = bytes.count
      guard bytes.count <= Self.longestLine else {
        throw Failure(.usage, "a line of \(name) has more than \(Self.longestLine >> 20) MiB")
      }
      try read()
    }
  }

  private mutating func read() throws(Failure) {
    try ShellSession.awaitReadable(descriptor)
    var buffer = [UInt8](repeating: 0, count: Self.chunk)
    let count = Glibc.read(descriptor, &buffer, buffer.count)
    guard count >= 0 else {
      if errno == EINTR || errno == EAGAIN { return }
      throw FileBytes.failure(name)
    }
    if count == 0 { isAtEnd = true }
    bytes += buffer[..<count]
  }

  private static func line(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    bytes.last == UInt8(ascii: "\r") ? Array(bytes.dropLast()) : Array(bytes)
  }
}
