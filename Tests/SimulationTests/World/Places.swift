import MotionModel

@testable import MotionCore

/// Where everything was after each frame, as far back as a checkpoint may hold it.
///
/// Between frames things change as well, where a worker is lost: of a frame there are as many records as differ.
struct Places {
  private var frames: [UInt64: [[PropertyReference: SIMD4<Double>]]] = [:]
  /// When a frame was seen first.
  private var times: [UInt64: Duration] = [:]

  /// Takes note of where everything is.
  mutating func note(_ runtime: Runtime, at now: Duration) {
    var places: [PropertyReference: SIMD4<Double>] = [:]
    for slot in runtime.properties.occupied {
      places[runtime.properties[slot].reference] = runtime.properties.value(at: slot)
    }
    let number = runtime.frame.number
    if times[number] == nil { times[number] = now }
    if frames[number]?.last != places { frames[number, default: []].append(places) }
  }

  /// What of a runtime that was started is not where it was after the frame of its checkpoint, or where all things begin.
  ///
  /// Frames that were run one behind the other were not seen, and nothing is said of those.
  func problems(of runtime: Runtime, goingOnFrom frame: UInt64) -> [String] {
    guard let records = frames[frame] else { return [] }
    return records.map { Self.problems(of: runtime, comparedWith: $0) }.min { $0.count < $1.count } ?? []
  }

  private static func problems(
    of runtime: Runtime, comparedWith places: [PropertyReference: SIMD4<Double>]
  ) -> [String] {
    runtime.properties.occupied.compactMap { slot in
      let (reference, value) = (runtime.properties[slot].reference, runtime.properties.value(at: slot))
      let lanes = runtime.properties.lanes(at: slot)
      let first = Lanes(SIMD4(repeating: KnownProperty.named(reference.property).initialLane), count: lanes).storage
      guard value != places[reference], value != first else { return nil }
      return "\(reference) begins again at \(value), where it never was in the frame of the checkpoint: "
        + (places[reference].map { "it was at \($0)" } ?? "it was not there")
    }
  }

  /// When something happened of which a checkpoint of `frame` does not know.
  func firstTime(after frame: UInt64) -> Duration? { times.lazy.filter { $0.key > frame }.map(\.value).min() }

  /// A coordinator goes on from the checkpoint of `frame`: what was later never was, and what was earlier comes back no more.
  mutating func goOn(from frame: UInt64) {
    frames = frames.filter { $0.key == frame }
    times = times.filter { $0.key == frame }
  }
}
