import MotionCore
import MotionDrawing
import MotionModel
import MotionWire

/// Reads from a recording the values of properties, and their drivers.
enum RecordedTracks {
  /// The tracks of these places, from the first frame of the recording to its last.
  static func read(_ file: String, _ places: [WatchedPlace]) throws(Failure) -> MotionTracks {
    var tracks: MotionTracks?
    var end = 0.0
    let scopes = places.map(\.scope)
    func isMeant(_ reference: PropertyReference) -> Bool { scopes.contains { $0.contains(reference) } }
    _ = try RecordingPlayer(file: file).play(prepare: { $1.log.keeps = .drivers }) { played in
      let runtime = played.runtime
      var gathered = tracks ?? MotionTracks(from: runtime.frame.start)
      // Set to `nil` meanwhile, so that the tracks are changed in place and not copied.
      tracks = nil
      for record in runtime.log.take() {
        for change in record.drivers where isMeant(change.reference) { gathered.take(change) }
      }
      for change in runtime.changes where isMeant(change.reference) {
        gathered.take(change.state, of: change.reference, in: runtime.frame)
      }
      end = runtime.frame.time
      tracks = gathered
    }
    tracks?.end(at: end)
    return tracks ?? MotionTracks(from: 0)
  }
}
