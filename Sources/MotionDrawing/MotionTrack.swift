public import MotionModel

/// The values of a property over time, and the hand-overs between its drivers.
public struct MotionTrack: Hashable, Sendable {
  /// The state of the property at one time.
  public struct Sample: Hashable, Sendable {
    /// The frame that ends at that time; for a property at rest, the last frame that moved it.
    public var frame: UInt64
    /// The simulated time, in seconds.
    public var time: Double
    /// Value and velocity.
    public var state: PropertyState

    /// Creates a state at a time.
    public init(frame: UInt64, time: Double, _ state: PropertyState) {
      self.frame = frame
      self.time = time
      self.state = state
    }
  }

  /// A time that is marked by a vertical line.
  public struct Mark: Hashable, Sendable {
    /// The simulated time, in seconds.
    public var time: Double
    /// The label; for a hand-over, the type of the intention that took over.
    public var label: String

    /// Creates a mark with its label.
    public init(time: Double, label: String) {
      self.time = time
      self.label = label
    }
  }

  /// The property.
  public let reference: PropertyReference
  /// The samples, in order of times; between two samples the value is interpolated linearly.
  public var samples: [Sample]
  /// The hand-overs, in order of times.
  public var marks: [Mark]
  /// The names of the lanes; those of the property if there are none.
  public var laneNames: [String] = []

  /// Creates a track of a property.
  public init(_ reference: PropertyReference, samples: [Sample] = [], marks: [Mark] = []) {
    self.reference = reference
    self.samples = samples
    self.marks = marks
  }

  /// The number of the property's lanes; 0 while there are no samples.
  public var laneCount: Int { samples.last?.state.value.count ?? 0 }

  /// The name of a lane, for a legend.
  func name(ofLane lane: Int) -> String {
    laneNames.indices.contains(lane) ? laneNames[lane] : LaneNames.name(lane, of: laneCount, on: reference.property)
  }

  /// Returns the part between two times.
  public func cut(to times: ClosedRange<Double>) -> MotionTrack {
    var part = self
    part.samples.removeAll { !times.contains($0.time) }
    part.marks.removeAll { !times.contains($0.time) }
    return part
  }

  /// From the first sample, or the hand-over before it, to the last one; `nil` without samples.
  public var times: ClosedRange<Double>? {
    guard let first = samples.first, let last = samples.last else { return nil }
    return min(first.time, marks.first?.time ?? first.time)...max(first.time, last.time)
  }
}
