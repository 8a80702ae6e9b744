import MotionModel
import MotionTestKit
import MotionWire

@testable import MotionLink

/// The invariants at any time, and at the end.
extension LinkWorld {
  /// A frame is run after the commands that it announced, and with the plans that these result in.
  mutating func checkPlans(of worker: Worker, in frame: UInt64) {
    let applied = worker.link.commandsApplied
    if applied < wantedAtTick[frame, default: 0] {
      failures.append("frame \(frame) was run before the commands it announced")
    }
    guard applied < owed.count else { return failures.append("command \(applied) was applied and never sent") }
    let should = owed[Int(applied)]
    if !worker.held.isSubset(of: should) {
      failures.append("after command \(applied) it holds \(worker.held.subtracting(should).sorted()) besides")
    }
    let missing = should.subtracting(worker.held).subtracting(worker.ended).intersection(live)
    if !missing.isEmpty { failures.append("after command \(applied) it lacks \(missing.sorted())") }
  }

  /// No queue grows without bounds, and messages of other lives are counted.
  mutating func checkBounds() {
    for worker in workers {
      if worker.link.unacknowledgedEvents > Limits.unacknowledgedEvents { failures.append("too many events are kept") }
      let kept = worker.link.state.request?.commands.count ?? 0
      if kept > CommandBuffer.limit { failures.append("too many commands are kept") }
    }
    if countedForeign + coordinator.counters.fenced != foreign {
      failures.append(
        "\(foreign) messages of other lives came, \(countedForeign + coordinator.counters.fenced) were counted")
    }
  }

  /// Whether both ends have the complete state, and no other process acts.
  var hasConverged: Bool {
    guard let index = current, coordinator.state == .ready else { return false }
    guard workers.indices.allSatisfy({ $0 == index || !workers[$0].link.isActing }) else { return false }
    let worker = workers[index]
    return worker.link.state.word == "serving" && worker.held == live && worker.happened == known
      && worker.link.unacknowledgedEvents == 0 && worker.lastFrame == frame
      && worker.link.commandsApplied == coordinator.lastCommand
      && coordinator.acknowledgedCommand == coordinator.lastCommand
      && tokens == worker.link.tokens && coordinator.tokens == tokens
  }

  /// The remaining difference, if any.
  var difference: String? {
    if hasConverged { return nil }
    let workers = workers.map {
      "\($0.life) \($0.link.state.word) holds \($0.held.sorted()), happened \($0.happened.count), "
        + "unacknowledged \($0.link.unacknowledgedEvents), frame \($0.lastFrame), "
        + "applied \($0.link.commandsApplied), tokens \($0.link.tokens)"
    }
    return "\(life) \(coordinator.state), live \(live.sorted()), known \(known.count), frame \(frame), "
      + "acknowledged \(coordinator.acknowledgedCommand) of \(coordinator.lastCommand), tokens \(tokens); "
      + workers.joined(separator: "; ")
  }
}
