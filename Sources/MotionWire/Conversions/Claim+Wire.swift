import MotionModel

extension ProtoClaim: WireRepresentation {
  init(_ claim: Claim) {
    handshakeVersions = ProtoVersionRange(claim.handshakeVersions)
    address = ProtoWorkerAddress(claim.address)
    claimant = claim.claimant
    attempt = claim.attempt
    processID = claim.processID
    host = claim.host
  }

  func model() throws(WireError) -> Claim {
    guard claimant != 0, attempt != 0 else {
      throw WireError(
        .value, field: claimant == 0 ? "claimant" : "attempt", "it is 0",
        remedy: "Send a random number as claimant, and count the starts of the process from 1")
    }
    return Claim(
      handshakeVersions: try Decode.required(hasHandshakeVersions, handshakeVersions, "handshake_versions"),
      address: try Decode.required(hasAddress, address, "address"), claimant: claimant, attempt: attempt,
      processID: processID, host: try Decode.text(host, "host", atMost: Self.longestHost))
  }

  /// The maximum number of bytes of a host name on Linux.
  static let longestHost = 64
}

extension ProtoAssignment: WireRepresentation {
  init(_ assignment: Assignment) {
    incarnation = assignment.incarnation
    lease = assignment.lease
    commandsPort = UInt32(assignment.commandsPort)
    ticksPort = UInt32(assignment.ticksPort)
    eventsPort = UInt32(assignment.eventsPort)
    restsWhenLost = assignment.onLost == .rest
  }

  func model() throws(WireError) -> Assignment {
    Assignment(
      incarnation: incarnation, lease: try Decode.number(lease, "lease", in: Self.leases),
      commandsPort: try Self.port(commandsPort, "commands_port"), ticksPort: try Self.port(ticksPort, "ticks_port"),
      eventsPort: try Self.port(eventsPort, "events_port"), onLost: restsWhenLost ? .rest : .hold)
  }

  /// The accepted leases in seconds. A worker must not act for more than an hour without a message of its coordinator.
  static let leases = 0.0...3600.0

  private static func port(_ number: UInt32, _ field: String) throws(WireError) -> UInt16 {
    guard let port = UInt16(exactly: number), port > 0 else {
      throw WireError(.value, field: field, "\(number) is no port", remedy: "Send 1 to 65535")
    }
    return port
  }
}
