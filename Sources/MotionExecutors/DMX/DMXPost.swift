import MotionModel

/// Decides when the universes of patches are sent, and makes their packets. Times are passed in as seconds that never go
/// back.
///
/// All changed universes of a patch leave together, followed by a packet that lets receivers show them: at most as often as
/// the patch permits. What does not change is sent three times, and then again each 0.9 s (ANSI E1.31, section 6.6.2; Art-Net
/// wants the same).
struct DMXPost {
  /// Where a packet goes.
  enum Destination: Hashable {
    /// All that listen to a universe.
    case multicast(Int)
    /// A host.
    case host(String)
    /// The Art-Net nodes with a Port-Address.
    case nodes(Int)
    /// All Art-Net nodes.
    case broadcast
  }

  /// A packet to be sent.
  struct Packet: Hashable {
    var bytes: [UInt8]
    var carrier: DMXPatch.Carrier
    var destination: Destination
    /// The address of the interface; `nil` for the system's choice.
    var via: String?
  }

  /// A patch that is sent.
  struct Line: Hashable {
    fileprivate let number: Int
  }

  /// What identifies a universe on the network.
  struct Place: Hashable {
    var carrier: DMXPatch.Carrier
    var address: Int
    var via: String?

    init(_ universe: DMXPatch.Universe) {
      (carrier, address, via) = (universe.carrier, universe.address, universe.via)
    }
  }

  /// How long nothing is sent before a universe is sent again.
  static let keepAlive = 0.9
  /// How often a universe is sent that no longer changes.
  static let repeats = 3
  /// How long a universe waits, after its patch was removed, for another patch before it ends.
  static let grace = 0.25
  /// How long a patch is sent on whose worker gets its plans again: longer than that takes on a machine that is too busy.
  static let timeout = 5.0
  static let discoveryPause = 10.0
  static let pollPause = 2.75

  fileprivate struct Universe {
    var levels: [UInt8]
    /// How often it is sent yet without another change.
    var due = DMXPost.repeats
    var sent = -Double.infinity
  }

  fileprivate struct Entry {
    var patch: DMXPatch
    var source: SACNPacket.Source
    var universes: [Universe]
    var departed = -Double.infinity
    var synchronizations: UInt8 = 0
    /// When it ends, because no executor shows it any more.
    var end = Double.infinity
  }

  /// The sequence of a universe's packets. It begins with three numbers that are a third of the circle apart: whatever a
  /// receiver got last from a source before, it takes one of them, and all after it.
  private struct Sequence {
    var last: UInt8 = 0
    var count = 0

    mutating func next(_ carrier: DMXPatch.Carrier) -> UInt8 {
      last &+= count < DMXPost.repeats ? 85 : 1
      if carrier == .artnet, last == 0 { last = 1 }
      count += 1
      return last
    }
  }

  private struct Ending {
    var universe: DMXPatch.Universe
    var source: SACNPacket.Source
    var levels: [UInt8]
    var time: Double

    /// What is left of it once a universe is sent again, also to other hosts; `nil` if nothing.
    func without(_ again: DMXPatch.Universe) -> Ending? {
      guard Place(universe) == Place(again) else { return self }
      guard !universe.hosts.isEmpty else { return again.hosts.isEmpty ? nil : self }
      var left = self
      left.universe.hosts.removeAll(where: again.hosts.contains)
      return left.universe.hosts.isEmpty ? nil : left
    }
  }

  private var entries: [Int: Entry] = [:]
  private var lastNumber = 0
  private var sequences: [Place: Sequence] = [:]
  private var endings: [Ending] = []
  private var discovery = -Double.infinity
  private var poll = -Double.infinity

  /// Whether there is nothing to send.
  var isEmpty: Bool { entries.isEmpty && endings.isEmpty }

  // MARK: Patches

  /// Begins to send a patch.
  ///
  /// - Returns: its line; `nil` with the universe that another patch sends.
  mutating func open(_ patch: DMXPatch, from source: SACNPacket.Source, _ levels: [[UInt8]]) -> Result<Line, Taken> {
    let sent = entries.values.filter { $0.end == .infinity }.flatMap(\.patch.universes)
    if let taken = patch.universes.first(where: { universe in sent.contains { $0.overlaps(universe) } }) {
      return .failure(Taken(universe: taken))
    }
    lastNumber += 1
    for (number, entry) in entries where entry.end < .infinity && entry.overlaps(patch) {
      close(Line(number: number), at: entry.end - Self.grace)
    }
    for universe in patch.universes {
      endings = endings.compactMap { $0.without(universe) }
    }
    entries[lastNumber] = Entry(patch: patch, source: source, universes: levels.map { Universe(levels: $0) })
    discovery = -.infinity
    return .success(Line(number: lastNumber))
  }

