import Glibc

/// All receivers of a process, each with a socket of its own, and the work that is due for them.
///
/// The kernel keeps datagrams in the send buffer of their socket while it resolves the receiver's hardware address
/// (ARP) or the link is slow. It reports the error of one datagram to the next call on the socket. A socket for each
/// receiver isolates the receivers from both effects.
///
/// It must be used by one thread at a time. Datagrams are sent at once, because that does not block. Work that may
/// block, or that other threads do, is returned as ``Errands``.
struct UDPPost {
  /// The most receivers of a process. Each takes a descriptor, of which a process commonly has 1,024. While it is
  /// unreachable it takes up to 208 KiB of the kernel's memory (Linux's default send buffer), 104 MiB in all.
  static let mostReceivers = 512
  /// The most errors that are read from a socket at a time, so that other threads can send.
  static let errorsAtOnce = 256

  /// The work that is left once the caller has released the lock.
  struct Errands {
    /// Lines to report to the operator.
    var reports: [String] = []
    /// The number of lookup threads to start.
    var lookupThreads = 0
    /// Whether deadlines or sockets changed, so that the thread that polls them must be woken.
    var isChanged = false
  }

  private var receivers: [OSCPlace: OSCReceiver] = [:]
  /// The socket of each receiver, opened by its first datagram.
  private var sockets: [OSCPlace: UDPSocket] = [:]
  private var lastLine: UInt64 = 0
  /// The names to look up.
  var lookups = HostLookupQueue()

  // MARK: Lines

  /// Whether there is no receiver.
  var isEmpty: Bool { receivers.isEmpty }

  mutating func open(to place: OSCPlace, keepAlive: Double? = nil, at now: Double) -> (OSCLine, Errands) {
    lastLine += 1
    let line = OSCLine(number: lastLine, place: place)
    var errands = Errands()
    if receivers[place] == nil, receivers.count < Self.mostReceivers {
      var address: SocketAddress?
      if case .found(let numeric) = HostAnswer(numeric: place.host) { address = numeric }
      receivers[place] = OSCReceiver(place, numeric: address, at: now)
      errands.isChanged = true
    }
    receivers[place]?.open(line, keepAlive: keepAlive)
    perform(receivers[place]?.deadline(at: now), for: place, at: OSCMoment.now, &errands)
    return (line, errands)
  }

  mutating func close(_ line: OSCLine) -> Errands {
    receivers[line.place]?.close(line)
    guard receivers[line.place]?.isForgotten == true else { return Errands() }
    receivers[line.place] = nil
    sockets[line.place] = nil
    return Errands(isChanged: true)
  }

  mutating func forget(_ line: OSCLine) { receivers[line.place]?.forget(line) }

  func whereabouts(of place: OSCPlace, at now: Double) -> OSCWhereabouts {
    receivers[place]?.whereabouts(at: now) ?? .refused
  }

  func lastRepeat(on line: OSCLine) -> Double? { receivers[line.place]?.lastRepeat(on: line) }

  // MARK: Sending

  mutating func send(_ words: [OSCWords], to place: OSCPlace, at moment: OSCMoment) -> Errands {
    var errands = Errands()
    let due = receivers[place]?.nextKeepAlive ?? .infinity
    perform(receivers[place]?.tell(words, at: moment.seconds), for: place, at: moment, &errands)
    // Later deadlines are found when the earlier one has come.
    if receivers[place]?.nextKeepAlive ?? .infinity < due { errands.isChanged = true }
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
    let socket = socket(to: place, family: address.family, &errands)
    for packet in OSCBundle.packets(of: words, at: moment) {
      let code = socket.send(packet, to: address)
      if code != 0 { missed(code, by: place, at: moment, &errands) }
    }
  }

  private mutating func missed(_ code: Int32, by place: OSCPlace, at moment: OSCMoment, _ errands: inout Errands) {
    let actions = receivers[place]?.missed(because: String(cString: strerror(code)), at: moment.seconds)
    // Further failures only postpone the deadline: a receiver that fails at a high rate does not wake the other thread.
    if actions?.isEmpty == false { errands.isChanged = true }
    perform(actions, for: place, at: moment, &errands)
  }

  private mutating func socket(to place: OSCPlace, family: Int32, _ errands: inout Errands) -> UDPSocket {
    // A socket that could not be opened is tried again, because descriptors may be free by then. A name may have got an
    // address of the other family.
    if let socket = sockets[place], socket.descriptor >= 0, socket.family == family { return socket }
    let socket = UDPSocket(family: family)
    sockets[place] = socket
    errands.isChanged = true
    return socket
  }

  // MARK: Watching

  /// The sockets to poll for errors.
  var descriptors: [Int32] { sockets.values.map(\.descriptor).filter { $0 >= 0 } }

  /// The time at which ``turn(at:)`` has something to do, in seconds; infinity if never.
  var nextDeadline: Double { receivers.values.map(\.nextDeadline).min() ?? .infinity }

  /// Reads the errors of the sockets that failed, by their descriptors, and performs what is due.
  mutating func turn(at moment: OSCMoment, failed: Set<Int32>) -> Errands {
    var errands = Errands()
    for (place, socket) in sockets where failed.contains(socket.descriptor) {
      readErrors(of: socket, to: place, at: moment, &errands)
    }
    for place in receivers.keys where receivers[place]?.nextDeadline ?? .infinity <= moment.seconds {
      perform(receivers[place]?.deadline(at: moment.seconds), for: place, at: moment, &errands)
    }
    return errands
  }

  private mutating func readErrors(
    of socket: UDPSocket, to place: OSCPlace, at moment: OSCMoment, _ errands: inout Errands
  ) {
    for _ in 0..<Self.errorsAtOnce {
      guard let (address, code) = socket.nextError() else { return socket.clearError() }
      // Errors of an address that the receiver's name had before do not count.
      if address != nil, receivers[place]?.address == address { missed(code, by: place, at: moment, &errands) }
    }
  }

  /// Handles the answer of a name lookup.
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
  /// The present time, of the clocks `CLOCK_MONOTONIC` and `CLOCK_REALTIME`.
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
