extension Status {
  /// The lateness of frames against the timer that wakes for them: percentiles, in seconds.
  ///
  /// They are exact to 3 %, the largest to the nanosecond. All are 0 without frames.
  public struct Lateness: Hashable, Sendable {
    /// The number of measured frames.
    public var frames: UInt64 = 0
    /// The median.
    public var p50 = 0.0
    /// The 99th percentile.
    public var p99 = 0.0
    /// The 99.9th percentile.
    public var p999 = 0.0
    /// The largest lateness.
    public var max = 0.0

    /// Creates figures without frames.
    public init() {}
  }

  /// The resources that the daemon's process uses, by the kernel's count, workers not included.
  public struct Load: Hashable, Sendable {
    /// The number of times that its threads have blocked since the start, and so were woken; ended threads included.
    public var wakeUps: UInt64 = 0
    /// The processor time of its threads since the start, in seconds.
    public var processorTime = 0.0
    /// The memory that it uses now, in bytes.
    public var residentBytes: UInt64 = 0

    /// Creates figures of zero.
    public init() {}
  }
}
