import MCAP
import MotionModel
import SwiftProtobuf
import Testing

@testable import MotionWire

@Suite struct ExportEncoderTests {
  private let frame = RecordedFrame(
    frame: Frame(number: 7, time: 0.5, dt: 0.25), events: [], hash: 1,
    clocks: MachineClocks(wallTime: 9_000, bootTime: 1))

  private func messages(of encoder: inout ExportEncoder) throws -> [(topic: String, message: MCAPMessage)] {
    encoder.finish()
    var reader = MCAPReader()
    reader.append(encoder.take())
    var topics: [UInt16: String] = [:]
    var messages: [(topic: String, message: MCAPMessage)] = []
    while true {
      switch try reader.next() {
      case .channel(let channel): topics[channel.id] = channel.topic
      case .message(let message): messages.append((topics[message.channel] ?? "", message))
      case .needsBytes, .end: return messages
      default: continue
      }
    }
  }

  @Test func `each part has its channel, with the times of its frame`() throws {
    var encoder = ExportEncoder(RecordingHeader(ratePerSecond: 60, plugins: []), at: 5_000)
    encoder.add(frame)
    encoder.add(event: "a stop", in: frame)
    let ball = PropertyReference("ball", "position")
    encoder.add(driver: "SpringTo 1.0", of: ball, from: 0.25, in: frame)
    let state = PropertyState([1, 2], velocity: [3, 4])
    let hasRoom = encoder.add(state, of: ball, after: frame)
    #expect(hasRoom)
    let messages = try messages(of: &encoder)
    #expect(
      messages.map(\.topic) == [
        "motiond/header", "motiond/frames", "motiond/events", "motiond/drivers", "values/ball/position",
      ])
    #expect(messages.map(\.message.logTime) == [5_000, 9_000, 9_000, 9_000, 9_000])
    let sample = try ProtoPropertySample(serializedBytes: messages[4].message.data)
    #expect(sample.frame == 7 && sample.time == 0.5 && sample.value == [1, 2] && sample.velocity == [3, 4])
    let driver = try ProtoDriverSample(serializedBytes: messages[3].message.data)
    #expect(driver.time == 0.25 && driver.target == "ball" && driver.property == "position")
    #expect(try ProtoEventSample(serializedBytes: messages[2].message.data).time == 0.25)
  }

  @Test func `there is room for many properties, and for what is no property beyond`() throws {
    var encoder = ExportEncoder(RecordingHeader(ratePerSecond: 60, plugins: []), at: 0)
    var count = 0
    for number in 0..<ExportEncoder.mostProperties + 10 {
      let reference = PropertyReference(try TargetName("t\(number)"), "x")
      if encoder.add(PropertyState([1]), of: reference, after: frame) { count += 1 }
    }
    #expect(count == ExportEncoder.mostProperties)
    encoder.add(driver: "", of: PropertyReference("a", "b"), from: 0, in: frame)
    encoder.add(event: "", in: frame)
    let again = encoder.add(PropertyState([2]), of: PropertyReference("t0", "x"), after: frame)
    #expect(again)
    #expect(try messages(of: &encoder).count == count + 4)
  }
}
