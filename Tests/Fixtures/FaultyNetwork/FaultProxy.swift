import Foundation
import Glibc
import MotionTestKit

/// Stands between peers and motiond's sockets, passes on what they say byte for byte, and does what networks do: it is
/// slow, cuts connections at any byte, closes one direction, keeps one direction to itself, says garbage, or listens, alters
/// and resends what was said.
///
/// One thread owns all descriptors; what others ask of it comes in mailbox. What it does by chance comes from its seed:
/// with the same seed each connection is cut behind the same number of bytes. It ends with ``stop()``, or when it is let go.
public final class FaultProxy: Sendable {
  /// Which way bytes go.
  public enum Direction: Int, Sendable, CaseIterable {
    case toServer
    case toClient
  }

  /// How it passes things on.
  public struct Weather: Sendable {
    /// How long each piece waits, drawn anew for each; order is kept.
    public var delay: ClosedRange<Duration> = .zero ... .zero
    /// Behind how many bytes a connection is cut, drawn anew for each; `nil` never cuts.
    public var cutAfter: ClosedRange<Int>?
    /// Directions in which nothing passes; what is said there is kept, as by a network that will say it again.
    public var silent: Set<Direction> = []
    /// Directions in which a bit of the last byte of each piece is another one when it comes out.
    public var altered: Set<Direction> = []
    /// Whether what passes is kept: see ``FaultProxy/heard``.
    public var listens = false
    /// Whether nobody gets through: connections are closed as soon as they are made.
    public var isDown = false

    /// Everything passes at once.
    public init() {}
  }

  /// What has happened so far.
  public struct Counts: Sendable, Equatable {
    /// How many were made through it.
    public var connections = 0
    /// How many it has cut.
    public var cuts = 0
    /// How many it has closed at once, because it was down or nobody listened behind it.
    public var refused = 0
    /// How many bytes it has passed on.
    public var bytes = 0
    /// Into how many connections it has said garbage.
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

  /// From now on it passes things on in this way.
  public func set(_ change: (inout Weather) -> Void) {
    var weather = Weather()
    change(&weather)
    mail.send(.weather(weather))
  }

  /// Cuts all connections that there are, whatever is under way in them.
  public func cut() { mail.send(.cut) }

  /// Says in each connection that nothing more will come in one direction, and goes on with the other.
  public func halfClose(_ direction: Direction) { mail.send(.halfClose(direction)) }

  /// Says so many random bytes in each connection, between two pieces of what passes.
  public func say(garbage count: Int, _ direction: Direction) { mail.send(.garbage(count, direction)) }

  /// Says these bytes in each connection, between two pieces of what passes.
  public func say(_ bytes: [UInt8], _ direction: Direction) { mail.send(.say(bytes, direction)) }

  /// A piece that has come while it listened.
  public struct Piece: Sendable {
    /// Of which connection: they are numbered as they were made.
    public let connection: Int
    /// Which way it went.
    public let direction: Direction
    /// As they came, before anything was altered.
    public let bytes: [UInt8]
  }

  /// What has come while it listened, in order.
  public var heard: [Piece] { mail.heard }

  /// Ends it and all of its connections, and waits until that has happened.
  public func stop() {
    mail.send(.stop)
    while !mail.isOver { usleep(1000) }
  }

  /// What has happened so far.
  public var counts: Counts { mail.counts }
}
