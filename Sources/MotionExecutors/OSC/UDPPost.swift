import Glibc

/// All receivers of a process with the sockets that lead to them, and what is to be done about them.
///
/// Belongs to one thread at a time. Datagrams are sent at once, because that does not wait; what may wait, or is the
/// business of others, is returned as ``Errands``.
struct UDPPost {
  /// Datagrams that came back of which is heard at a time: others want to send.
  static let errorsAtOnce = 256

  /// What is left to do when the post is free for others.
  struct Errands {
    /// What people should know.
    var reports: [String] = []
    /// Threads that are to look up names.
    var lookupThreads = 0
    /// Whether deadlines or sockets are not what they were, so that who waits for them has to look.
    var isChanged = false
  }

  private var receivers: [OSCPlace: OSCReceiver] = [:]
  private var sockets: [Int32: UDPSocket] = [:]
  private var lastLine: UInt64 = 0
  /// Names that are looked up.
  var lookups = HostLookupQueue()

  // MARK: Lines

  /// Whether there is nobody to send to.
  var isEmpty: Bool { receivers.isEmpty }

  mutating func open(to place: OSCPlace, at now: Double) -> (OSCLine, Errands) {
    lastLine += 1
    let line = OSCLine(number: lastLine, place: place)
    var errands = Errands()
    if receivers[place] == nil {
      var address: SocketAddress?
      if case .found(let numeric) = HostAnswer(numeric: place.host) { address = numeric }
      receivers[place] = OSCReceiver(place, numeric: address, at: now)
      errands.isChanged = true
    }
    receivers[place]?.open(line)
    perform(receivers[place]?.deadline(at: now), for: place, at: OSCMoment.now, &errands)
    return (line, errands)
  }

  mutating func close(_ line: OSCLine) -> Errands {
    receivers[line.place]?.close(line)
    guard receivers[line.place]?.isForgotten == true else { return Errands() }
    receivers[line.place] = nil
    return Errands(isChanged: true)
  }

  mutating func forget(_ line: OSCLine) { receivers[line.place]?.forget(line) }

  func whereabouts(of place: OSCPlace, at now: Double) -> OSCWhereabouts {
    receivers[place]?.whereabouts(at: now) ?? .settled
  }

  func lastRepeat(on line: OSCLine) -> Double? { receivers[line.place]?.lastRepeat(on: line) }

  // MARK: Sending

  mutating func send(_ words: [OSCWords], to place: OSCPlace, at moment: OSCMoment) -> Errands {
    var errands = Errands()
    perform(receivers[place]?.tell(words, at: moment.seconds), for: place, at: moment, &errands)
    return errands
  }

  private mutating func perform(
    _ actions: [OSCReceiver.Action]?, for place: OSCPlace, at moment: OSCMoment, _ errands: inout Errands
  ) {
    for action in actions ?? [] {
      switch action {
      case .lookUp: if lookups.ask(place.host) { errands.lookupThreads += 1 }
      case .report(let line): errands.reports.append(line)
      case .say(let words): say(words, to: place, at: moment, &errands)
      }
    }
  }

  private mutating func say(
    _ words: [OSCWords], to place: OSCPlace, at moment: OSCMoment, _ errands: inout Errands
  ) {
    guard let address = receivers[place]?.address else { return }
    let socket = socket(of: address.family, &errands)
    for packet in OSCBundle.packets(of: words, at: moment) {
      let code = socket.send(packet, to: address)
      if code != 0 { missed(code, by: place, at: moment, &errands) }
    }
  }

  private mutating func missed(_ code: Int32, by place: OSCPlace, at moment: OSCMoment, _ errands: inout Errands) {
    errands.isChanged = true
    let actions = receivers[place]?.missed(because: String(cString: strerror(code)), at: moment.seconds)
    perform(actions, for: place, at: moment, &errands)
  }

  private mutating func socket(of family: Int32, _ errands: inout Errands) -> UDPSocket {
    // One that could not be opened is tried again: there may be descriptors by then.
    if let socket = sockets[family], socket.descriptor >= 0 { return socket }
    let socket = UDPSocket(family: family)
    sockets[family] = socket
    errands.isChanged = true
    return socket
  }

  // MARK: Watching

  /// The sockets whose errors are to be awaited.
  var descriptors: [Int32] { sockets.values.map(\.descriptor).filter { $0 >= 0 } }

  /// When ``turn(at:)`` has something to do, in seconds; infinity if never.
  var nextDeadline: Double { receivers.values.map(\.nextDeadline).min() ?? .infinity }

  /// Hears what came back, and does what is due.
  mutating func turn(at moment: OSCMoment) -> Errands {
    var errands = Errands()
    for socket in sockets.values where socket.descriptor >= 0 { hear(from: socket, at: moment, &errands) }
    for place in receivers.keys where receivers[place]?.nextDeadline ?? .infinity <= moment.seconds {
      perform(receivers[place]?.deadline(at: moment.seconds), for: place, at: moment, &errands)
    }
    return errands
  }

  private mutating func hear(from socket: UDPSocket, at moment: OSCMoment, _ errands: inout Errands) {
    for _ in 0..<Self.errorsAtOnce {
      guard let (address, code) = socket.nextError() else { return socket.clearError() }
      for place in receivers.keys where address != nil && receivers[place]?.address == address {
        missed(code, by: place, at: moment, &errands)
      }
    }
  }

  /// A name was looked up.
  mutating func answered(_ answer: HostAnswer, for host: String, at moment: OSCMoment) -> Errands {
    var errands = Errands(isChanged: true)
    lookups.answered(host)
    for place in receivers.keys where place.host == host {
      perform(receivers[place]?.answered(answer, at: moment.seconds), for: place, at: moment, &errands)
    }
    return errands
  }
}

extension OSCMoment {
  /// The present, of the clocks `CLOCK_MONOTONIC` and `CLOCK_REALTIME`.
  static var now: OSCMoment {
    var monotonic = timespec()
    var calendar = timespec()
    clock_gettime(CLOCK_MONOTONIC, &monotonic)
    clock_gettime(CLOCK_REALTIME, &calendar)
    return OSCMoment(
      seconds: Double(monotonic.tv_sec) + Double(monotonic.tv_nsec) / 1e9,
      nanosecondsSince1970: Int64(calendar.tv_sec) * 1_000_000_000 + Int64(calendar.tv_nsec))
  }
}