  /// The error of a universe that another patch sends.
  struct Taken: Error, Hashable { var universe: DMXPatch.Universe }

  /// Ends a patch. Its universes end soon, except where another patch sends them by then.
  mutating func close(_ line: Line, at now: Double) {
    guard let entry = entries.removeValue(forKey: line.number) else { return }
    for (universe, state) in zip(entry.patch.universes, entry.universes) {
      endings.append(
        Ending(universe: universe, source: entry.source, levels: state.levels, time: now + Self.grace))
    }
  }

  /// Sends a patch on that no executor shows any more, until another patch sends its universes, at most for ``timeout``.
  mutating func leave(_ line: Line, at now: Double) { entries[line.number]?.end = now + Self.timeout }

  /// Takes over the levels of a universe.
  mutating func show(_ line: Line, universe: Int, _ levels: [UInt8]) {
    guard entries[line.number]?.universes.indices.contains(universe) == true else { return }
    entries[line.number]?.universes[universe].levels = levels
    entries[line.number]?.universes[universe].due = Self.repeats
  }

  // MARK: Time

  /// When ``turn(at:)`` has something to do; infinity if never.
  var nextDeadline: Double {
    var deadline = endings.lazy.map(\.time).min() ?? .infinity
    for entry in entries.values { deadline = min(deadline, departure(of: entry), entry.end) }
    if entries.values.contains(where: { $0.has(.sacn) }) { deadline = min(deadline, discovery + Self.discoveryPause) }
    if isPolling { deadline = min(deadline, poll + Self.pollPause) }
    return deadline
  }

  /// Whether a universe goes to nodes that answer a poll.
  private var isPolling: Bool {
    entries.values.contains { $0.patch.universes.contains { $0.carrier == .artnet && $0.hosts.isEmpty } }
  }

  /// When universes of a patch are sent next.
  private func departure(of entry: Entry) -> Double {
    if entry.universes.contains(where: { $0.due > 0 }) { return entry.departed + 1 / entry.patch.rate }
    return (entry.universes.lazy.map(\.sent).min() ?? .infinity) + Self.keepAlive
  }

  /// The packets that are due, in their order.
  mutating func turn(at now: Double) -> [Packet] {
    var packets: [Packet] = []
    for (number, entry) in entries where entry.end <= now { close(Line(number: number), at: now - Self.grace) }
    for number in entries.keys.sorted() {
      guard var entry = entries[number], departure(of: entry) <= now else { continue }
      packets += depart(&entry, at: now)
      entries[number] = entry
    }
    let over = endings.filter { $0.time <= now }
    endings.removeAll { $0.time <= now }
    for ending in over { packets += end(ending) }
    packets += announce(at: now)
    return packets
  }

  /// Sends what has changed, and what was not sent for long.
  private mutating func depart(_ entry: inout Entry, at now: Double) -> [Packet] {
    // Deadlines are kept: a thread that wakes late does not make the rate lower.
    let onTime = entry.departed + 1 / entry.patch.rate
    entry.departed = now - onTime < 0.5 / entry.patch.rate ? max(onTime, now - 1 / entry.patch.rate) : now
    var packets: [Packet] = []
    var carriers: Set<DMXPatch.Carrier> = []
    for index in entry.universes.indices {
      guard entry.universes[index].due > 0 || entry.universes[index].sent + Self.keepAlive - 0.1 <= now else {
        continue
      }
      let universe = entry.patch.universes[index]
      carriers.insert(universe.carrier)
      packets += data(universe, entry.universes[index].levels, of: entry.source, synchronization: entry.synchronization)
      entry.universes[index].sent = now
      entry.universes[index].due = max(0, entry.universes[index].due - 1)
    }
    for carrier in DMXPatch.Carrier.allCases where carriers.contains(carrier) && entry.isSynchronized(carrier) {
      if carrier == .sacn { entry.synchronizations &+= 1 }
      packets += synchronization(carrier, of: entry)
    }
    return packets
  }

  private mutating func data(
    _ universe: DMXPatch.Universe, _ levels: [UInt8], of source: SACNPacket.Source, synchronization: Int,
    isLast: Bool = false
  ) -> [Packet] {
    let sequence = sequences[Place(universe), default: Sequence()].next(universe.carrier)
    let bytes =
      switch universe.carrier {
      case .sacn:
        SACNPacket.data(
          levels, of: universe.address, from: source, priority: universe.priority, sequence: sequence,
          synchronization: synchronization, isLast: isLast)
      case .artnet: ArtNetPacket.data(levels, to: universe.address, sequence: sequence)
      }
    return universe.destinations.map {
      Packet(bytes: bytes, carrier: universe.carrier, destination: $0, via: universe.via)
    }
  }

