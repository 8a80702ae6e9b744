import MotionFiles
import MotionModel
import Testing

@testable import motionctl

@Suite struct InputMessagesTests {
  private func entry(
    _ time: Double, _ target: TargetName = "ball", from device: DeviceName = "hand", id: UInt64 = 1
  ) -> PointerTraceFile.Entry {
    PointerTraceFile.Entry(target, from: device, PointerEvent(id: id, .move, at: SIMD2(time, 0), time: time))
  }

  @Test func neighboursOfOneTargetAndDeviceShareAMessage() {
    let entries = [
      entry(0), entry(1), entry(2, "box"), entry(3, "box", from: "pen"), entry(4, "box", from: "pen"), entry(5),
    ]
    let messages = InputMessages.messages(of: entries, shiftedBy: 10)
    #expect(messages.map(\.target) == ["ball", "box", "box", "ball"])
    #expect(messages.map(\.device) == ["hand", "hand", "pen", "hand"])
    #expect(messages.map { $0.events.map(\.time) } == [[10, 11], [12], [13, 14], [15]])
  }

  @Test func `a message contains at most 1,024 events`() {
    let entries = (0..<3000).map { entry(Double($0)) }
    let messages = InputMessages.messages(of: entries, shiftedBy: 0)
    #expect(messages.map(\.events.count) == [1024, 1024, 952])
    #expect(messages.flatMap(\.events) == entries.map(\.event))
  }

  @Test func `a moment contains the events of one time`() {
    let entries = [entry(0, id: 1), entry(0, id: 2), entry(1), entry(2, id: 1), entry(2, id: 2)]
    let moments = InputMessages.moments(of: entries)
    #expect(moments.map(\.count) == [2, 1, 2])
    #expect(moments.flatMap { Array($0) } == entries)
    #expect(InputMessages.moments(of: []).isEmpty)
  }
}
