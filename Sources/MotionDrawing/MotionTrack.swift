public import MotionModel

/// Where a property was in the course of time, and who took it over when.
public struct MotionTrack: Hashable, Sendable {
  /// Where the property was at a moment.
  public struct Sample: Hashable, Sendable {
    /// The frame whose end the moment is; of a property that stands, the last frame that moved it.
    public var frame: UInt64
    /// The simulated time, in seconds.
    public var time: Double
    /// Value and velocity.
    public var state: PropertyState

    /// A state at a moment.
    public init(frame: UInt64, time: Double, _ state: PropertyState) {
      self.frame = frame
      self.time = time
      self.state = state
    }
  }

  /// A moment that is worth a vertical line.
  public struct Mark: Hashable, Sendable {
    /// The simulated time, in seconds.
    public var time: Double
    /// What happened: of a hand-over, the type of the intention that took over.
    public var label: String

    /// A mark with its label.
    public init(time: Double, label: String) {
      self.time = time
      self.label = label
    }
  }

  /// The property.
  public let reference: PropertyReference
  /// Where it was, in order of times; between two samples it went straight.
  public var samples: [Sample]
  /// The hand-overs, in order of times.
  public var marks: [Mark]

  /// A track of a property.
  public init(_ reference: PropertyReference, samples: [Sample] = [], marks: [Mark] = []) {
    self.reference = reference
    self.samples = samples
    self.marks = marks
  }

  /// How many lanes the property has; 0 while nothing is known of it.
  public var laneCount: Int { samples.last?.state.value.count ?? 0 }

  /// What lies between two times.
  public func cut(to times: ClosedRange<Double>) -> MotionTrack {
    MotionTrack(
      reference, samples: samples.filter { times.contains($0.time) }, marks: marks.filter { times.contains($0.time) })
  }

  /// From the first sample, or the hand-over before it, to the last one; `nil` without samples.
  public var times: ClosedRange<Double>? {
    guard let first = samples.first, let last = samples.last else { return nil }
    return min(first.time, marks.first?.time ?? first.time)...max(first.time, last.time)
  }
}
