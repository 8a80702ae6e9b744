import Glibc
import MotionModel

/// Brings packets to their destinations: hosts that it looks up, universes, nodes, and all of a network.
///
/// Each destination has a socket of its own, so that one that is dead delays no other. It must be used by one thread at a
/// time, and nothing of it blocks.
struct DMXCourier {
  /// What is left to do without the lock.
  struct Errands {
    var reports: [String] = []
    var lookupThreads = 0
  }

  private struct Route: Hashable {
    var destination: DMXPost.Destination
    var carrier: DMXPatch.Carrier
    var via: String?
  }

  private struct Host {
    var address: SocketAddress?
    var isNumeric = false
    var isAsked = false
    var nextLookup = -Double.infinity
    var isReported = false
    /// When something was last sent to it.
    var used = -Double.infinity
  }

  /// How long no failure may come before a receiver counts as reachable, in seconds.
  private static let recovery = 5.0
  /// How long the next lookup waits where a host is not known, and where it is, in seconds.
  private static let lookupPauses = (unknown: 5.0, known: 60.0)

  /// How long a socket is kept without a packet, in seconds: longer than any universe is silent.
  private static let idleTime = 30.0

  private var hosts: [String: Host] = [:]
  private var sockets: [Route: (socket: UDPSocket, used: Double)] = [:]
  private var nextCleaning = -Double.infinity
  /// When each place last failed that has failed.
  private var failed: [String: Double] = [:]
  /// The addresses of interfaces that this machine does not have and that were reported.
  private var strangers: Set<String> = []
  /// The socket of broadcasts while there is no other; `nil` until it is needed.
  private var broadcaster: UDPSocket?
  /// The socket that looks for nodes; `nil` until it is needed.
  private var control: UDPSocket?
  /// When nodes were last looked for.
  private var polledAt = -Double.infinity
  private var nodes = ArtNetNodes()
  var lookups = HostLookupQueue()

