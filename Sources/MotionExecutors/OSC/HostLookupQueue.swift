/// The queue of host names to look up. A few threads work on it; each name is looked up by one thread at a time.
struct HostLookupQueue {
  /// The most lookups at a time. A lookup waits up to half a minute for a server that does not answer. With this many
  /// threads, a few names of such a server do not block the others.
  static let mostThreads = 8

  private var waiting: [String] = []
  private var asked: Set<String> = []
  private var threads = 0

  /// Queues a host, unless its lookup is pending already. Returns whether another thread is needed, which then calls
  /// ``next()`` until it returns `nil`.
  mutating func ask(_ host: String) -> Bool {
    guard asked.insert(host).inserted else { return false }
    waiting.append(host)
    guard threads < Self.mostThreads else { return false }
    threads += 1
    return true
  }

  /// The next host for a thread; `nil` ends the thread.
  mutating func next() -> String? {
    guard waiting.isEmpty else { return waiting.removeFirst() }
    threads -= 1
    return nil
  }

  /// Marks a host as answered: it may be queued again.
  mutating func answered(_ host: String) { asked.remove(host) }
}
