import Foundation
import MotionDrawing
import MotionFiles
import MotionModel
import Testing

@testable import motionctl

/// The output of `motionctl draw` for programs, and its refusals.
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
    (["--seconds", "4000"], "at most 3600"),
    (["ball", "--seconds", "3", "--recording", "a"], "--from, --to or --last"),
    (["a b"], "target name"), (["--from", "1s", "--seconds", "3"], "follows live values"),
    (["--recording", "a", "--from", "ball"], "write a moment"),
    (["--recording", "a", "--from", "1", "--last", "5s"], "one beginning"),
    (["--recording", "a", "--last", "0"], "duration"), (["--recording", "a", "--from", "3", "--to", "2"], "later"),
  ])
  func `invalid arguments of draw exit with 2`(arguments: [String], problem: String) throws {
    let run = try Program.run(["draw"] + arguments)
    #expect(run.status == 2)
    #expect(run.output == "")
    #expect(run.errors.contains(problem), "\(run.errors)")
  }

  @Test func `draw without a daemon exits with 3`() throws {
    #expect(try Program.run(["draw", "ball"]).status == 3)
  }

  @Test(arguments: [("/tmp/motion-nowhere/show", "cannot read"), ("/dev/null", "holds no recording")])
  func `draw of a file that is no recording exits with 1`(file: String, problem: String) throws {
    let run = try Program.run(["draw", "--recording", file])
    #expect(run.status == 1)
    #expect(run.errors.contains(problem), "\(run.errors)")
  }

  @Test(arguments: [
    ("/tmp/motion-nowhere/x.svg", "No such file or directory"), ("/tmp/motion-nowhere/", "No such file or directory"),
    ("/dev/null/x.svg", "Not a directory"), ("/tmp", "Is a directory"),
  ])
  func `a picture that cannot be written is refused before motionctl connects`(file: String, problem: String) throws {
    // There is no daemon: if the command connected first, the error would report that.
    let run = try Program.run(["draw", "ball", "--svg", file])
    #expect(run.status == 1)
    #expect(run.errors.contains("cannot write \(file): \(problem)"), "\(run.errors)")
  }

  @Test func `an existing picture is kept when drawing fails`() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("draw-\(UUID().uuidString).svg")
    defer { try? FileManager.default.removeItem(at: file) }
    #expect(try Program.run(["draw", "ball", "--svg", file.path]).status == 3)
    #expect(!FileManager.default.fileExists(atPath: file.path))
    try "of before".write(to: file, atomically: false, encoding: .utf8)
    #expect(try Program.run(["draw", "ball", "--svg", file.path]).status == 3)
    #expect(try String(contentsOf: file, encoding: .utf8) == "of before")
  }
}
