import CLinux
import Glibc
import MotionCore
import MotionModel
import MotionWire

/// Runs the frames of a recording again, one after the other.
struct RecordingPlayer {
  /// What is read of the file at a time.
  private static let chunk = 1 << 16

  /// The recording.
  let file: String

  /// A frame that was run again.
  struct Played {
    /// The runtime after it.
    let runtime: Runtime
    /// What was recorded.
    let recorded: RecordedFrame
    /// What came out differently, if anything did.
    let difference: Replayer.Difference?
  }

  /// Runs all frames.
  ///
  /// - Parameters:
  ///   - prepare: what is done to the runtime before the first frame.
  ///   - hear: called after each frame.
  /// - Returns: how many bytes at the end belong to a frame that was not written whole.
  func play(prepare: (Runtime) -> Void = { _ in }, _ hear: (Played) -> Void) throws(Failure) -> Int {
    let descriptor = open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileBytes.failure(file) }
    defer { close(descriptor) }
    var reader = RecordingReader()
    var replayer: Replayer?
    var buffer = [UInt8](repeating: 0, count: Self.chunk)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      guard count >= 0 else { throw FileBytes.failure(file) }
      if count == 0 { break }
      reader.append(buffer[..<count])
      try take(from: &reader, &replayer, prepare, hear)
    }
    guard replayer != nil else { throw Failure(.failure, "\(file) holds no recording", remedy: "see motiond --record") }
    if case .truncated(let bytes) = reader.end { return bytes }
    return 0
  }

  /// Runs what the reader holds.
  private func take(
    from reader: inout RecordingReader, _ replayer: inout Replayer?, _ prepare: (Runtime) -> Void,
    _ hear: (Played) -> Void
  ) throws(Failure) {
    do {
      while true {
        switch try reader.next() {
        case .needsBytes: return
        case .header(let header):
          let next = try Replayer(header)
          prepare(next.runtime)
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
