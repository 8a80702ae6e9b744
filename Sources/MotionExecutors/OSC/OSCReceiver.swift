/// A receiver that plans send to: where it is, what it was told on each line, and whether it is there to hear it.
///
/// Decides when its name is looked up, and when it is told again what it may have missed. Time comes in as seconds that
/// never go back.
struct OSCReceiver {
  /// How long a name is not looked up again after the last answer, in seconds: so a machine that is switched on is found
  /// soon, and servers for names are not bothered.
  static let lookupPause = 5.0
  /// How long plans wait for the first answer before they let everything rest, in seconds: as long as the system waits
  /// for one server by its default.
  static let timeout = 5.0
  /// How often a receiver that is away is told everything again, in seconds. Not more often than the smallest rate
  /// allows; and systems do not say more often than this that nobody listens.
  static let repeatPause = 1.0
  /// How long nobody may say that a receiver is away before it counts as there, in seconds: about an absent machine of
  /// the same network the system gives word after 3 s.
  static let recovery = 5.0

  /// What is to be done.
  enum Action: Hashable {
    /// Looks up its name; ``answered(_:at:)`` is to follow.
    case lookUp
    /// Says these words to its address.
    case say([OSCWords])
    /// Lets people know.
    case report(String)
  }

  private struct Line {
    var words: OSCWords?
    var time = -Double.infinity
    var lastRepeat: Double?
  }

  private struct Unreachable {
    var failures = 0
    var last: Double
    var nextRepeat: Double
  }

  let place: OSCPlace
  /// Where it is, if that is known.
  private(set) var address: SocketAddress?
  private let isNamed: Bool
  private let since: Double
  private var lastAnswer: HostAnswer?
  private var isBeingLookedUp = false
  private var nextLookup: Double
  private var lines: [UInt64: Line] = [:]
  private var absence: Unreachable?

  /// A receiver of which nothing is known but, if its host is numeric, the address.
  init(_ place: OSCPlace, numeric address: SocketAddress?, at now: Double) {
    self.place = place
    self.address = address?.with(port: place.port)
    isNamed = address == nil
    (since, nextLookup) = (now, now)
  }

  // MARK: Lines

  /// Whether no line leads to it.
  var isForgotten: Bool { lines.isEmpty }

  /// A line to it is opened.
  mutating func open(_ line: OSCLine) { lines[line.number] = Line() }

  /// A line to it is closed.
  mutating func close(_ line: OSCLine) { lines[line.number] = nil }

  /// What was said on a line is not so any more.
  mutating func forget(_ line: OSCLine) { lines[line.number]?.words = nil }

  /// When what was said on a line was last sent without having been sent again.
  func lastRepeat(on line: OSCLine) -> Double? { lines[line.number]?.lastRepeat }

  /// Something is said to it. Without an address it is told when there is one, and then only the last.
  mutating func tell(_ words: [OSCWords], at now: Double) -> [Action] {
    for word in words {
      lines[word.line.number]?.words = word
      lines[word.line.number]?.time = now
    }
    return address == nil ? [] : [.say(words)]
  }

  /// What it was told last on the lines that have been silent since `time`, in the order of the lines.
  private mutating func repetition(of time: Double, at now: Double) -> [Action] {
    let silent = lines.filter { $0.value.time <= time && $0.value.words != nil }.keys.sorted()
    for number in silent {
      lines[number]?.time = now
      lines[number]?.lastRepeat = now
    }
    return silent.isEmpty ? [] : [.say(silent.compactMap { lines[$0]?.words })]
  }

  // MARK: Whereabouts

  /// What is known of it.
  func whereabouts(at now: Double) -> OSCWhereabouts {
    if address != nil { return .settled }
    if case .missing(let reason) = lastAnswer { return .missing(reason) }
    return lastAnswer == nil && now - since < Self.timeout ? .sought : .settled
  }

  /// The system has answered for its name.
  mutating func answered(_ answer: HostAnswer, at now: Double) -> [Action] {
    defer { lastAnswer = answer }
    isBeingLookedUp = false
    nextLookup = now + Self.lookupPause
    switch answer {
    case .found(let found):
      let found = found.with(port: place.port)
      guard found != address else { return [] }
      let isNews = address != nil || lastAnswer != nil
      address = found
      let report = isNews ? [Action.report("OSC to \(place) goes to \(found) now")] : []
      return report + repetition(of: .infinity, at: now)
    case .missing(let reason), .silence(let reason):
      // Where it was found once it may still be.
      guard address == nil, lastAnswer == nil else { return [] }
      let pause = Int(Self.lookupPause)
      return [.report("OSC to \(place): its address is not found: \(reason). It is looked up again every \(pause) s")]
    }
  }

  // MARK: Unreachable

  /// What was sent did not reach it, and why.
  mutating func missed(because reason: String, at now: Double) -> [Action] {
    guard absence == nil else {
      absence?.failures += 1
      absence?.last = now
      return []
    }
    absence = Unreachable(failures: 1, last: now, nextRepeat: now + Self.repeatPause)
    return [
      .report(
        "OSC to \(place) is not heard: \(reason). Motion goes on; what it misses is sent again until it is heard")
    ]
  }

  /// When ``deadline(at:)`` has something to do, in seconds; infinity if never.
  var nextDeadline: Double {
    let lookup = wantsLookup ? nextLookup : .infinity
    return min(lookup, absence.map { min($0.nextRepeat, $0.last + Self.recovery) } ?? .infinity)
  }

  /// A name without an address is looked up, and that of a receiver that is away: it may have moved.
  private var wantsLookup: Bool { isNamed && !isBeingLookedUp && (address == nil || absence != nil) }

  /// Does what is due.
  mutating func deadline(at now: Double) -> [Action] {
    var actions: [Action] = []
    if wantsLookup, now >= nextLookup {
      isBeingLookedUp = true
      actions.append(.lookUp)
    }
    guard let absence else { return actions }
    if now >= absence.last + Self.recovery {
      self.absence = nil
      actions.append(.report("OSC to \(place) is heard again, as far as is known, after \(absence.failures) failures"))
    } else if now >= absence.nextRepeat {
      self.absence?.nextRepeat = now + Self.repeatPause
      actions += repetition(of: now - Self.repeatPause, at: now)
    }
    return actions
  }
}
