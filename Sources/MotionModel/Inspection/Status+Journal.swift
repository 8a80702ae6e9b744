extension Status {
  /// Where a daemon keeps what must not be lost, and how that goes.
  public struct Journal: Hashable, Sendable {
    /// The directory.
    public var path: String
    /// How many rows were written over its life: the number of the last one that is on disk.
    public var lastRow: UInt64 = 0
    /// How many of them came after the last checkpoint: what a start would do again.
    public var rowsSinceCheckpoint: UInt64 = 0
    /// The bytes of the last checkpoint, 0 if there was none since the start.
    public var checkpointBytes: UInt64 = 0
    /// How long writing groups of rows took since the start.
    public var writes = Writes()
    /// Why nothing is written, with what to do; empty while it is.
    public var problem = ""
    /// For how many seconds nothing has been written.
    public var problemSeconds = 0.0

    /// A journal in a directory.
    public init(path: String) { self.path = path }
  }

  /// How long groups of rows took to be written and synced, in seconds, exact to 3 %; all 0 without any.
  public struct Writes: Hashable, Sendable {
    /// How many groups there were.
    public var groups: UInt64 = 0
    /// How many rows in all.
    public var rows: UInt64 = 0
    /// What half of the groups did not exceed.
    public var p50 = 0.0
    /// What 99 in 100 did not exceed.
    public var p99 = 0.0
    /// The longest.
    public var max = 0.0

    /// None.
    public init() {}
  }
}
