import Foundation
import Glibc
import MotionTestKit

/// A proxy between peers and motiond's sockets. It passes on their bytes unchanged, and injects the faults of networks:
/// it is slow, cuts connections at any byte, closes one direction, blocks one direction, sends garbage, or eavesdrops,
/// alters and resends messages.
///
/// One thread owns all descriptors; requests from other threads arrive in a mailbox. Its random choices come from its
/// seed: with the same seed each connection is cut after the same number of bytes. It ends with ``stop()``, or when it
/// is released.
public final class FaultProxy: Sendable {
  /// The direction of bytes.
  public enum Direction: Int, Sendable, CaseIterable {
    case toServer
    case toClient
  }

  /// The faults with which it passes bytes on.
  public struct Weather: Sendable {
    /// The delay of each piece, drawn for each; order is kept.
    public var delay: ClosedRange<Duration> = .zero ... .zero
    /// The number of bytes after which a connection is cut, drawn for each; `nil` never cuts.
    public var cutAfter: ClosedRange<Int>?
    /// Directions in which nothing passes; bytes sent there are kept, as by a network that will retransmit them.
    public var silent: Set<Direction> = []
    /// Directions in which a bit of the last byte of each piece is flipped on output.
    public var altered: Set<Direction> = []
    /// Whether passing bytes are kept: see ``FaultProxy/heard``.
    public var listens = false
    /// Whether no peer gets through: connections are closed as soon as they are made.
    public var isDown = false

    /// Everything passes at once.
    public init() {}
  }

  /// The events so far.
  public struct Counts: Sendable, Equatable {
    /// The number of connections made through it.
    public var connections = 0
    /// The number of connections that it has cut.
    public var cuts = 0
    /// The number that it has closed at once, because it was down or there was no listener behind it.
    public var refused = 0
    /// The number of bytes that it has passed on.
    public var bytes = 0
    /// The number of connections into which it has sent garbage.
    public var garbage = 0
  }

  private let mail: FaultProxyMail

  /// Listens at the first place of each route, and connects to its second one.
  public init(_ routes: [(near: SocketPlace, far: SocketPlace)], seed: UInt64) throws {
    let listeners = try routes.map { FaultProxyListener(descriptor: try $0.near.listen(), far: $0.far) }
    let mail = try FaultProxyMail()
    self.mail = mail
    let thread = Thread {
      var loop = FaultProxyLoop(listeners, mail, random: SeededRandom(seed: seed))
      loop.run()
    }
    thread.name = "fault-proxy"
    thread.start()
  }

  deinit { mail.send(.stop) }

  /// Changes how it passes bytes on from now on.
  public func set(_ change: (inout Weather) -> Void) {
    var weather = Weather()
    change(&weather)
    mail.send(.weather(weather))
  }

  /// Cuts all present connections, with all bytes under way in them.
  public func cut() { mail.send(.cut) }

  /// Ends one direction of each connection, and continues with the other.
  public func halfClose(_ direction: Direction) { mail.send(.halfClose(direction)) }

  /// Sends so many random bytes in each connection, between two pieces of the passing bytes.
  public func say(garbage count: Int, _ direction: Direction) { mail.send(.garbage(count, direction)) }

  /// Sends these bytes in each connection, between two pieces of the passing bytes.
  public func say(_ bytes: [UInt8], _ direction: Direction) { mail.send(.say(bytes, direction)) }

  /// A piece that arrived while it was listening.
  public struct Piece: Sendable {
    /// The connection's number: they are numbered in the order of their creation.
    public let connection: Int
    /// The direction of the piece.
    public let direction: Direction
    /// The bytes as they arrived, before any alteration.
    public let bytes: [UInt8]
  }

  /// The pieces that arrived while it was listening, in order.
  public var heard: [Piece] { mail.heard }

  /// Ends it and all of its connections, and waits until that has happened.
  public func stop() {
    mail.send(.stop)
    while !mail.isOver { usleep(1000) }
  }

  /// The events so far.
  public var counts: Counts { mail.counts }
}
