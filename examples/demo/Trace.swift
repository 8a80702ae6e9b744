import MotionClient
import MotionModel

/// What was heard of one lane of a property, frame by frame.
struct Trace {
  struct Sample {
    var frame: UInt64
    var time: Double
    var value: Double
    var velocity: Double
    var isLate: Bool
  }

  /// A moment that is worth a mark.
  struct Mark {
    var time: Double
    var label: String
  }

  var name: String
  var samples: [Sample] = []
  var marks: [Mark] = []

  init(_ name: String) { self.name = name }

  mutating func hear(_ values: FrameValues, _ reference: PropertyReference, lane: Int = 0) {
    guard !values.isComplete, let property = values.properties.first(where: { $0.reference == reference }) else {
      return
    }
    samples.append(
      Sample(
        frame: values.frame, time: values.time, value: property.value[lane],
        velocity: property.velocity?[lane] ?? 0, isLate: property.isLate))
  }

  /// The sample of a frame.
  func sample(at frame: UInt64) -> Sample? { samples.last { $0.frame == frame } }

  /// The greatest change of the value from one frame to the next, since `time`.
  func largestStep(since time: Double) -> Double {
    let late = samples.filter { $0.time >= time }
    return zip(late, late.dropFirst()).map { abs($1.value - $0.value) }.max() ?? 0
  }

  /// The frames that are missing between the first and the last.
  var missingFrames: Int {
    guard let first = samples.first, let last = samples.last else { return 0 }
    return Int(last.frame - first.frame) + 1 - Set(samples.map(\.frame)).count
  }
}