  /// What a thread waits for: errors of what was sent, and packets on Art-Net's port. What arrives at other sockets is not
  /// read, and must not wake the thread.
  var polled: [pollfd] {
    sockets.values.map { pollfd(fd: $0.socket.descriptor, events: 0, revents: 0) }
      + (control.map { [pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0)] } ?? [])
  }

  // MARK: Sending

  /// Sends packets.
  mutating func send(_ packets: [DMXPost.Packet], at now: Double) -> Errands {
    var errands = Errands()
    if now >= nextCleaning { clean(at: now) }
    for packet in packets {
      switch packet.destination {
      case .multicast(let universe):
        send(packet, to: numeric(SACNPacket.multicastHost(of: universe)), as: packet.destination, at: now, &errands)
      case .host(let host):
        send(packet, to: address(of: host, at: now, &errands), as: packet.destination, at: now, &errands)
      case .nodes(let port):
        for address in nodes.addresses(of: port, at: now) {
          send(packet, to: address, as: .host(address.description), at: now, &errands)
        }
      case .broadcast:
        // Who polls wants the answers, and binds Art-Net's port. Others leave it to receivers on this machine: of several
        // sockets there, the kernel gives what is sent to this machine to the newest alone.
        let isPoll = packet.bytes == ArtNetPacket.poll
        if isPoll { polledAt = now }
        let socket = isPoll ? openControl(&errands) : control ?? openBroadcaster()
        if let address = packet.via.map({ broadcast(of: $0) }) ?? numeric("255.255.255.255") {
          note(
            socket.send(packet.bytes, to: address.with(port: ArtNetPacket.port)), "broadcasts of Art-Net", at: now,
            &errands)
        }
      }
    }
    return errands
  }

  /// Closes the sockets, and forgets the hosts and failures, of patches that are gone.
  private mutating func clean(at now: Double) {
    nextCleaning = now + Self.idleTime
    sockets = sockets.filter { $0.value.used + Self.idleTime > now }
    if polledAt + Self.idleTime <= now { (control, nodes) = (nil, ArtNetNodes()) }
    hosts = hosts.filter { $0.value.used + Self.idleTime > now || $0.value.isAsked }
    failed = failed.filter { $0.value + Self.idleTime > now }
  }

  private mutating func send(
    _ packet: DMXPost.Packet, to address: SocketAddress?, as destination: DMXPost.Destination, at now: Double,
    _ errands: inout Errands
  ) {
    guard let address else { return }
    let route = Route(destination: destination, carrier: packet.carrier, via: packet.via)
    let socket: UDPSocket
    if let known = sockets[route]?.socket, known.family == address.family {
      socket = known
    } else {
      socket = UDPSocket(family: address.family)
      let status = socket.leave(by: packet.via.flatMap { numeric($0) })
      if status != 0, let via = packet.via, strangers.insert(via).inserted {
        errands.reports.append(
          "DMX: this machine does not have the address \(via) of the patch: \(String(cString: strerror(status))). "
            + "What goes by it may be lost")
      }
    }
    sockets[route] = (socket, now)
    let port = packet.carrier == .sacn ? SACNPacket.port : ArtNetPacket.port
    note(socket.send(packet.bytes, to: address.with(port: port)), "\(address.with(port: port))", at: now, &errands)
  }

  /// Reports a failure once, until none has come for a while: that something was sent does not say that it was received.
  private mutating func note(
    _ code: Int32, _ describe: @autoclosure () -> String, at now: Double, _ errands: inout Errands
  ) {
    if code == 0, failed.isEmpty { return }
    let place = describe()
    if code == 0 {
      guard let last = failed[place], last + Self.recovery < now else { return }
      failed[place] = nil
      errands.reports.append("DMX to \(place): it is reachable again")
    } else if failed.updateValue(now, forKey: place) == nil {
      errands.reports.append(
        "DMX to \(place): receiver is unreachable: \(String(cString: strerror(code))). All others are sent to")
    }
  }

  private func numeric(_ host: String) -> SocketAddress? {
    if case .found(let address)? = HostAnswer(numeric: host) { address } else { nil }
  }

  // MARK: Hosts

  private mutating func address(of host: String, at now: Double, _ errands: inout Errands) -> SocketAddress? {
    if hosts[host] == nil {
      let address = numeric(host)
      hosts[host] = Host(address: address, isNumeric: address != nil)
    }
    hosts[host]?.used = now
    guard let known = hosts[host], !known.isNumeric else { return hosts[host]?.address }
    if !known.isAsked, known.nextLookup <= now {
      hosts[host]?.isAsked = true
      if lookups.ask(host) { errands.lookupThreads += 1 }
    }
    return known.address
  }

  /// Handles the result of a lookup.
  mutating func answered(_ answer: HostAnswer, for host: String, at now: Double) -> Errands {
    lookups.answered(host)
    var errands = Errands()
    guard var known = hosts[host] else { return errands }
    known.isAsked = false
    switch answer {
    case .found(let address):
      if known.address != nil, known.address != address {
        sockets = sockets.filter { $0.key.destination != .host(host) }
      }
      if known.isReported { errands.reports.append("DMX to \(host): its address is \(address)") }
      (known.address, known.isReported, known.nextLookup) = (address, false, now + Self.lookupPauses.known)
    case .missing(let reason), .silence(let reason):
      known.nextLookup = now + Self.lookupPauses.unknown
      if known.address == nil, !known.isReported {
        known.isReported = true
        errands.reports.append(
          "DMX to \(host): its address is not found: \(reason). The lookup is retried every 5 s, and all others are sent to"
        )
      }
    }
    hosts[host] = known
    return errands
  }

  // MARK: Nodes

  private mutating func openBroadcaster() -> UDPSocket {
    let socket = broadcaster ?? UDPSocket(family: AF_INET)
    broadcaster = socket
    return socket
  }

  private mutating func openControl(_ errands: inout Errands) -> UDPSocket {
    if let control { return control }
    let socket = UDPSocket(family: AF_INET)
    let status = socket.listen(on: ArtNetPacket.port)
    if status != 0 {
      errands.reports.append(
        "DMX: port \(ArtNetPacket.port) cannot be shared: \(String(cString: strerror(status))). "
          + "Nodes are not found; universes with stated hosts are sent")
    }
    control = socket
    return socket
  }

  /// Receives polls and the replies of nodes, and the errors of what was sent.
  ///
  /// - Parameters:
  ///   - name: the name that nodes are told.
  ///   - ready: the descriptors of ``polled`` at which something has arrived; `nil` looks at all.
  mutating func receive(from name: String, at now: Double, ready: Set<Int32>? = nil) -> Errands {
    var errands = Errands()
    if ready?.isEmpty == true { return errands }
    for (socket, _) in sockets.values where ready?.contains(socket.descriptor) ?? true {
      for _ in 0..<UDPPost.errorsAtOnce {
        guard let error = socket.nextError() else { break }
        if let address = error.address { note(error.code, "\(address)", at: now, &errands) }
      }
      // Otherwise an error whose report was lost would wake the thread without end.
      socket.clearError()
    }
    guard let control, ready?.contains(control.descriptor) ?? true else { return errands }
    for _ in 0..<UDPPost.errorsAtOnce where control.nextError() == nil { break }
    control.clearError()
    for _ in 0..<256 {
      guard let (packet, sender) = control.receive() else { break }
      switch ArtNetPacket.message(packet) {
      case .node(let part, let ports): nodes.answered(sender, part: part, ports: ports, at: now)
      case .poll:
        let reply = ArtNetPacket.reply(from: Interface.address(towards: sender) ?? [0, 0, 0, 0], named: name)
        _ = control.send(reply, to: sender.with(port: ArtNetPacket.port))
      case nil: break
      }
    }
    return errands
  }

  private func broadcast(of interface: String) -> SocketAddress? {
    Interface.broadcast(of: interface) ?? numeric("255.255.255.255")
  }
}

