public import MotionModel

/// A recording of pointer events, read from a file: JSON lines, one event each, in the order of their times.
///
///     {"time": 0, "target": "ball", "device": "hand", "pointer": 1, "phase": "down", "at": [103.5, 99]}
///     {"time": 0.016, "target": "ball", "device": "hand", "pointer": 1, "phase": "move", "at": [105, 98]}
///
/// | key | meaning |
/// |---|---|
/// | `time` | seconds from the beginning of the recording, 0 or more, not falling |
/// | `target` | the target that is pointed at; optional if the player of the file provides one |
/// | `device` | distinguishes the pointers of several devices; `trace` if it is left out |
/// | `pointer` | which pointer of the device, a whole number from 0 |
/// | `phase` | `down`, `move`, `up` or `cancel` |
/// | `at` | the location: x and y, in the units of the target's position |
///
/// Empty lines are skipped. The phases may come in any order, as a device may lose some.
public struct PointerTraceFile: Hashable, Sendable {
  /// The device of lines that name none.
  public static let defaultDevice: DeviceName = "trace"

  /// One line: one event of one pointer.
  public struct Entry: Hashable, Sendable {
    /// The target that it points at.
    public var target: TargetName
    /// The device.
    public var device: DeviceName
    /// The event, at seconds from the beginning of the recording.
    public var event: PointerEvent

    /// Creates an event of a pointer of `device` on `target`.
    public init(_ target: TargetName, from device: DeviceName = PointerTraceFile.defaultDevice, _ event: PointerEvent) {
      self.target = target
      self.device = device
      self.event = event
    }
  }

  /// The lines, in the order of their times.
  public var entries: [Entry]

  /// Creates a recording of `entries`, whose times are finite and do not fall.
  public init(_ entries: [Entry]) { self.entries = entries }

  /// Reads a file. Linear in its size.
  ///
  /// - Parameters:
  ///   - bytes: the file's contents, at most ``/MotionModel/Limits/pointerTraceBytes``.
  ///   - name: the file's name, for the errors.
  ///   - target: the target of lines that name none; without it, every line must name one.
  /// - Throws: ``FileErrors`` with all errors: line, column, field and remedy.
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

  /// Returns the file's text. Reading it gives the same recording.
  public func encoded() -> String { entries.map { $0.layout.line + "\n" }.joined() }
}

extension PointerTraceFile.Entry {
  /// The entry in the form of a file.
  var layout: JSONLayout {
    .object([
      (key: "time", value: .number(event.time)), (key: "target", value: .text(target.text)),
      (key: "device", value: .text(device.text)), (key: "pointer", value: .token(String(event.id))),
      (key: "phase", value: .text(event.phase.rawValue)),
      (key: "at", value: .array([.number(event.location.x), .number(event.location.y)])),
    ])
  }
}
