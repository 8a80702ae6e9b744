import Testing

/// No task, lock or clock in ranks 0 to 2: time is an argument there, and one owner calls.
///
/// LinuxSystem and ZeroMQ are exceptions: they wrap clocks, timers, threads and sockets for the ranks above.
struct PurityTests {
  static let forbidden: Set = [
    "async", "await", "Task", "TaskGroup", "withTaskGroup", "withThrowingTaskGroup", "AsyncStream", "AsyncSequence",
    "MainActor", "globalActor", "Thread", "DispatchQueue", "DispatchSemaphore", "DispatchTime",
    "Mutex", "Atomic", "NSLock", "NSRecursiveLock", "NSCondition", "sem_wait",
    "ContinuousClock", "SuspendingClock", "BootClock", "BootTimer", "Date", "clock_gettime", "gettimeofday", "time_t",
    "sleep", "usleep", "nanosleep", "timerfd_create",
  ]

  private static var declarationOfActor: Regex<Substring> { /\bactor [A-Z]/ }

  static func violations(in source: SwiftSource) -> [String] {
    source.words.flatMap { line, words in
      var found = words.filter { forbidden.contains($0) || $0.hasPrefix("pthread_") }
      // A property may be called "actor"; a type may not be one.
      if words.contains("actor"), source.code[line - 1].contains(declarationOfActor) { found.append("actor") }
      return found.map { "\(source.path):\(line): \($0)" }
    }
  }

  @Test func decisionsAreFreeOfEffects() {
    let apart: Set = ["LinuxSystem", "ZeroMQ"]
    let pure = RankTests.ranked.filter { Rank.table[$0.target]?.isPure == true && !apart.contains($0.target) }
    #expect(pure.count > 100)
    #expect(pure.flatMap(Self.violations) == [])
  }

  @Test(arguments: [
    ("let now = ContinuousClock().now", "ContinuousClock"), ("actor Loop {", "actor"),
    ("pthread_self()", "pthread_self"), ("let text = \"\\(await value)\"", "await"),
  ])
  func anEffectIsFound(code: String, word: String) {
    #expect(Self.violations(in: SwiftSource(path: "A.swift", text: code)) == ["A.swift:1: \(word)"])
  }

  @Test(arguments: ["// No Task here.", "var actor: Handle? = driver.actor", "print(\"await\")"])
  func `code without effects is accepted`(code: String) {
    #expect(Self.violations(in: SwiftSource(path: "A.swift", text: code)) == [])
  }
}
