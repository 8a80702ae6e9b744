import MotionModel
import MotionTestKit
import MotionWire

/// A way to misbehave at a socket that libzmq's own interface does not allow.
///
/// Vices that take memory without a bound are not here but in tests of their own, which state how much.
enum Vice: String, CaseIterable, Sendable {
  case silence, halfGreetings, wrongSignatures, oldVersions, otherVersions, otherMechanisms, garbageMetadata
  case hugeMetadata, otherSocketTypes, commandsOutOfOrder, errors, oddFlags, endlessFrames, byteByByte, bursts
  case neverReading, subscriptions, withdrawals, hugeSubscriptions, identities, garbage, wrongDirections, replays, pings

  /// Performs it at a door.
  ///
  /// - Returns: strangers that have to stay connected while the test checks motiond.
  func practise(at door: Neighbourhood.Door, _ random: inout SeededRandom) throws -> [Stranger] {
    switch self {
    case .silence: return try (0..<50).map { _ in try Stranger(to: door.path) }
    case .halfGreetings:
      return try (0...64).map { length in
        let stranger = try Stranger(to: door.path)
        stranger.say(Array(ZMTP.greeting().prefix(length)))
        // Every other one closes the connection in the middle of its greeting.
        return length % 2 == 0 ? stranger : nil
      }.compactMap { $0 }
    case .wrongSignatures:
      for _ in 0..<100 { try Stranger(to: door.path).say(random.bytes(1...100)) }
    case .oldVersions: return try oldVersions(door)
    case .otherVersions:
      for major in [0, 1, 2, 4, 127, 255] as [UInt8] {
        try Stranger(to: door.path).say(ZMTP.greeting(version: [major, 255]) + ZMTP.ready(door.peer))
      }
    case .otherMechanisms: try otherMechanisms(door, &random)
    case .garbageMetadata: try garbageMetadata(door, &random)
    case .hugeMetadata: try hugeMetadata(door)
    case .otherSocketTypes:
      for type in ["PUB", "SUB", "XPUB", "XSUB", "REQ", "REP", "ROUTER", "PUSH", "PULL", "PAIR", "STREAM", ""] {
        try Stranger(to: door.path, as: type).say(ZMTP.frame(random.bytes(0...100)))
      }
    case .commandsOutOfOrder: try commandsOutOfOrder(door)
    case .errors: try errors(door)
    case .oddFlags:
      for flags in UInt8.min...UInt8.max {
        try Stranger(to: door.path, as: door.peer).say([flags] + random.bytes(0...64))
      }
    case .endlessFrames:
      for length in [1 << 63, .max, 1 << 62, 1 << 40, UInt64(Limits.clientMessageBytes) + 1] as [UInt64] {
        let stranger = try Stranger(to: door.path, as: door.peer)
        stranger.say(ZMTP.beginning(ofFrame: length) + Array(repeating: 7, count: 100_000))
      }
    case .byteByByte: return try byteByByte(door)
    case .bursts:
      for _ in 0..<10 {
        let batch = try (0..<200).map { _ in try Stranger(to: door.path) }
        for stranger in batch.prefix(100) { stranger.say(ZMTP.greeting()) }
      }
    case .neverReading: return try neverReading(door)
    case .subscriptions, .withdrawals, .hugeSubscriptions: return try subscriptions(door, &random)
    case .identities: return try identities(door, &random)
    case .garbage:
      let stranger = try Stranger(to: door.path, as: door.peer)
      for _ in 0..<2000 { stranger.say(ZMTP.frame(random.bytes(0...300))) }
      return [stranger]
    case .wrongDirections: return try wrongDirections(door)
    case .replays: return try replays(door)
    case .pings: return try pings(door)
    }
    return []
  }

  private func oldVersions(_ door: Neighbourhood.Door) throws -> [Stranger] {
    // Types as ZMTP 2.0 numbers them: PUB 1, SUB 2, DEALER 5.
    let type: UInt8 = ["PUB": 1, "SUB": 2, "DEALER": 5][door.peer] ?? 0
    let second = try Stranger(to: door.path)
    second.say(ZMTP.greeting2(socketType: type) + ZMTP.frame(Array("\u{1}v/".utf8)) + ZMTP.frame([1]))
    let first = try Stranger(to: door.path)
    // Length (with the flags), flags, body: subscribes to everything at a publisher.
    first.say(ZMTP.greeting1 + [2, 0, 1] + [7, 0] + Array("hello!".utf8))
    let endless = try Stranger(to: door.path)
    endless.say(ZMTP.greeting1 + [0xFF] + Array(repeating: 0xFF, count: 1000))
    return [first, second, endless]
  }

