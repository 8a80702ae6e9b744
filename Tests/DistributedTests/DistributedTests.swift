import Testing

/// Everything that is tested with built executables: each test starts a motiond of its own and ends it.
///
/// One after the other, because what they wait for are processes: side by side they would only wait for each other. The
/// limit is for a test that hangs; every wait in one has a shorter limit of its own.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct DistributedTests {}
