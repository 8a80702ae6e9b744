import MotionClient
import MotionModel
import MotionWire
import Testing
import ZeroMQ

/// A motiond with a client whose motion is watched frame by frame, and the sockets to which strangers connect.
final class Neighbourhood {
  /// A socket of motiond, and the type of its peers.
  struct Door: CustomTestStringConvertible {
    let name: String
    let path: String
    /// The type of socket of a correct peer.
    let peer: String
    var testDescription: String { name }

    /// Whether this socket receives subscriptions.
    var hearsSubscriptions: Bool { peer == "SUB" }
  }

  let daemon: Daemon
  let client: MotionClient
  let doors: [Door]
  private let watcher: Watcher
  private var processID: Int32 { daemon.process.processID }

  /// At 30 frames a second, frames are skipped when the coordinator was blocked for longer than an eighth of a second.
  static let rate = 30.0

  /// Starts the daemon, if there is none, and starts a motion that never rests.
  init(of daemon: Daemon? = nil) throws {
    let daemon = try daemon ?? Daemon(rate: Self.rate)
    let client = try daemon.connect()
    let watcher = try Watcher(client, .motion(.target("neighbour")))
    (self.daemon, self.client, self.watcher) = (daemon, client, watcher)
    try client.add(.springTo("position", [100, 0], .physical(tension: 100, friction: 0)), to: "neighbour")
    try watcher.listen("the neighbour moves") { watcher.frames.count > 3 }
    let paths = daemon.paths
    doors = [
      Door(name: "control", path: paths.controlSocket, peer: "DEALER"),
      Door(name: "values", path: paths.valuesSocket, peer: "SUB"),
      Door(name: "link", path: paths.linkSocket, peer: "DEALER"),
      Door(name: "commands", path: paths.commandsSocket, peer: "SUB"),
      Door(name: "ticks", path: paths.ticksSocket, peer: "SUB"),
      Door(name: "events", path: paths.eventsSocket, peer: "PUB"),
    ]
  }

  /// Frames that a machine skips by itself when it builds something else at the same time: a third of a second in a
  /// whole test. Delays that strangers could once cause were longer.
  private static let framesOfMachine: UInt64 = 10

  /// A door by its name.
  func door(_ name: String) throws -> Door {
    guard let door = doors.first(where: { $0.name == name }) else { throw Problem("there is no door \(name)") }
    return door
  }

  /// motiond's resident memory.
  var memory: Int { ProcessFacts(processID).residentBytes }

  /// Checks that no peer was disturbed: motiond runs, frames continue and none was missed, others are served, and its
  /// memory has grown by no more than `growth`.
  func expectPeace(
    after vice: String, growth: Int = 32 << 20, since before: Int, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try #require(
      daemon.process.isRunning, "\(vice): motiond has died; it said: \(daemon.log.suffix(500))",
      sourceLocation: sourceLocation)
    // An existing client, and a new one.
    try client.add(.springTo("opacity", 0.5), to: "neighbour")
    let newcomer = try daemon.connect()
    let status = try newcomer.status()
    #expect(status["skipped-frames"] ?? .max <= Self.framesOfMachine, "\(vice)", sourceLocation: sourceLocation)
    let seen = watcher.frames.count
    try watcher.listen("\(vice): the neighbour still moves") { watcher.frames.count > seen + 5 }
    #expect(watcher.missed == 0, "\(vice)", sourceLocation: sourceLocation)
    #expect(
      Watcher.isGapless(watcher.track("position", of: "neighbour")), "\(vice)", sourceLocation: sourceLocation)
    #expect(memory - before <= growth, "\(vice): \((memory - before) >> 20) MiB more", sourceLocation: sourceLocation)
  }
}
