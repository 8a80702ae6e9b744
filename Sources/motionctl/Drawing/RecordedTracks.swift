import MotionCore
import MotionDrawing
import MotionHistory
import MotionModel
import MotionWire

/// Reads from a recording the values of properties, and their drivers.
enum RecordedTracks {
  /// The tracks of these places, from the first frame of the recording to its last.
  static func read(_ file: String, _ places: [WatchedPlace]) throws(Failure) -> MotionTracks {
    var tracks: MotionTracks?
    var end = 0.0
    var filter = PlaceFilter(places)
    _ = try RecordingPlayer(file: file).play(prepare: { $1.log.keeps = .drivers }) { played in
      let runtime = played.runtime
      var gathered = tracks ?? MotionTracks(from: runtime.frame.start)
      // Set to `nil` meanwhile, so that the tracks are changed in place and not copied.
      tracks = nil
      for record in runtime.log.take() {
        for change in record.drivers where filter.contains(change.reference, in: runtime) { gathered.take(change) }
      }
      for change in runtime.changes where filter.contains(change.reference, in: runtime) {
        gathered.take(change.state, of: change.reference, in: runtime.frame)
      }
      end = runtime.frame.time
      tracks = gathered
    }
    tracks?.end(at: end)
    return tracks ?? MotionTracks(from: 0)
  }

  /// The tracks of these places in a part of a recording: all of them begin with the state before it.
  static func read(
    _ timeline: Timeline, _ before: UInt64, _ last: UInt64, _ places: [WatchedPlace]
  ) throws(Failure) -> MotionTracks {
    var filter = PlaceFilter(places)
    try timeline.go(to: before)
    let runtime = timeline.runtime
    var tracks = MotionTracks(from: runtime.frame.time)
    for row in runtime.currentProperties where filter.contains(row.reference, in: runtime) {
      tracks.take(row.state, of: row.reference, in: runtime.frame)
      if let change = driver(of: row, in: runtime) { tracks.take(change) }
    }
    runtime.log.keeps = .drivers
    defer { runtime.log.keeps = [] }
    while timeline.runtime.frame.number < last, try timeline.advance() != nil {
      for record in runtime.log.take() {
        for change in record.drivers where filter.contains(change.reference, in: runtime) { tracks.take(change) }
      }
      for change in runtime.changes where filter.contains(change.reference, in: runtime) {
        tracks.take(change.state, of: change.reference, in: runtime.frame)
      }
    }
    tracks.end(at: runtime.frame.time)
    return tracks
  }

  /// The present driver of a property, as a change at the present time.
  private static func driver(of row: PropertyRow, in runtime: Runtime) -> DriverChange? {
    guard case .why(let explanation)? = try? runtime.answer(.why(row.reference)), let plan = explanation.plan else {
      return nil
    }
    let driver = DriverChange.Driver(
      executor: plan.executor, identity: plan.identity, type: plan.intention.type, name: plan.name)
    return DriverChange(row.reference, frame: runtime.frame.number, time: runtime.frame.time, driver: driver)
  }
}
