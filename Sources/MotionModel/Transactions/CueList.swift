/// A list of cues: transactions that are committed one after the other, each by a `go` or by the one before.
public struct CueList: Hashable, Sendable {
  /// One step of a show.
  public struct Cue: Hashable, Sendable {
    /// Its name, once in the list: a number such as `2.5`, or a word.
    public var name: CueName
    /// What it does. Selectors and recalls are resolved each time that it begins.
    public var content: Transaction
    /// How many simulated seconds after its `go` it begins.
    public var wait: Double
    /// How many simulated seconds after its beginning the next cue goes by itself; `nil` if that waits for a `go`.
    public var follow: Double?
    /// Its place on the timeline of the list, in the unit of that property.
    public var at: Double?

    /// Creates a cue.
    public init(
      _ name: CueName, _ content: Transaction = Transaction(), wait: Double = 0, follow: Double? = nil,
      at: Double? = nil
    ) {
      (self.name, self.content, self.wait, self.follow, self.at) = (name, content, wait, follow, at)
    }
  }

  /// The cues, in their order.
  public var cues: [Cue]
  /// The property that fires the cues with a place: a cue begins when the property rises past its place. Of several lanes,
  /// the first counts.
  public var timeline: PropertyReference?

  /// Creates a list.
  public init(_ cues: [Cue] = [], timeline: PropertyReference? = nil) {
    (self.cues, self.timeline) = (cues, timeline)
  }

  /// Whether it has no cues: a list that is set to this is gone.
  public var isEmpty: Bool { cues.isEmpty }
  /// The number of operations of all cues. Linear in the cues.
  public var operations: Int { cues.reduce(0) { $0 + $1.content.log.count } }
  /// The index of the cue of a name. Linear in the cues.
  public func index(of name: CueName) -> Int? { cues.firstIndex { $0.name == name } }
}

/// How far a list of cues has come.
public struct CuePosition: Hashable, Sendable {
  /// How often it has changed.
  public var step: UInt64
  /// The index of the cue that went last; `nil` before the first.
  public var current: Int?
  /// The simulated time at which that cue went, or was the last one again because the list was stopped while the next one
  /// waited; `nil` before the first, or where everything was stopped then.
  public var went: Double?
  /// Whether that cue waits, and begins at ``due``.
  public var waits: Bool
  /// The simulated time at which the list goes on by itself; `nil` if it does not.
  public var due: Double?
  /// The value of the timeline up to which its cues were fired; `nil` before the first value.
  public var passed: Double?
  /// Why what the cue that went last does was left out; `nil` if it was done.
  public var leftOut: String?

  /// Creates a position; without arguments, that before the first cue.
  public init(
    step: UInt64 = 0, current: Int? = nil, went: Double? = nil, waits: Bool = false, due: Double? = nil,
    passed: Double? = nil, leftOut: String? = nil
  ) {
    (self.step, self.current, self.went) = (step, current, went)
    (self.waits, self.due, self.passed, self.leftOut) = (waits, due, passed, leftOut)
  }

  /// The index of the cue that the next `go` begins.
  public var next: Int { current.map { $0 + 1 } ?? 0 }
}

/// What an operation on a list of cues sets.
public enum CueChange: Hashable, Sendable {
  /// The list, which replaces the former one and begins before its first cue; without cues, it is gone.
  case list(CueList)
  /// How far it has come.
  case position(CuePosition)
}

/// A command to a list of cues.
public enum CueStep: Hashable, Sendable {
  /// The next cue goes. A cue that waits begins at once.
  case go
  /// The state of the cue before the present one.
  case back
  /// The state of this cue: what it does, and the scenes of the cues before it.
  case goto(CueName)
  /// The list no longer goes on by itself. What is under way goes on.
  case stop
  /// The list goes on by itself, from this step.
  case due(UInt64)
  /// The timeline passes a cue, from this step.
  case fire(UInt64, cue: Int)
  /// The timeline jumps to a value, from this step.
  case jump(UInt64, to: Double)
  /// The list takes one of these three steps without what the cue does, because that is refused for a reason.
  indirect case missing(CueStep, String)

  /// Whether a client commands it, and not motiond itself.
  package var isCommand: Bool {
    switch self {
    case .go, .back, .goto, .stop: true
    case .due, .fire, .jump, .missing: false
    }
  }

  /// The step of the list from which it goes on by itself; `nil` for a command.
  package var origin: UInt64? {
    switch self {
    case .go, .back, .goto, .stop: nil
    case .due(let step), .fire(let step, _), .jump(let step, _): step
    case .missing(let step, _): step.origin
    }
  }
}

/// A list of cues with its name, as queries show it.
public struct CueListRow: Hashable, Sendable {
  /// Its name.
  public var list: CueListName
  /// The number of its cues.
  public var count: Int
  /// How far it has come.
  public var position: CuePosition
  /// The cue that went last, and the one that the next `go` begins.
  public var current, next: CueName?
  /// The cues; `nil` in a list of lists.
  public var content: CueList?

  /// Creates a row without content.
  public init(_ list: CueListName, count: Int, _ position: CuePosition, current: CueName?, next: CueName?) {
    (self.list, self.count, self.position, self.current, self.next) = (list, count, position, current, next)
  }

  /// Creates the row of a list.
  public init(_ name: CueListName, _ list: CueList, _ position: CuePosition, hasContent: Bool = true) {
    self.init(
      name, count: list.cues.count, position, current: position.current.flatMap { list.name(at: $0) },
      next: list.name(at: position.next))
    if hasContent { content = list }
  }
}

extension CueList {
  /// The name of the cue at an index; `nil` behind the last.
  package func name(at index: Int) -> CueName? { cues.indices.contains(index) ? cues[index].name : nil }

  /// The last cue whose place the timeline has passed at a value; `nil` before the first.
  package func lastCue(passedAt value: Double) -> Int? {
    cues.lastIndex { $0.at.map { $0 <= value } ?? false }
  }

  /// The first cue whose place is behind one value, and not behind another; `nil` if there is none.
  package func firstCue(passedFrom first: Double, to last: Double) -> Int? {
    cues.firstIndex { $0.at.map { first < $0 && $0 <= last } ?? false }
  }
}