  /// The packets that let receivers show a frame, each once to where its data went.
  private func synchronization(_ carrier: DMXPatch.Carrier, of entry: Entry) -> [Packet] {
    var packets: [Packet] = []
    for universe in entry.patch.universes where universe.carrier == carrier {
      let destinations: [Destination]
      let bytes: [UInt8]
      switch carrier {
      case .sacn:
        bytes = SACNPacket.synchronization(
          entry.synchronization, from: entry.source, sequence: entry.synchronizations)
        destinations = universe.hosts.isEmpty ? [.multicast(entry.synchronization)] : universe.hosts.map { .host($0) }
      case .artnet: (bytes, destinations) = (ArtNetPacket.synchronization, [.broadcast])
      }
      for destination in destinations {
        let packet = Packet(bytes: bytes, carrier: carrier, destination: destination, via: universe.via)
        if !packets.contains(packet) { packets.append(packet) }
      }
    }
    return packets
  }

  /// Ends the stream of a universe. Art-Net has no such packet.
  private mutating func end(_ ending: Ending) -> [Packet] {
    let place = Place(ending.universe)
    let goesOn = entries.values.contains { $0.patch.universes.contains { Place($0) == place } }
    defer { if !goesOn { sequences[place] = nil } }
    guard ending.universe.carrier == .sacn else { return [] }
    return (0..<3).flatMap { _ in
      data(ending.universe, ending.levels, of: ending.source, synchronization: 0, isLast: true)
    }
  }

  /// Ends all streams now: the process ends.
  mutating func endAll() -> [Packet] {
    for number in entries.keys.sorted() { close(Line(number: number), at: 0) }
    let last = endings.sorted { $0.universe.number < $1.universe.number }
    endings = []
    return last.flatMap { end($0) }
  }

  /// Lists the universes for receivers, and looks for nodes.
  private mutating func announce(at now: Double) -> [Packet] {
    var packets: [Packet] = []
    if entries.values.contains(where: { $0.has(.sacn) }), now >= discovery + Self.discoveryPause {
      discovery = now
      // A receiver takes the list of an identity for all that it sends: that of all patches together.
      var sources: [[UInt8]: (source: SACNPacket.Source, universes: [String?: [Int]])] = [:]
      for (_, entry) in entries.sorted(by: { $0.key < $1.key }) {
        for universe in entry.patch.universes where universe.carrier == .sacn {
          sources[entry.source.identity, default: (entry.source, [:])]
            .universes[universe.via, default: []].append(universe.address)
        }
      }
      for (source, byInterface) in sources.values.sorted(by: { $0.source.name < $1.source.name }) {
        for (via, addresses) in byInterface.sorted(by: { ($0.key ?? "") < ($1.key ?? "") }) {
          for bytes in SACNPacket.discovery(addresses, from: source) {
            packets.append(
              Packet(
                bytes: bytes, carrier: .sacn, destination: .multicast(SACNPacket.discoveryUniverse), via: via))
          }
        }
      }
    }
    if isPolling, now >= poll + Self.pollPause {
      poll = now
      let interfaces = Set(entries.values.flatMap { $0.patch.universes.filter { $0.carrier == .artnet }.map(\.via) })
      for via in interfaces.sorted(by: { ($0 ?? "") < ($1 ?? "") }) {
        packets.append(Packet(bytes: ArtNetPacket.poll, carrier: .artnet, destination: .broadcast, via: via))
      }
    }
    return packets
  }
}

extension DMXPost.Entry {
  /// Whether both send a universe.
  fileprivate func overlaps(_ other: DMXPatch) -> Bool {
    patch.universes.contains { universe in other.universes.contains { $0.overlaps(universe) } }
  }

  fileprivate func has(_ carrier: DMXPatch.Carrier) -> Bool { patch.universes.contains { $0.carrier == carrier } }

  /// Whether a frame has more than one packet that receivers show together.
  fileprivate func isSynchronized(_ carrier: DMXPatch.Carrier) -> Bool {
    patch.universes.count { $0.carrier == carrier } > 1
  }

  /// The universe of the packets that let receivers show a frame; 0 for none.
  fileprivate var synchronization: Int {
    isSynchronized(.sacn) ? patch.universes.first { $0.carrier == .sacn }?.address ?? 0 : 0
  }
}

extension DMXPatch.Universe {
  fileprivate var destinations: [DMXPost.Destination] {
    if !hosts.isEmpty { return hosts.map { .host($0) } }
    return carrier == .sacn ? [.multicast(address)] : [.nodes(address)]
  }
}
