/// The needs of an executor: to be active and, beyond that, to get frames.
struct ExecutorActivity: Hashable {
  /// Whether its last update returned true, it holds a token, or its worker has not acknowledged a command, or is not
  /// there.
  var isActive = false
  /// Whether it needs updates, or its provisioned worker has not acknowledged a command.
  var wantsFrames = false
}

/// How many executors are active, and how many of them want frames.
struct ActivityCount: Hashable {
  private(set) var active = 0
  private(set) var wantingFrames = 0

  /// Counts an executor that was `old` as `new`.
  mutating func change(from old: ExecutorActivity, to new: ExecutorActivity) {
    active += (new.isActive ? 1 : 0) - (old.isActive ? 1 : 0)
    wantingFrames += (new.wantsFrames ? 1 : 0) - (old.wantsFrames ? 1 : 0)
  }
}
