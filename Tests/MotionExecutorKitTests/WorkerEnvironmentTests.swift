import MotionExecutorKit
import MotionModel
import Testing
import ZeroMQ

@Suite struct WorkerEnvironmentTests {
  private static let whole = [
    "MOTION_PLUGIN": "tween", "MOTION_INSTANCE": "1", "MOTION_INCARNATION": "3", "MOTION_EPOCH": "7",
    "MOTION_LINK": "ipc:///run/motiond/worker/link.ipc", "MOTION_COMMANDS": "ipc:///run/motiond/worker/commands.ipc",
    "MOTION_TICKS": "ipc:///run/motiond/worker/ticks.ipc", "MOTION_EVENTS": "ipc:///run/motiond/worker/events.ipc",
  ]

  @Test func `every environment variable is parsed`() throws {
    let environment = try WorkerEnvironment { Self.whole[$0] }
    #expect(environment.address.description == "tween.1")
    #expect(environment.incarnation == 3)
    #expect(environment.epoch == 7)
    #expect(environment.link.address == Self.whole["MOTION_LINK"])
    #expect(environment.commands.address == Self.whole["MOTION_COMMANDS"])
    #expect(environment.ticks.address == Self.whole["MOTION_TICKS"])
    #expect(environment.events.address == Self.whole["MOTION_EVENTS"])
    #expect(environment.onLost == .hold)
    let resting = try WorkerEnvironment { $0 == "MOTION_ON_LOST" ? "rest" : Self.whole[$0] }
    #expect(resting.onLost == .rest)
  }

  @Test func aVariableThatIsMissingOrWrongIsNamedWithTheRemedy() {
    let wrong = [
      "MOTION_PLUGIN": "No Name", "MOTION_INSTANCE": "-1", "MOTION_INCARNATION": "x", "MOTION_EPOCH": "",
      "MOTION_LINK": "link.ipc", "MOTION_COMMANDS": "http://x", "MOTION_TICKS": "tcp://x", "MOTION_EVENTS": "ipc://",
      "MOTION_ON_LOST": "panic",
    ]
    for name in wrong.keys {
      for text in [nil, wrong[name]] where !(text == nil && name == "MOTION_ON_LOST") {
        let error = #expect(throws: WorkerEnvironmentError.self) {
          try WorkerEnvironment { $0 == name ? text : Self.whole[$0] }
        }
        #expect(error?.variable == name)
        #expect(error?.description.contains("is started by it") == true)
      }
    }
  }
}
