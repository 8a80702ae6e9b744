import MotionModel

extension PointerTrace {
  /// The largest trace that is read, in bytes: a minute of ten fingers at 240 events a second is 13 MB.
  public static let largestBytes = 16 << 20

  /// Reads a trace from its text. Empty lines count as lines and say nothing.
  public init(parsing text: [UInt8]) throws(PointerTraceError) {
    guard text.count <= Self.largestBytes else {
      throw PointerTraceError(
        line: 1, "a trace of \(text.count) bytes", remedy: "give at most \(Self.largestBytes)")
    }
    var events: [Event] = []
    var lines: [Int] = []
    for (index, line) in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
    where !line.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") }) {
      events.append(try Self.event(Array(line), line: index + 1))
      lines.append(index + 1)
    }
    do {
      try self.init(events)
    } catch {
      let line = lines.indices.contains(error.line - 1) ? lines[error.line - 1] : 1
      throw PointerTraceError(line: line, error.problem, remedy: error.remedy)
    }
  }

  private static func event(_ text: [UInt8], line: Int) throws(PointerTraceError) -> Event {
    let remedy = #"write {"time": 0.016, "pointer": 1, "phase": "move", "at": [103.5, 99]}"#
    let document: JSONDocument
    do {
      document = try JSONDocument(text)
    } catch {
      throw PointerTraceError(
        line: line, "column \(error.position.column): found \(error.found), expected \(error.expected)", remedy: remedy)
    }
    guard case .object(let members) = document.root.content else {
      throw PointerTraceError(line: line, "\(document.root.inWords) is no event", remedy: remedy)
    }
    var time: Double?, pointer: Int?, phase: Phase?, location: SIMD2<Double>?
    for member in members {
      switch (member.key, member.value.content) {
      case ("time", .number(let seconds)): time = seconds
      case ("pointer", .number(let number)): pointer = Int(exactly: number)
      case ("phase", .string(let word)): phase = Phase(rawValue: word)
      case ("at", .array(let numbers)): location = point(numbers)
      default:
        throw PointerTraceError(
          line: line, "\"\(member.key)\": \(member.value.inWords) is not understood", remedy: remedy)
      }
    }
    guard let time, let pointer, let phase, let location else {
      throw PointerTraceError(line: line, "an event without time, pointer, phase or place", remedy: remedy)
    }
    return Event(time: time, pointer: pointer, phase: phase, location: location)
  }

  private static func point(_ numbers: [JSONValue]) -> SIMD2<Double>? {
    guard numbers.count == 2, case .number(let x) = numbers[0].content, case .number(let y) = numbers[1].content else {
      return nil
    }
    return SIMD2(x, y)
  }
}
