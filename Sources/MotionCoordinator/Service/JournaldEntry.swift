import Logging

/// An entry of systemd's log in journald's own protocol: named fields, of which the text is only one.
///
/// The format is that of <https://systemd.io/JOURNAL_NATIVE_PROTOCOL/>. (It has nothing to do with motiond's journal of
/// transactions.)
struct JournaldEntry {
  /// The longest name that journald takes; it drops fields with longer ones.
  static let longestName = 64

  /// The fields, encoded.
  private(set) var bytes: [UInt8] = []

  /// Adds a field. A value may hold anything; a name that journald would not accept is converted to one that it
  /// accepts.
  mutating func add(_ name: String, _ value: String) {
    bytes += Self.name(from: name)
    if value.utf8.contains(UInt8(ascii: "\n")) {
      bytes.append(UInt8(ascii: "\n"))
      withUnsafeBytes(of: UInt64(value.utf8.count).littleEndian) { bytes += $0 }
    } else {
      bytes.append(UInt8(ascii: "="))
    }
    bytes += value.utf8
    bytes.append(UInt8(ascii: "\n"))
  }

  /// A name that journald accepts: capital letters, digits and underscores, with a letter at the beginning.
  private static func name(from text: String) -> [UInt8] {
    var name = text.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - 32
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): byte
      default: UInt8(ascii: "_")
      }
    }
    if let first = name.first, !(UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first) {
      name.insert(UInt8(ascii: "X"), at: 0)
    }
    return Array(name.prefix(longestName))
  }
}

extension JournaldEntry {
  /// The entry of a log event: the text, its priority, its source, and each piece of metadata as a field of its own,
  /// `plugin` as `MOTIOND_PLUGIN`.
  init(_ event: LogEvent, metadata: Logger.Metadata, label: String) {
    add("PRIORITY", "\(event.level.syslogPriority)")
    add("SYSLOG_IDENTIFIER", label)
    add("MESSAGE", event.message.description)
    for (key, value) in metadata.sorted(by: { $0.key < $1.key }) { add("MOTIOND_\(key)", value.description) }
    if let error = event.error { add("MOTIOND_ERROR", "\(error)") }
    add("CODE_FILE", event.file)
    add("CODE_LINE", "\(event.line)")
    add("CODE_FUNC", event.function)
  }
}

extension Logger.Level {
  /// The number of the level in syslog and journald: 7 for debug down to 2 for critical.
  var syslogPriority: Int {
    switch self {
    case .trace, .debug: 7
    case .info: 6
    case .notice: 5
    case .warning: 4
    case .error: 3
    case .critical: 2
    }
  }
}
