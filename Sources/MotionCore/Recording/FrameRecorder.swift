public import MotionModel

/// Makes the frames of a recording from the records of a log that keeps ``EventLog/Contents/events``, while its runtime
/// computes hashes.
///
/// A record after a gap (``/MotionModel/FrameRecord/isAfterGap``) lacks events, so that the replay differs from there on.
public struct FrameRecorder {
  /// The events since the last frame.
  private var between: [RuntimeEvent] = []
  private var provenances: [UInt64: Provenance] = [:]

  /// Creates a recorder for a log whose records it reads from the first one on.
  public init() {}

  /// Creates one that continues after events between frames.
  package init(continuing trailing: RecordedFrame?) {
    (between, provenances) = (trailing?.betweenFrames ?? [], trailing?.provenances ?? [:])
  }

  /// Whether events have followed the last frame.
  package var hasTrailing: Bool { !between.isEmpty }

  /// The events since a frame, which was the last; `nil` if there are none.
  package func trailing(after frame: Frame) -> RecordedFrame? {
    guard !between.isEmpty else { return nil }
    var trailing = RecordedFrame(frame: frame, betweenFrames: between, events: [], hash: 0)
    trailing.provenances = provenances
    return trailing
  }

  /// A record by itself, for a reader that cannot wait for the next frame: events between frames have the number of the
  /// earlier one. `nil` for a record without events between frames.
  package static func piece(of record: FrameRecord, skipped: UInt64) -> RecordedFrame? {
    let events = record.events.map(\.event)
    guard !record.isBetweenFrames || !events.isEmpty else { return nil }
    var piece = RecordedFrame(
      frame: record.frame, betweenFrames: record.isBetweenFrames ? events : [],
      events: record.isBetweenFrames ? [] : events, skipped: skipped, hash: record.hash ?? 0)
    for event in record.events {
      if case .commit(let sequence, _) = event.event { piece.provenances[sequence] = event.provenance }
    }
    return piece
  }

  /// Reads the next record.
  ///
  /// - Parameter skipped: the number of late frames that were skipped before the record's frame.
  /// - Returns: the frame, if the record is of one. The frame contains the events of the records since the last one.
  public mutating func record(_ record: FrameRecord, skipped: UInt64 = 0) -> RecordedFrame? {
    Self.piece(of: record, skipped: skipped).flatMap { self.record($0) }
  }

  /// Reads a record by itself, as ``piece(of:skipped:)`` makes it; likewise.
  package mutating func record(_ piece: RecordedFrame) -> RecordedFrame? {
    guard hasTrailing || piece.isBetweenFrames else { return piece }
    var frame = piece
    frame.betweenFrames = between + piece.betweenFrames
    frame.provenances.merge(provenances) { present, _ in present }
    guard !piece.isBetweenFrames else {
      (between, provenances) = (frame.betweenFrames, frame.provenances)
      return nil
    }
    (between, provenances) = ([], [:])
    return frame
  }
}

extension RecordedFrame {
  /// Whether it stands for events between two frames, after the frame of its number.
  package var isBetweenFrames: Bool { events.isEmpty && !betweenFrames.isEmpty }
}
