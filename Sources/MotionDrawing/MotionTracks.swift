public import MotionModel

/// Collects tracks of properties from frames (values) and from driver changes (drivers).
///
/// The type only decides which samples a track keeps. It receives nothing by itself: the caller passes frames in, in
/// order, and reads the tracks.
public struct MotionTracks {
  /// The most properties that are kept; more curves look alike in a picture. Further ones are only counted.
  public static let mostTracks = 64
  /// The most samples that are kept over all properties: eight minutes of one property at 1 kHz, or 75 MB.
  public static let mostSamples = 500_000
  /// The most marks that a property keeps: more than a picture has columns.
  public static let mostMarks = 10_000
  /// Times closer than this, in seconds, count as equal: far less than a frame, far more than rounding.
  static let sameTime = 1e-9

  /// The simulated time at which the tracks begin; earlier samples are not kept.
  public let origin: Double
  /// The number of properties that were left out because the limit was reached.
  public var leftOut: Int { unkept.count }
  /// Whether samples were dropped because the limit was reached, so that the tracks end early.
  public private(set) var isFull = false

  private var tracksByName: [PropertyReference: MotionTrack] = [:]
  private var unkept: Set<PropertyReference> = []
  private var sampleCount = 0

  /// Creates an empty set of tracks that begin at `origin`, a simulated time in seconds.
  public init(from origin: Double) {
    self.origin = origin
  }

  /// The tracks that have samples, in order of their names.
  public var tracks: [MotionTrack] {
    tracksByName.values.filter { !$0.samples.isEmpty }.sorted { $0.reference < $1.reference }
  }

  /// Records the state of a property at the end of a frame.
  ///
  /// If the preceding frames did not contain the property, it was at rest until this frame began. Constant cost.
  public mutating func take(_ state: PropertyState, of reference: PropertyReference, in frame: Frame) {
    guard makeRoom(for: reference) else { return }
    let last = tracksByName[reference]?.samples.last
    let time = last == nil ? max(frame.time, origin) : frame.time
    // A late sample cannot change times that are already drawn. A value with another number of lanes does not fit the
    // track.
    if let last, time <= last.time || last.state.value.count != state.value.count { return }
    if let last, frame.start > last.time + Self.sameTime {
      add(MotionTrack.Sample(frame: last.frame, time: frame.start, last.state), to: reference)
    }
    add(MotionTrack.Sample(frame: frame.number, time: time, state), to: reference)
  }

  /// Records a change of a property's driver. Of several changes at the same time the last one applies.
  public mutating func take(_ change: DriverChange) {
    guard makeRoom(for: change.reference), var marks = tracksByName[change.reference]?.marks else { return }
    let label = change.driver?.type.text ?? "nobody"
    let mark = MotionTrack.Mark(time: max(change.time, origin), label: label)
    if let last = marks.last, abs(last.time - mark.time) <= Self.sameTime { marks.removeLast() }
    guard marks.count < Self.mostMarks else { return }
    tracksByName[change.reference]?.marks = []
    marks.append(mark)
    tracksByName[change.reference]?.marks = marks
  }

  /// Ends the tracks at a time: a property that was at rest before it keeps its value until then.
  public mutating func end(at time: Double) {
    for (reference, track) in tracksByName {
      guard let last = track.samples.last, last.time < time, last.state.velocity.storage == .zero else { continue }
      add(MotionTrack.Sample(frame: last.frame, time: time, last.state), to: reference)
    }
  }

  private mutating func add(_ sample: MotionTrack.Sample, to reference: PropertyReference) {
    guard sampleCount < Self.mostSamples else {
      isFull = true
      return
    }
    sampleCount += 1
    tracksByName[reference]?.samples.append(sample)
  }

  /// Returns whether a property is kept; a new property is added if there is room.
  private mutating func makeRoom(for reference: PropertyReference) -> Bool {
    if tracksByName[reference] != nil { return true }
    guard tracksByName.count < Self.mostTracks else {
      // The property is only counted, up to a limit that no picture reaches.
      if unkept.count < Self.mostMarks { unkept.insert(reference) }
      return false
    }
    tracksByName[reference] = MotionTrack(reference)
    return true
  }
}
