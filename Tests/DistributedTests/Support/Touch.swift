import Foundation
import LinuxSystem
import MotionClient
import MotionModel
import ZeroMQ

/// A finger on a target, through a client.
struct Touch {
  let client: MotionClient
  let target: TargetName
  var device: DeviceName = "finger"

  /// Sends a phase of the finger's touch.
  func say(_ phase: PointerEvent.Phase, at location: SIMD2<Double>, id: UInt64 = 1) throws {
    try send([PointerEvent(id: id, phase, at: location, time: 0)])
  }

  func send(_ events: [PointerEvent]) throws {
    try client.send(PointerInput(target, from: device, events))
  }

  /// Plays the touch that is part of the examples, as if it ended now.
  func play() throws {
    let text = try String(contentsOfFile: Programs.source("examples/touch.jsonl"), encoding: .utf8)
    let events = try text.split(separator: "\n").map { line in
      guard let event = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
        let time = event["time"] as? Double, let id = event["pointer"] as? UInt64, let at = event["at"] as? [Double],
        let phase = (event["phase"] as? String).flatMap(PointerEvent.Phase.init)
      else { throw Problem("no pointer event: \(line)") }
      return PointerEvent(id: id, phase, at: SIMD2(at[0], at[1]), time: time)
    }
    let end = BootClock.now / .seconds(1)
    let last = events.last?.time ?? 0
    try send(
      events.map { event in
        var event = event
        event.time += end - last
        return event
      })
  }
}
