import ArgumentParser
import CLinux
import Glibc
import MotionCore
import MotionModel
import MotionWire

/// `motionctl replay`
struct Replay: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Run a recording again and compare every frame.",
    usage: "motionctl replay <file> [--json]",
    discussion: """
      It needs neither a daemon nor workers: what they said is in the recording. Each frame is computed again and has to \
      give the same bits. The first frames that differ are named, and the exit code is 1.

      EXAMPLES
        motiond --record show.motion     record, until it is stopped
        motionctl replay show.motion
      """)

  /// What is read of the file at a time.
  private static let chunk = 1 << 16

  @OptionGroup var reading: ReadingOptions

  @Argument(help: "A recording that motiond --record wrote.", completion: .file())
  var file: String

  func run() throws {
    let console = Console()
    let report = try replay()
    if reading.json {
      console.print(JSONOutput(report).line)
    } else {
      console.print(report.lines(style: console.outputStyle))
    }
    if !report.differences.isEmpty {
      throw Failure(
        .failure, "the replay is not what was recorded",
        remedy: "replay with the version, and on a machine with the kind of processor, that recorded it")
    }
  }

  private func replay() throws(Failure) -> ReplayReport {
    let descriptor = open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileBytes.failure(file) }
    defer { close(descriptor) }
    var reader = RecordingReader()
    var replayer: Replayer?
    var report = ReplayReport(file: file)
    var buffer = [UInt8](repeating: 0, count: Self.chunk)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      guard count >= 0 else { throw FileBytes.failure(file) }
      if count == 0 { break }
      reader.append(buffer[..<count])
      try take(from: &reader, &replayer, &report)
    }
    if case .truncated(let bytes) = reader.end { report.truncatedBytes = bytes }
    guard replayer != nil else { throw Failure(.failure, "\(file) holds no recording", remedy: "see motiond --record") }
    return report
  }

  /// Replays what the reader holds.
  private func take(
    from reader: inout RecordingReader, _ replayer: inout Replayer?, _ report: inout ReplayReport
  ) throws(Failure) {
    do {
      while true {
        switch try reader.next() {
        case .needsBytes: return
        case .header(let header): replayer = try Replayer(header)
        case .frame(let recorded):
          let difference = try replayer?.replay(recorded)
          report.take(recorded, difference)
        }
      }
    } catch let error as WireError {
      throw Failure(.failure, "\(file): \(error)")
    } catch let error as Refusal {
      throw Failure(.failure, "\(file): \(error)")
    } catch {
      throw Failure(.failure, "\(file): \(error)")
    }
  }
}
