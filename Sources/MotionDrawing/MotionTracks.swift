public import MotionModel

/// Gathers tracks of properties from the frames that say where they are, and from the words that say who drives them.
///
/// It decides what a track holds, and hears nothing itself: frames go in, in order, tracks come out.
public struct MotionTracks {
  /// How many properties are kept: more curves nobody tells apart. Further ones are counted.
  public static let mostTracks = 64
  /// How many samples are kept of all together: eight minutes of one property at 1 kHz, or 75 MB.
  public static let mostSamples = 500_000
  /// How many marks a property keeps: more than a picture has columns.
  public static let mostMarks = 10_000
  /// Times that lie closer than this are the same, in seconds: far less than a frame, far more than rounding.
  static let sameTime = 1e-9

  /// The simulated time at which the tracks begin; what was before is not kept.
  public let origin: Double
  /// How many properties there was no room for.
  public var leftOut: Int { unkept.count }
  /// Whether there were more samples than are kept, so that the tracks end early.
  public private(set) var isFull = false

  private var tracksByName: [PropertyReference: MotionTrack] = [:]
  private var unkept: Set<PropertyReference> = []
  private var sampleCount = 0

  /// No tracks yet; they begin at `origin`, a simulated time in seconds.
  public init(from origin: Double) {
    self.origin = origin
  }

  /// The tracks of which anything is known, in order of their names.
  public var tracks: [MotionTrack] {
    tracksByName.values.filter { !$0.samples.isEmpty }.sorted { $0.reference < $1.reference }
  }

  /// Takes where a property is at the end of a frame.
  ///
  /// If it was not heard of in the frames before, it stood until this one began. Constant cost.
  public mutating func take(_ state: PropertyState, of reference: PropertyReference, in frame: Frame) {
    guard makeRoom(for: reference) else { return }
    let last = tracksByName[reference]?.samples.last
    let time = last == nil ? max(frame.time, origin) : frame.time
    // What comes late says nothing of times that are drawn already, and neither does a value of another shape.
    if let last, time <= last.time || last.state.value.count != state.value.count { return }
    if let last, frame.start > last.time + Self.sameTime {
      add(MotionTrack.Sample(frame: last.frame, time: frame.start, last.state), to: reference)
    }
    add(MotionTrack.Sample(frame: frame.number, time: time, state), to: reference)
  }

  /// Takes who drives a property from a moment on. Of several words on one moment the last one holds.
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

  /// Ends the tracks at a moment: what stood before it stood until then.
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

  /// Whether a property is kept; it becomes one if there is room.
  private mutating func makeRoom(for reference: PropertyReference) -> Bool {
    if tracksByName[reference] != nil { return true }
    guard tracksByName.count < Self.mostTracks else {
      // Only counted, and no more of them than a picture could ever speak of.
      if unkept.count < Self.mostMarks { unkept.insert(reference) }
      return false
    }
    tracksByName[reference] = MotionTrack(reference)
    return true
  }
}
