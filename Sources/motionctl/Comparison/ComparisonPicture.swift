import MotionDrawing
import MotionModel
import MotionWire

/// A picture of the properties that differ most between two recordings: both courses, one over the other.
struct ComparisonPicture {
  /// The most properties that are drawn.
  static let mostProperties = 16

  /// The picture.
  let svg: String

  /// Replays both recordings again.
  ///
  /// - Parameter properties: those that differ, at least one.
  init(of properties: [RecordingComparison.Property], in files: [String]) throws(Failure) {
    var courses: [MotionTracks] = []
    for file in files {
      courses.append(
        try RecordedTracks.read(file, Self.drawn(properties).map { WatchedPlace.scope(.property($0.reference)) }))
    }
    let tracks = Self.overlays(
      of: properties, courses.map { course in { reference in course.tracks.first { $0.reference == reference } } })
    svg = SVGDrawing(tracks, title: "\(files[0]) (a) and \(files[1]) (b)").text
  }

  /// The properties that differ most.
  private static func drawn(_ properties: [RecordingComparison.Property]) -> [RecordingComparison.Property] {
    Array(properties.sorted { $0.value.difference > $1.value.difference }.prefix(mostProperties))
  }

  /// The tracks of those that differ most, two courses over each other.
  ///
  /// - Parameter courses: return the track of a property in each of two courses.
  static func overlays(
    of properties: [RecordingComparison.Property], _ courses: [(PropertyReference) -> MotionTrack?]
  ) -> [MotionTrack] {
    drawn(properties).map { property in overlay(property, courses.map { $0(property.reference) }) }
  }

  /// The lane that differs most, of both recordings, as the two lanes of one track.
  private static func overlay(_ property: RecordingComparison.Property, _ courses: [MotionTrack?]) -> MotionTrack {
    let lane = property.value.lane
    var states = [PropertyState?](repeating: nil, count: 2)
    let samples = courses.enumerated().flatMap { side, course in
      (course?.samples ?? []).map { (side: side, sample: $0) }
    }
    .sorted { ($0.sample.time, $0.side) < ($1.sample.time, $1.side) }
    var overlaid: [MotionTrack.Sample] = []
    for (side, sample) in samples {
      states[side] = sample.state
      // A course that has not begun is drawn where the other one is.
      let both = states.map { $0 ?? sample.state }
      guard both.allSatisfy({ $0.value.count > lane }) else { continue }
      let state = PropertyState(
        [both[0].value[lane], both[1].value[lane]], velocity: [both[0].velocity[lane], both[1].velocity[lane]])
      if overlaid.last?.time == sample.time { overlaid.removeLast() }
      overlaid.append(MotionTrack.Sample(frame: sample.frame, time: sample.time, state))
    }
    var track = MotionTrack(
      property.reference, samples: overlaid,
      marks: [MotionTrack.Mark(time: property.time, label: "first difference")])
    track.laneNames = ["a", "b"]
    return track
  }
}
