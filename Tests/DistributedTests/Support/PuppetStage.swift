import MotionClient
import MotionModel

/// A daemon with the ``ScriptedPlugin`` and a plan for it on the target `stage`, whose worker the test plays.
struct PuppetStage {
  let directory: TestDirectory
  let daemon: Daemon
  let client: MotionClient

  /// Starts the daemon and commits the plan, so that the worker is needed.
  init(named name: IntentionName? = nil) throws {
    directory = try TestDirectory()
    try ScriptedPlugin.write(to: directory)
    daemon = try Daemon(in: directory)
    client = try daemon.connect()
    try client.add(Intention("Puppet"), named: name, to: "stage")
  }

  /// The worker of the plugin's start of this number, once the daemon has started it.
  func puppet(incarnation: UInt64 = 1) throws -> PuppetWorker {
    try PuppetWorker(ScriptedPlugin.environment(in: directory, incarnation: incarnation))
  }
}
