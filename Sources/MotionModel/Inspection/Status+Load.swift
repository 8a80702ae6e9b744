extension Status {
  /// How late frames were against the timer that wakes for them: percentiles, in seconds.
  ///
  /// They are exact to 3 %, the largest to the nanosecond. All are 0 without frames.
  public struct Lateness: Hashable, Sendable {
    /// How many frames were looked at.
    public var frames: UInt64 = 0
    /// What half of them did not exceed.
    public var p50 = 0.0
    /// What 99 in 100 did not exceed.
    public var p99 = 0.0
    /// What 999 in 1000 did not exceed.
    public var p999 = 0.0
    /// The largest.
    public var max = 0.0

    /// Nothing was late, for there was nothing.
    public init() {}
  }

  /// What the daemon's process takes from the machine, by the kernel's count: workers not included.
  public struct Load: Hashable, Sendable {
    /// How often its threads have waited for something since the start, and so were woken: those that have ended too.
    public var wakeUps: UInt64 = 0
    /// The processor's time that its threads have taken since the start, in seconds.
    public var processorTime = 0.0
    /// The memory that it has in use now, in bytes.
    public var residentBytes: UInt64 = 0

    /// Nothing.
    public init() {}
  }
}
