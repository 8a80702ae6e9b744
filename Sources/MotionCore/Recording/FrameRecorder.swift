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

  /// Reads the next record.
  ///
  /// - Parameter skipped: the number of late frames that were skipped before the record's frame.
  /// - Returns: the frame, if the record is of one. The frame contains the events of the records since the last one.
  public mutating func record(_ record: FrameRecord, skipped: UInt64 = 0) -> RecordedFrame? {
    let events = record.events.map(\.event)
    for event in record.events {
      guard case .commit(let sequence, _) = event.event, let provenance = event.provenance else { continue }
      provenances[sequence] = provenance
    }
    guard !record.isBetweenFrames else {
      between += events
      return nil
    }
    defer { (between, provenances) = ([], [:]) }
    var recorded = RecordedFrame(
      frame: record.frame, betweenFrames: between, events: events, skipped: skipped, hash: record.hash ?? 0)
    recorded.provenances = provenances
    return recorded
  }
}
