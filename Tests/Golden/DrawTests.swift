import MotionDrawing
import MotionModel
import Testing

@testable import motionctl

/// What `motionctl draw` prints for programs, and what it refuses.
@Suite struct DrawTests {
  @Test func tracksAreGolden() throws {
    var tracks = MotionTracks(from: 2)
    let (ball, lamp) = (PropertyReference("ball", "position"), PropertyReference("lamp", "opacity"))
    let driver = DriverChange.Driver(
      executor: "Physics", identity: IntentionIdentity(sequence: 4, operation: 0), type: "SpringTo")
    tracks.take(DriverChange(ball, frame: 9, time: 2.25, driver: driver))
    for (number, time) in [(9, 2.5), (10, 2.75)] {
      let frame = Frame(number: UInt64(number), time: time, dt: 0.25)
      tracks.take(PropertyState([time, 1], velocity: [1, 0]), of: ball, in: frame)
      tracks.take(PropertyState(0.5), of: lamp, in: frame)
    }
    tracks.take(DriverChange(ball, frame: 10, time: 2.75, driver: nil))
    tracks.end(at: 3)
    try Golden.expect(JSONOutput(tracks, missed: 1).line + "\n", "JSON/draw.json")
  }

  @Test(arguments: [
    (["ball", "--seconds", "0"], "above 0"), (["ball", "--seconds", "-1"], "above 0"),
    (["--seconds", "4000"], "at most 3600"), (["ball", "--seconds", "3", "--recording", "a"], "drawn whole"),
    (["a b"], "target name"),
  ])
  func argumentsThatMakeNoSenseAreTwo(arguments: [String], problem: String) throws {
    let run = try Program.run(["draw"] + arguments)
    #expect(run.status == 2)
    #expect(run.output == "")
    #expect(run.errors.contains(problem), "\(run.errors)")
  }

  @Test func withoutADaemonItIsThree() throws {
    #expect(try Program.run(["draw", "ball"]).status == 3)
  }

  @Test(arguments: [("/tmp/motion-nowhere/show", "cannot read"), ("/dev/null", "holds no recording")])
  func whatIsNoRecordingIsOne(file: String, problem: String) throws {
    let run = try Program.run(["draw", "--recording", file])
    #expect(run.status == 1)
    #expect(run.errors.contains(problem), "\(run.errors)")
  }
}
