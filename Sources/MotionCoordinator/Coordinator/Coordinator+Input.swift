import MotionCore
import MotionModel

extension Coordinator {
  /// Takes pointer events, at times of the boot clock, into the next frame.
  ///
  /// - Throws: `Refusal` when a time is too far from now, too much input waits, or too many pointers are down.
  func receive(_ input: PointerInput, from client: UInt64, at now: Duration) throws(Refusal) {
    let downs = input.events.count { $0.phase == .down }
    guard downs == 0 || presence.pointerCount(of: client) + downs <= Limits.pointersDown else {
      throw Refusal(
        .limit, "a client has at most \(Limits.pointersDown) pointers down",
        remedy: "Say up or cancel of those that are gone")
    }
    var input = input
    for index in input.events.indices {
      try checkPlace(of: input.events[index])
      let moment = try moment(of: input.events[index], at: now)
      input.events[index].time = clock.time(ofEventAt: moment)
    }
    try runtime.submit(input)
    presence.touched(input, by: client, at: now)
  }

  private func checkPlace(of event: PointerEvent) throws(Refusal) {
    guard event.isWellFormed else {
      throw Refusal(
        .value, "a pointer is at (\(event.location.x), \(event.location.y))",
        remedy: "Say coordinates from -\(Limits.magnitude) to \(Limits.magnitude).")
    }
  }

  /// The time of an event, on the boot clock.
  private func moment(of event: PointerEvent, at now: Duration) throws(Refusal) -> Duration {
    guard event.time != 0 else { return now }
    let distance = event.time - now.inSeconds
    guard abs(distance) <= Limits.pointerEventSeconds else {
      throw Refusal(
        .value, "a pointer event is \(JSONText.number(distance.rounded())) s from now",
        remedy: "Say seconds of the boot clock, at most \(Int(Limits.pointerEventSeconds)) s from now, or 0 for now.")
    }
    return now + .seconds(distance)
  }
}
