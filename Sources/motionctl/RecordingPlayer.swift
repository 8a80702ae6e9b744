import CLinux
import Glibc
import MotionCore
import MotionModel
import MotionWire

/// Replays the frames of a recording, one after the other.
struct RecordingPlayer {
  /// The number of bytes per read.
  private static let chunk = 1 << 16

  /// The recording.
  let file: String

  /// A frame that was replayed.
  struct Played {
    /// The runtime after the frame.
    let runtime: Runtime
    /// The recorded frame.
    let recorded: RecordedFrame
    /// The difference from the recording, if there is one.
    let difference: Replayer.Difference?
  }

  /// Replays all frames.
  ///
  /// - Parameters:
  ///   - prepare: prepares the runtime before the first frame.
  ///   - hear: called after each frame.
  /// - Returns: the place at which the recording stops.
  func play(
    prepare: (RecordingHeader, Runtime) -> Void = { _, _ in }, _ hear: (Played) -> Void
  ) throws(Failure) -> RecordingReader.End {
    let descriptor = open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileBytes.failure(file) }
    defer { close(descriptor) }
    var reader = RecordingReader()
    var replayer: Replayer?
    var buffer = [UInt8](repeating: 0, count: Self.chunk)
    while true {
      try ShellSession.checkInterruption()
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      guard count >= 0 else { throw FileBytes.failure(file) }
      if count == 0 { reader.finish() } else { reader.append(buffer[..<count]) }
      try take(from: &reader, &replayer, prepare, hear)
      if count == 0 { break }
    }
    guard replayer != nil else { throw Failure(.failure, "\(file) holds no recording", remedy: "see motiond --record") }
    return reader.end
  }

  /// Replays the frames that the reader holds.
  private func take(
    from reader: inout RecordingReader, _ replayer: inout Replayer?, _ prepare: (RecordingHeader, Runtime) -> Void,
    _ hear: (Played) -> Void
  ) throws(Failure) {
    do {
      while true {
        switch try reader.next() {
        case .needsBytes: return
        case .header(let header):
          let next = try Replayer(header)
          prepare(header, next.runtime)
          replayer = next
        case .frame(let recorded):
          guard let replayer else { continue }
          let difference = try replayer.replay(recorded)
          hear(Played(runtime: replayer.runtime, recorded: recorded, difference: difference))
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
