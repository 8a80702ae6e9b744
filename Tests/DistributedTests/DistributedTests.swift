// DistributedTests
