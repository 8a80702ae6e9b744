import MotionCore
import MotionModel

extension Coordinator {
  /// Takes what pointers did, at times of the boot clock, into the next frame.
  ///
  /// - Throws: `Refusal` when a time is too far from now, or too much input waits.
  func receive(_ input: PointerInput, at now: Duration) throws(Refusal) {
    var input = input
    for index in input.events.indices {
      let moment = try moment(of: input.events[index], at: now)
      input.events[index].time = clock.time(ofEventAt: moment)
    }
    try runtime.submit(input)
  }

  /// When an event was, on the boot clock.
  private func moment(of event: PointerEvent, at now: Duration) throws(Refusal) -> Duration {
    guard event.time != 0 else { return now }
    let distance = event.time - now.inSeconds
    guard abs(distance) <= Limits.pointerEventSeconds else {
      throw Refusal(
        .value, "a pointer event is \(Int(distance.rounded())) s from now",
        remedy: "Say seconds of the boot clock, at most \(Int(Limits.pointerEventSeconds)) s from now, or 0 for now.")
    }
    return now + .seconds(distance)
  }
}
