/// A recording of what pointers did, as a file says it: JSON lines, one event each, in the order of their times.
///
///     {"time": 0, "target": "ball", "device": "hand", "pointer": 1, "phase": "down", "at": [103.5, 99]}
///     {"time": 0.016, "target": "ball", "device": "hand", "pointer": 1, "phase": "move", "at": [105, 98]}
///
/// | key | meaning |
/// |---|---|
/// | `time` | seconds from the beginning of the recording, 0 or more, not falling |
/// | `target` | the target that is pointed at; it may be left out where whoever plays the file says one |
/// | `device` | tells the pointers of several devices apart; `trace` if it is left out |
/// | `pointer` | which pointer of the device, a whole number from 0 |
/// | `phase` | `down`, `move`, `up` or `cancel` |
/// | `at` | where: x and y, in the units of the target's position |
///
/// Empty lines are skipped. The phases may come in any order, as a device may lose some.
public struct PointerTraceFile: Hashable, Sendable {
  /// The device of lines that name none.
  public static let defaultDevice: DeviceName = "trace"

  /// One line: what one pointer did.
  public struct Entry: Hashable, Sendable {
    /// The target that it points at.
    public var target: TargetName
    /// The device.
    public var device: DeviceName
    /// What it did, at seconds from the beginning of the recording.
    public var event: PointerEvent

    /// What a pointer of `device` did to `target`.
    public init(_ target: TargetName, from device: DeviceName = PointerTraceFile.defaultDevice, _ event: PointerEvent) {
      self.target = target
      self.device = device
      self.event = event
    }
  }

  /// The lines, in the order of their times.
  public var entries: [Entry]

  /// A recording of `entries`, whose times are finite and do not fall.
  public init(_ entries: [Entry]) { self.entries = entries }

  /// Reads a file. Linear in its size.
  ///
  /// - Parameters:
  ///   - bytes: what the file holds, at most ``Limits/pointerTraceBytes``.
  ///   - name: the file's name, for the errors.
  ///   - target: the target of lines that name none; without it, each has to.
  /// - Throws: ``FileErrors`` with everything that is wrong: line, column, field and remedy.
  public init(_ bytes: [UInt8], named name: String, target: TargetName? = nil) throws(FileErrors) {
    guard bytes.count <= Limits.pointerTraceBytes else {
      throw FileErrors([
        FileError(
          file: name, position: TextPosition(line: 1, column: 1), message: "\(bytes.count) bytes are too many",
          remedy: "Use at most \(Limits.pointerTraceBytes).")
      ])
    }
    var lines = PointerTraceLines(name: name, target: target)
    for (index, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
      guard !line.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\t") })
      else { continue }
      lines.read(Array(line), number: index + 1)
      if lines.errors.count >= Limits.fileErrors { break }
    }
    guard lines.errors.isEmpty else { throw FileErrors(lines.errors) }
    entries = lines.entries
  }

  /// The file's text. Reading it gives the same recording.
  public func encoded() -> String { entries.map { $0.layout.line + "\n" }.joined() }
}

extension PointerTraceFile.Entry {
  /// The entry as files say it.
  var layout: JSONLayout {
    .object([
      (key: "time", value: .number(event.time)), (key: "target", value: .text(target.text)),
      (key: "device", value: .text(device.text)), (key: "pointer", value: .token(String(event.id))),
      (key: "phase", value: .text(event.phase.rawValue)),
      (key: "at", value: .array([.number(event.location.x), .number(event.location.y)])),
    ])
  }
}
