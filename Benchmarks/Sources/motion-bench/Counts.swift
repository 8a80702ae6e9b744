import CReference

/// What is counted rather than timed: it is the same on every machine, however busy.
struct Counts {
  /// How often memory was allocated.
  let allocations: UInt64
  /// How often a reference was counted.
  let retains: UInt64

  /// Of one call, after another in which what is made once is made.
  static func of(_ body: () -> Void) -> Counts {
    body()
    let (allocations, retains) = (reference_allocations(), reference_retains(1))
    body()
    return Counts(
      allocations: reference_allocations() - allocations, retains: reference_retains(0) - retains)
  }
}
