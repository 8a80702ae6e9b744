import MotionModel

/// Reads the lines of a pointer trace, and collects the errors.
struct PointerTraceLines {
  private static let keys = ["time", "target", "device", "pointer", "phase", "at"]

  let name: String
  /// The target of lines that name none.
  let target: TargetName?
  private(set) var entries: [PointerTraceFile.Entry] = []
  private(set) var errors: [FileError] = []
  private var last = 0.0

  init(name: String, target: TargetName?) {
    self.name = name
    self.target = target
  }

  /// Reads one line, with its number from 1.
  mutating func read(_ line: [UInt8], number: Int) {
    let found: [FileError]
    do {
      var reader = try FileReader(line, named: name, limit: Limits.pointerTraceBytes)
      if let entry = entry(&reader), reader.errors.isEmpty {
        entries.append(entry)
        last = entry.event.time
      }
      found = reader.errors
    } catch {
      found = error.errors
    }
    for var error in found.prefix(Limits.fileErrors - errors.count) {
      error.position = TextPosition(line: number, column: error.position.column)
      errors.append(error)
    }
  }

  private func entry(_ reader: inout FileReader) -> PointerTraceFile.Entry? {
    let required = Self.keys.filter { $0 != "device" && ($0 != "target" || self.target == nil) }
    guard let members = reader.members(of: reader.root, known: Self.keys, required: required) else { return nil }
    let time = time(members["time"], &reader)
    // Beyond 2⁵³ a number of JSON is not exact.
    let id = reader.integer(members["pointer"], in: 0...1 << 53, field: "pointer")
    let phase: PointerEvent.Phase? = reader.choice(members["phase"], field: "phase")
    let location = location(members["at"], &reader)
    let target: TargetName? = members.has("target") ? reader.name(members["target"], field: "target") : self.target
    let device: DeviceName? =
      members.has("device") ? reader.name(members["device"], field: "device") : PointerTraceFile.defaultDevice
    guard let time, let id, let phase, let location, let target, let device else { return nil }
    return PointerTraceFile.Entry(
      target, from: device, PointerEvent(id: UInt64(id), phase, at: location, time: time))
  }

  private func time(_ value: JSONValue?, _ reader: inout FileReader) -> Double? {
    guard let value else { return nil }
    guard case .number(let time) = value.content, time >= 0 else {
      reader.report(
        "\(value.inWords) is not accepted here", "Use seconds from the beginning, 0 or more.", field: "time",
        at: value.offset)
      return nil
    }
    guard time >= last else {
      reader.report(
        "\(JSONText.number(time)) follows \(JSONText.number(last))", "Put the lines in the order of their times.",
        field: "time", at: value.offset)
      return nil
    }
    return time
  }

  private func location(_ value: JSONValue?, _ reader: inout FileReader) -> SIMD2<Double>? {
    guard let value else { return nil }
    if case .array(let numbers) = value.content, numbers.count == 2, case .number(let x) = numbers[0].content,
      case .number(let y) = numbers[1].content
    {
      return SIMD2(x, y)
    }
    reader.report(
      "\(value.inWords) is not accepted here", "Use two numbers, as in [103.5, 99].", field: "at", at: value.offset)
    return nil
  }
}
