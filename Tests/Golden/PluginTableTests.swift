import MotionModel
import Testing

@testable import motionctl

struct PluginTableTests {
  @Test func `a plugin in quarantine has one row`() {
    let worker = WorkerRow(
      address: WorkerAddress("unruly", 0), state: .quarantined, incarnation: 9, restarts: 5, reason: "it died")
    let plugin = PluginRow(
      name: "unruly", path: "/p/unruly", problem: "quarantined: it died", types: [], workers: [worker])
    let lines = Table([plugin]).lines(style: .plain)
    #expect(lines.count == 2 && lines[1].contains("quarantined"), "\(lines)")
  }
}
