extension Status {
  /// The state of a daemon's journal, which stores events that must not be lost.
  public struct Journal: Hashable, Sendable {
    /// The directory.
    public var path: String
    /// The number of rows written over its life, which is the number of the last row on disk.
    public var lastRow: UInt64 = 0
    /// The number of rows after the last checkpoint: those that a start would replay.
    public var rowsSinceCheckpoint: UInt64 = 0
    /// The bytes of the last checkpoint, 0 if there was none since the start.
    public var checkpointBytes: UInt64 = 0
    /// The durations of writing groups of rows since the start.
    public var writes = Writes()
    /// The reason why no rows are written, with the remedy; empty while they are.
    public var problem = ""
    /// The number of seconds for which no rows have been written.
    public var problemSeconds = 0.0

    /// Creates a journal in a directory.
    public init(path: String) { self.path = path }
  }

  /// The times for writing and syncing groups of rows, in seconds, exact to 3 %; all 0 without any.
  public struct Writes: Hashable, Sendable {
    /// The number of groups.
    public var groups: UInt64 = 0
    /// The number of rows in all.
    public var rows: UInt64 = 0
    /// The median.
    public var p50 = 0.0
    /// The 99th percentile.
    public var p99 = 0.0
    /// The longest time.
    public var max = 0.0

    /// Creates empty figures.
    public init() {}
  }
}
