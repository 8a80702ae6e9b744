import MotionModel
import MotionWire

/// The format of an export: parts of a recording in, bytes out.
protocol ExportOutput {
  /// A frame of the recording begins; its events and values follow.
  mutating func add(_ frame: RecordedFrame)
  /// An event was applied in the frame.
  mutating func add(event: String, in frame: RecordedFrame)
  /// A property has another driver from this simulated time on.
  mutating func add(driver: String, of reference: PropertyReference, from time: Double, in frame: RecordedFrame)
  /// The state of a property after the frame.
  ///
  /// - Returns: whether there was room for the property.
  mutating func add(_ state: PropertyState, of reference: PropertyReference, after frame: RecordedFrame) -> Bool
  /// The export ends.
  mutating func finish()
  /// The bytes since the last call.
  mutating func take() -> [UInt8]
}

extension ExportEncoder: ExportOutput {}

/// An export as a table of values, with commas.
struct ValueTable: ExportOutput {
  private static let lanes = Limits.lanes
  private var text = ValueTable.heading
  private var drivers: [PropertyReference: String] = [:]

  private static let heading =
    (["frame", "time", "wall_time", "target", "property"] + (1...lanes).map { "value_\($0)" }
    + (1...lanes).map { "velocity_\($0)" } + ["driver"]).joined(separator: ",") + "\n"

  mutating func add(_ frame: RecordedFrame) {}

  mutating func add(event: String, in frame: RecordedFrame) {}

  mutating func add(driver: String, of reference: PropertyReference, from time: Double, in frame: RecordedFrame) {
    drivers[reference] = driver
  }

  mutating func add(_ state: PropertyState, of reference: PropertyReference, after frame: RecordedFrame) -> Bool {
    var cells = [
      "\(frame.frame.number)", "\(frame.frame.time)", frame.clocks.map { "\($0.wallTime)" } ?? "",
      reference.target.text, reference.property.text,
    ]
    for lanes in [state.value, state.velocity] {
      cells += (0..<Self.lanes).map { $0 < lanes.count ? "\(lanes[$0])" : "" }
    }
    cells.append(Self.quoted(drivers[reference] ?? ""))
    text += cells.joined(separator: ",") + "\n"
    return true
  }

  mutating func finish() {}

  mutating func take() -> [UInt8] {
    defer { text = "" }
    return Array(text.utf8)
  }

  /// A name of an intention may hold any character.
  private static func quoted(_ text: String) -> String {
    guard text.contains(where: { ",\"\n\r".contains($0) }) else { return text }
    return "\"\(text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\""))\""
  }
}
