import MCAP
public import MotionModel

/// Decodes a recording in pieces: bytes in, the header and frames out.
///
/// The caller passes bytes to ``append(_:)``, and calls ``next()`` until it needs more bytes. When there are none, it
/// calls ``finish()``, and ``next()`` again: whole frames of a chunk that is cut off follow. The reader keeps the bytes
/// that it has not decoded yet, which are one frame or chunk and one piece at most. Both formats of recordings are read.
public struct RecordingReader: Sendable {
  /// The next part of a recording.
  public enum Step: Hashable, Sendable {
    /// The header, with the data from before the first frame; always the first step.
    case header(RecordingHeader)
    /// One frame.
    case frame(RecordedFrame)
    /// The complete state after the last frame, or after one that is not in the recording. A replay can begin there.
    case snapshot(RuntimeSnapshot)
    /// The reader needs more bytes: append them, or stop if there are none.
    case needsBytes
  }

  /// The place at which a recording stops.
  public enum End: Hashable, Sendable {
    /// At its end. A recording of format 1 ends after any whole frame.
    case complete
    /// Before its end: motiond was killed, or records still. This number of bytes belongs to a part that is cut off.
    /// Everything decoded before is valid.
    case truncated(bytes: Int)
  }

  private enum Format {
    /// Nothing has been read.
    case unknown
    case delimited(DelimitedRecordingReader)
    case container(ContainerRecordingReader)
  }

  private var format = Format.unknown
  private let frameBytes: Int
  private let skipsState: Bool

  /// Creates a reader at the beginning of a recording, for frames of at most this size in bytes.
  ///
  /// - Parameter skipsState: whether the header is decoded without the initial state, which may be large.
  public init(frameBytes: Int = RecordingFile.frameBytes, skipsState: Bool = false) {
    (self.frameBytes, self.skipsState) = (frameBytes, skipsState)
  }

  /// Creates a reader in the midst of a recording in the container format.
  init(frameBytes: Int, _ reader: ContainerRecordingReader) {
    (self.frameBytes, skipsState, format) = (frameBytes, false, .container(reader))
  }

  /// Appends the next bytes of the recording. Amortised linear in them.
  public mutating func append(_ more: some Collection<UInt8>) {
    switch format {
    case .unknown:
      guard let first = more.first else { return }
      if first == MCAPFormat.magic[0] {
        var reader = ContainerRecordingReader(frameBytes: frameBytes, skipsState: skipsState)
        reader.append(more)
        format = .container(reader)
      } else {
        var reader = DelimitedRecordingReader(frameBytes: frameBytes)
        reader.append(more)
        format = .delimited(reader)
      }
    case .delimited(var reader):
      // Taken out meanwhile, so that its bytes are not copied.
      format = .unknown
      reader.append(more)
      format = .delimited(reader)
    case .container(var reader):
      format = .unknown
      reader.append(more)
      format = .container(reader)
    }
  }

  /// States that no more bytes come.
  public mutating func finish() {
    guard case .container(var reader) = format else { return }
    format = .unknown
    reader.finish()
    format = .container(reader)
  }

  /// The next part of the recording, if all its bytes are present.
  ///
  /// - Throws: when they are not a recording, or are one of another version. The bytes after an error cannot be
  ///   decoded.
  public mutating func next() throws(WireError) -> Step {
    switch format {
    case .unknown: return .needsBytes
    case .delimited(var reader):
      format = .unknown
      defer { format = .delimited(reader) }
      return try reader.next()
    case .container(var reader):
      format = .unknown
      defer { format = .container(reader) }
      return try reader.next()
    }
  }

  /// The place at which the recording stops if no more bytes come.
  public var end: End {
    switch format {
    case .unknown: .truncated(bytes: 0)
    case .delimited(let reader): reader.end
    case .container(let reader): reader.end
    }
  }

  /// The remedy for damage at a place, for the owner of the file.
  static func remedy(for place: String) -> String {
    place == "header"
      ? "The recording is damaged at its beginning, so nothing of it can be read: use an undamaged copy"
      : "The recording is intact up to here and damaged after it: use an undamaged copy for the rest"
  }
}