/// The network interfaces of this machine.
private enum Interface {
  /// The address to which broadcasts of the interface with this address go.
  static func broadcast(of address: String) -> SocketAddress? {
    guard case .found(let wanted)? = HostAnswer(numeric: address), wanted.family == AF_INET else { return nil }
    return first { own, mask in
      guard own.bytes[4..<8] == wanted.bytes[4..<8] else { return nil }
      return own.with(host: (4..<8).map { own.bytes[$0] | ~mask.bytes[$0] })
    }
  }

  /// The address of the interface in whose network another address is.
  static func address(towards other: SocketAddress) -> [UInt8]? {
    guard other.family == AF_INET else { return nil }
    return first { own, mask in
      let isNear = (4..<8).allSatisfy { own.bytes[$0] & mask.bytes[$0] == other.bytes[$0] & mask.bytes[$0] }
      return isNear ? Array(own.bytes[4..<8]) : nil
    }
  }

  private static func first<T>(_ find: (SocketAddress, _ mask: SocketAddress) -> T?) -> T? {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return nil }
    defer { freeifaddrs(list) }
    for entry in sequence(first: list, next: { $0?.pointee.ifa_next }) {
      guard let entry, let address = entry.pointee.ifa_addr, Int32(address.pointee.sa_family) == AF_INET,
        let mask = entry.pointee.ifa_netmask,
        let own = SocketAddress(UnsafeRawBufferPointer(start: address, count: MemoryLayout<sockaddr_in>.size)),
        var bits = SocketAddress(UnsafeRawBufferPointer(start: address, count: MemoryLayout<sockaddr_in>.size))
      else { continue }
      let raw = UnsafeRawBufferPointer(start: mask, count: MemoryLayout<sockaddr_in>.size)
      bits = bits.with(host: Array(raw[4..<8]))
      if let found = find(own, bits) { return found }
    }
    return nil
  }
}

extension SocketAddress {
  /// The address with another host of IPv4: the four bytes behind family and port.
  fileprivate func with(host: [UInt8]) -> SocketAddress {
    var address = self
    address.replace(host: host)
    return address
  }
}
