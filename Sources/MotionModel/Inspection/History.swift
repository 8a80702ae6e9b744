/// A request about the last minutes of a daemon's run.
public enum HistoryRequest: Hashable, Sendable {
  /// List the segments, after everything up to the last frame is written.
  case segments
  /// Read a part of a segment's file, from this byte on.
  case part(segment: UInt64, offset: UInt64)
  /// Erase everything before the present.
  case erase
}

/// The answer to a ``HistoryRequest``.
public enum HistoryReply: Hashable, Sendable {
  /// The segments.
  case segments(HistoryListing)
  /// Bytes of a segment's file; none at its end.
  case part([UInt8])
}

/// The segments of a history.
public struct HistoryListing: Hashable, Sendable {
  /// The segments, the oldest first.
  public var segments: [HistorySegment]
  /// Why nothing is kept after the newest segment; empty while it is.
  public var problem: String

  /// Lists segments, the oldest first.
  public init(_ segments: [HistorySegment], problem: String = "") {
    (self.segments, self.problem) = (segments, problem)
  }
}

/// A file of the history: a recording that begins with a snapshot.
public struct HistorySegment: Hashable, Sendable {
  /// Its number; a later segment has a higher one.
  public var number: UInt64
  /// The size of its file so far.
  public var bytes: UInt64
  /// The frame that it begins after.
  public var first: Place
  /// Its last frame.
  public var last: Place

  /// Creates a segment from one place to another.
  public init(number: UInt64, bytes: UInt64 = 0, from first: Place, to last: Place) {
    (self.number, self.bytes, self.first, self.last) = (number, bytes, first, last)
  }

  /// A frame with its times.
  public struct Place: Hashable, Sendable {
    /// The frame.
    public var frame: Frame
    /// The clocks of the machine when it had run.
    public var clocks: MachineClocks

    /// Creates a place.
    public init(_ frame: Frame, _ clocks: MachineClocks) { (self.frame, self.clocks) = (frame, clocks) }
  }
}
