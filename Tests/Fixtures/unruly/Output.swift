import Glibc

/// Writes to descriptors at once, with no buffer in between that a crash would lose.
enum Output {
  /// A line about the plugin itself, on standard error.
  static func say(_ text: String) { write(Array("unruly: \(text)\n".utf8), to: STDERR_FILENO) }

  /// Arbitrary bytes; those that cannot be written are dropped.
  static func write(_ bytes: [UInt8], to descriptor: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 || errno == EINTR else { return }
      rest = rest.dropFirst(max(count, 0))
    }
  }
}
