import MotionClient
import MotionModel
import MotionWire
import Testing

@testable import motionctl

@Suite struct WatchTableTests {
  private func frame(_ number: UInt64, _ values: [(String, Lanes)], missed: UInt64 = 0) -> ValueSubscription.Event {
    .values(
      FrameValues(
        interest: .values(.everything), frame: number, time: Double(number) / 4, dt: 0.25,
        properties: values.compactMap { name, value in
          guard let target = try? TargetName(name) else { return nil }
          return PropertyValue(reference: PropertyReference(target, "position"), value: value)
        }, missed: missed))
  }

  @Test func showsValuesAndCurves() {
    var table = WatchTable(title: "everything")
    table.take(frame(1, [("ball", [0, 0])]))
    table.sample()
    table.take(frame(2, [("ball", [7, 1])]))
    table.sample()
    #expect(
      table.lines(columns: 60, rows: 24, style: .plain) == [
        "everything  frame 2  0.50 s  Ctrl-C ends",
        "PROPERTY             VALUE",
        "ball/position  7.000 1.000  " + String(repeating: " ", count: 30) + "▁█",
      ])
  }

  @Test func `missed frames and the outcomes of plans are shown`() {
    var table = WatchTable(title: "ball")
    table.take(frame(9, [("ball", [0, 0])], missed: 3))
    let ended = EndedIntention(
      identity: IntentionIdentity(sequence: 2, operation: 0), target: "ball", type: "Tween", name: nil, frame: 8,
      outcome: .displaced)
    table.take(.ended([ended], missed: 0))
    let lines = table.lines(columns: 60, rows: 24, style: .plain)
    #expect(lines[0].contains("3 missed"))
    #expect(lines.last?.trimmingSpacesAtEnd == "frame 8  Tween 2.0 on ball displaced")
  }

  @Test func `a table is cut to the screen`() {
    var table = WatchTable(title: "everything")
    table.take(frame(1, (1...600).map { ("target-\($0)", [Double($0), 0]) }))
    let lines = table.lines(columns: 80, rows: 10, style: .plain)
    #expect(lines.count == 10)
    #expect(lines.last == "… and 593 more: name a target to see them")
    #expect(lines.allSatisfy { $0.count <= 80 })
  }

  @Test func `a lost connection and an unknown target are shown`() {
    var table = WatchTable(title: "ball", empty: "there is no target \"ball\" yet")
    #expect(table.lines(columns: 60, rows: 24, style: .plain).last == "there is no target \"ball\" yet")
    table.isLost = true
    #expect(table.lines(columns: 60, rows: 24, style: .plain)[0].hasSuffix("connection lost, waiting for motiond"))
  }

  @Test func `the table is cleared after a restart of the daemon`() {
    var table = WatchTable(title: "everything")
    table.take(frame(900, [("ball", [0, 0])]))
    table.take(.restarted(epoch: 2))
    #expect(table.lines(columns: 60, rows: 24, style: .plain).last == "nothing has moved yet")
  }
}