  private func otherMechanisms(_ door: Neighbourhood.Door, _ random: inout SeededRandom) throws {
    for name in ["PLAIN", "CURVE", "GSSAPI", "null", "NULLNULLNULLNULLNULL", ""] {
      for command in [ZMTP.ready(door.peer), ZMTP.command("HELLO", random.bytes(200...200)), ZMTP.command("INITIATE")] {
        try Stranger(to: door.path).say(ZMTP.greeting(mechanism: Array(name.utf8), asServer: 1) + command)
      }
    }
    for _ in 0..<50 { try Stranger(to: door.path).say(ZMTP.greeting(mechanism: random.bytes(20...20))) }
  }

  private func garbageMetadata(_ door: Neighbourhood.Door, _ random: inout SeededRandom) throws {
    let type = ZMTP.property("Socket-Type", Array(door.peer.utf8))
    let bodies: [[UInt8]] = [
      [], type + type, [0], [255], [11] + Array("Socket-Type".utf8), ZMTP.property("", [1]),
      [1, 65, 0xFF, 0xFF, 0xFF, 0xFF], [1, 65, 0x7F, 0xFF, 0xFF, 0xFF], [1, 65, 0x80, 0, 0, 0] + type,
      type + ZMTP.property("Identity", []) + ZMTP.property("Identity", [1, 2]),
      Array(repeating: type, count: 10_000).flatMap(\.self),
      type + ZMTP.property(String(repeating: "X", count: 255), [0]),
    ]
    for body in bodies + (0..<50).map({ _ in random.bytes(0...100) }) {
      try Stranger(to: door.path).say(ZMTP.greeting() + ZMTP.command("READY", body) + ZMTP.frame([1]))
    }
  }

  private func hugeMetadata(_ door: Neighbourhood.Door) throws {
    for bytes in [255, 256, 8192, 1 << 20, 16 << 20] {
      let huge = ("X-Huge", [UInt8](repeating: 88, count: bytes))
      try Stranger(to: door.path).say(ZMTP.greeting() + ZMTP.ready(door.peer, [huge]))
    }
    for length in [1 << 63, 1 << 40] as [UInt64] {
      try Stranger(to: door.path).say(
        ZMTP.greeting() + ZMTP.beginning(ofFrame: length, flags: 4) + Array(repeating: 5, count: 100_000))
    }
  }

  private func commandsOutOfOrder(_ door: Neighbourhood.Door) throws {
    let ready = ZMTP.ready(door.peer)
    let words: [[UInt8]] = [
      ready + ready, ZMTP.frame([1]) + ready, ZMTP.command("SUBSCRIBE", [0]) + ready, ZMTP.command("PING") + ready,
      ready + ZMTP.command("HELLO") + ZMTP.command("WELCOME") + ZMTP.command("INITIATE"),
      ready + ZMTP.command("") + ZMTP.command(String(repeating: "Z", count: 255)) + [4, 0] + [4, 1, 200],
      // A command with the flag for more frames, and one in the middle of a message.
      ready + [5, 5] + [4] + Array("PING".utf8), ready + ZMTP.frame([1], more: true) + ready + ZMTP.frame([2]),
      ready + ZMTP.command("SUBSCRIBE") + ZMTP.command("CANCEL") + ZMTP.command("JOIN", [3]) + ZMTP.command("LEAVE"),
    ]
    for word in words { try Stranger(to: door.path).say(ZMTP.greeting() + word) }
  }

  private func errors(_ door: Neighbourhood.Door) throws {
    let reasons: [[UInt8]] = [[], [0], [255], [3, 52], [3] + Array("400".utf8), Array(repeating: 255, count: 300)]
    for reason in reasons {
      let error = ZMTP.command("ERROR", reason)
      try Stranger(to: door.path).say(ZMTP.greeting() + error + ZMTP.ready(door.peer))
      try Stranger(to: door.path, as: door.peer).say(error + error)
    }
  }
}
