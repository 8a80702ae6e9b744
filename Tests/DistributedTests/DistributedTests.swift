import Testing

/// All tests with built executables: each test starts a motiond of its own and ends it.
///
/// The tests of a suite run one after the other. `Tests/run.sh` runs several suites side by side, so a test here may
/// wait for an event but must not judge how long it takes. The limit is for a test that hangs; every wait in one has a
/// shorter limit of its own.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct DistributedTests {}

/// Tests with built executables that judge times, wake-ups or skipped frames. `Tests/run.sh` runs them alone.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct TimedTests {}
