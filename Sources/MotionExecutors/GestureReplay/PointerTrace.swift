/// A recorded touch: what pointers did on a surface, from the first one down until none is left.
///
/// As text, one JSON object a line: `{"time": 0.016, "pointer": 1, "phase": "move", "at": [103.5, 99]}`, with seconds
/// from the beginning of the touch, in rising order.
public struct PointerTrace: Hashable, Sendable {
  /// What a pointer does.
  public enum Phase: String, Hashable, Sendable, CaseIterable {
    /// It touches the surface.
    case down
    /// It moves on it.
    case move
    /// It leaves it.
    case up
    /// It is lost to something else.
    case cancel
  }

  /// A moment of one pointer.
  public struct Event: Hashable, Sendable {
    /// Seconds from the beginning of the trace.
    public var time: Double
    /// Which pointer.
    public var pointer: Int
    /// What it does.
    public var phase: Phase
    /// Where it is.
    public var location: SIMD2<Double>

    /// A moment of one pointer.
    public init(time: Double, pointer: Int, phase: Phase, location: SIMD2<Double>) {
      self.time = time
      self.pointer = pointer
      self.phase = phase
      self.location = location
    }
  }

  /// The events in the order of their times.
  public let events: [Event]

  /// A touch with these events.
  ///
  /// - Throws: ``PointerTraceError``, with the event counted as a line, unless times rise, pointers go down before they
  ///   move or leave, all leave at the end, and no event follows that.
  public init(_ events: [Event]) throws(PointerTraceError) {
    var down: Set<Int> = []
    var last = 0.0
    for (index, event) in events.enumerated() {
      let line = index + 1
      guard event.time.isFinite, event.time >= last else {
        throw PointerTraceError(line: line, "time \(event.time) follows \(last)", remedy: "let times rise from 0")
      }
      last = event.time
      guard event.location.x.isFinite, event.location.y.isFinite else {
        throw PointerTraceError(line: line, "a location that is not finite", remedy: "give two finite numbers")
      }
      switch event.phase {
      case .down where index > 0 && down.isEmpty:
        throw PointerTraceError(line: line, "a second touch begins", remedy: "end the trace when no pointer is down")
      case .down:
        guard down.insert(event.pointer).inserted else {
          throw PointerTraceError(line: line, "pointer \(event.pointer) is down already", remedy: "let it go up first")
        }
      case .move, .up, .cancel:
        guard down.contains(event.pointer) else {
          throw PointerTraceError(line: line, "pointer \(event.pointer) is not down", remedy: "let it go down first")
        }
        if event.phase != .move { down.remove(event.pointer) }
      }
    }
    guard !events.isEmpty, down.isEmpty else {
      throw PointerTraceError(
        line: events.count, events.isEmpty ? "no event" : "pointers are still down at the end",
        remedy: "begin with a pointer down and end with all of them up")
    }
    self.events = events
  }
}

/// Why a text is not a trace of a touch: where, what, and what to write instead.
public struct PointerTraceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The line, from 1.
  public let line: Int
  /// What is wrong.
  public let problem: String
  /// What would be right.
  public let remedy: String

  init(line: Int, _ problem: String, remedy: String) {
    self.line = line
    self.problem = problem
    self.remedy = remedy
  }

  /// The whole message in one line.
  public var description: String { "line \(line): \(problem); \(remedy)" }
}
