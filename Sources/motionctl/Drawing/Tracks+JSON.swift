import MotionDrawing
import MotionFiles
import MotionModel

extension JSONOutput {
  /// The tracks for programs: all samples and changes of drivers, with simulated times.
  init(_ tracks: MotionTracks, missed: UInt64) {
    self = [
      "from": .number(tracks.origin), "missed": .unsigned(missed), "leftOut": .count(tracks.leftOut),
      "full": .flag(tracks.isFull), "tracks": .list(tracks.tracks.map { JSONOutput($0) }),
    ]
  }

  private init(_ track: MotionTrack) {
    self = [
      "target": .text(track.reference.target.text), "property": .text(track.reference.property.text),
      "samples": .list(
        track.samples.map { sample in
          [
            "frame": .unsigned(sample.frame), "time": .number(sample.time), "value": .lanes(sample.state.value),
            "velocity": .lanes(sample.state.velocity),
          ]
        }),
      "handOvers": .list(track.marks.map { ["time": .number($0.time), "to": .text($0.label)] }),
    ]
  }
}
