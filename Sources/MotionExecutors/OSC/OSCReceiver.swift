/// A receiver that plans send to: its address, the last messages of each line, and whether it is reachable.
///
/// It decides when its name is looked up, and when the messages that it may have missed are resent. Times are passed in
/// as seconds that never go back.
struct OSCReceiver {
  /// The least time between the last answer and the next lookup of a name, in seconds. A machine that is switched on is
  /// found soon, and name servers are not overloaded.
  static let lookupPause = 5.0
  /// How long plans wait for the first answer before the executor may rest, in seconds: the system's default timeout
  /// for one server.
  static let timeout = 5.0
  /// The interval at which everything is resent to an unreachable receiver, in seconds. It is not shorter than the
  /// smallest rate allows, and systems do not report more often than this that no process listens.
  static let repeatPause = 1.0
  /// How long no failure may be reported before a receiver counts as reachable, in seconds. For an absent machine of
  /// the same network the system reports an error after 3 s.
  static let recovery = 5.0

  /// An action for the caller to perform.
  enum Action: Hashable {
    /// Look up the name; ``answered(_:at:)`` must follow.
    case lookUp
    /// Send these messages to the address.
    case say([OSCWords])
    /// Report a line to the operator.
    case report(String)
  }

  private struct Line {
    /// The seconds after which the last messages are resent; infinity for never.
    let keepAlive: Double
    var words: OSCWords?
    var time = -Double.infinity
    var lastRepeat: Double?

    /// The time at which its messages are resent if none are sent by then.
    var nextRepeat: Double { words == nil ? .infinity : time + keepAlive }
  }

  private struct Unreachable {
    var failures = 0
    var last: Double
    var nextRepeat: Double
  }

  let place: OSCPlace
  /// The address, if it is known.
  private(set) var address: SocketAddress?
  private let isNamed: Bool
  private let since: Double
  private var lastAnswer: HostAnswer?
  private var isBeingLookedUp = false
  private var nextLookup: Double
  private var lines: [UInt64: Line] = [:]
  private var absence: Unreachable?

  /// A receiver of which nothing is known except, if its host is numeric, the address.
  init(_ place: OSCPlace, numeric address: SocketAddress?, at now: Double) {
    self.place = place
    self.address = address?.with(port: place.port)
    isNamed = address == nil
    (since, nextLookup) = (now, now)
  }

  // MARK: Lines

  /// Whether no line to the receiver is open.
  var isForgotten: Bool { lines.isEmpty }

  /// Opens a line to the receiver.
  ///
  /// - Parameter keepAlive: the seconds after which its last messages are resent; `nil` for never.
  mutating func open(_ line: OSCLine, keepAlive: Double? = nil) {
    lines[line.number] = Line(keepAlive: keepAlive ?? .infinity)
  }

  /// Closes a line to the receiver.
  mutating func close(_ line: OSCLine) { lines[line.number] = nil }

  /// Discards the last messages of a line: they are no longer valid.
  mutating func forget(_ line: OSCLine) { lines[line.number]?.words = nil }

  /// The last time at which a line's messages were resent.
  func lastRepeat(on line: OSCLine) -> Double? { lines[line.number]?.lastRepeat }

  /// Stores messages and returns the action that sends them. Without an address they are kept until there is one; only
  /// the last of each line is then sent.
  mutating func tell(_ words: [OSCWords], at now: Double) -> [Action] {
    for word in words {
      lines[word.line.number]?.words = word
      lines[word.line.number]?.time = now
    }
    return address == nil ? [] : [.say(words)]
  }

  /// Resends the last messages of the lines on which nothing was sent since `time`, in the order of the lines.
  private mutating func repetition(of time: Double, at now: Double) -> [Action] {
    repetition(at: now) { $0.time <= time }
  }

  private mutating func repetition(at now: Double, where isMeant: (Line) -> Bool) -> [Action] {
    let silent = lines.filter { $0.value.words != nil && isMeant($0.value) }.keys.sorted()
    for number in silent {
      lines[number]?.time = now
      lines[number]?.lastRepeat = now
    }
    return silent.isEmpty ? [] : [.say(silent.compactMap { lines[$0]?.words })]
  }

  // MARK: Whereabouts

  /// The state of the receiver's address.
  func whereabouts(at now: Double) -> OSCWhereabouts {
    if address != nil { return .settled }
    if case .missing(let reason) = lastAnswer { return .missing(reason) }
    return lastAnswer == nil && now - since < Self.timeout ? .sought : .settled
  }

  /// Handles the result of a name lookup.
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
      let report = isNews ? [Action.report("OSC to \(place): the address is now \(found)")] : []
      return report + repetition(of: .infinity, at: now)
    case .missing(let reason), .silence(let reason):
      // A receiver that was found once may still be at that address.
      guard address == nil, lastAnswer == nil else { return [] }
      let pause = Int(Self.lookupPause)
      return [.report("OSC to \(place): its address is not found: \(reason). The lookup is retried every \(pause) s")]
    }
  }

  // MARK: Unreachable

  /// Handles a failed delivery and its reason.
  mutating func missed(because reason: String, at now: Double) -> [Action] {
    guard absence == nil else {
      absence?.failures += 1
      absence?.last = now
      return []
    }
    absence = Unreachable(failures: 1, last: now, nextRepeat: now + Self.repeatPause)
    return [
      .report(
        "OSC to \(place): receiver is unreachable: \(reason). Motion continues; "
          + "missed values are resent until it is reachable")
    ]
  }

  /// The time at which ``deadline(at:)`` has something to do, in seconds; infinity if never.
  var nextDeadline: Double {
    let lookup = wantsLookup ? nextLookup : .infinity
    let absence = absence.map { min($0.nextRepeat, $0.last + Self.recovery) } ?? .infinity
    return min(lookup, absence, nextKeepAlive)
  }

  /// The time at which messages are resent that show that the sender lives, in seconds; infinity if never.
  var nextKeepAlive: Double {
    address == nil ? .infinity : lines.values.lazy.map(\.nextRepeat).min() ?? .infinity
  }

  /// Resends messages that have not changed for long. Those of other lines that will be due soon go with them, so that
  /// they share packets from then on.
  private mutating func keepAlive(at now: Double) -> [Action] {
    guard now >= nextKeepAlive else { return [] }
    return repetition(at: now) { $0.time <= now - $0.keepAlive / 2 }
  }

  /// A name is looked up while it has no address, and while its receiver is unreachable: the receiver may have moved.
  private var wantsLookup: Bool { isNamed && !isBeingLookedUp && (address == nil || absence != nil) }

  /// Performs what is due at `now`.
  mutating func deadline(at now: Double) -> [Action] {
    var actions: [Action] = []
    if wantsLookup, now >= nextLookup {
      isBeingLookedUp = true
      actions.append(.lookUp)
    }
    actions += keepAlive(at: now)
    guard let absence else { return actions }
    if now >= absence.last + Self.recovery {
      self.absence = nil
      actions.append(
        .report(
          "OSC to \(place): receiver is reachable again, as far as is known, after \(absence.failures) failures"))
    } else if now >= absence.nextRepeat {
      self.absence?.nextRepeat = now + Self.repeatPause
      actions += repetition(of: now - Self.repeatPause, at: now)
    }
    return actions
  }
}
