/// The names of hosts that are to be looked up, each by one thread at a time, by few threads.
struct HostLookupQueue {
  /// How many are looked up at a time. A server that does not answer is waited for up to half a minute; with these, a few
  /// names of its do not keep the others waiting.
  static let mostThreads = 8

  private var waiting: [String] = []
  private var asked: Set<String> = []
  private var threads = 0

  /// Asks for a host, unless it is asked for already; returns whether another thread is needed, which then calls
  /// ``next()`` until there is none.
  mutating func ask(_ host: String) -> Bool {
    guard asked.insert(host).inserted else { return false }
    waiting.append(host)
    guard threads < Self.mostThreads else { return false }
    threads += 1
    return true
  }

  /// A thread's next host; `nil` ends the thread.
  mutating func next() -> String? {
    guard waiting.isEmpty else { return waiting.removeFirst() }
    threads -= 1
    return nil
  }

  /// A host was answered for: it may be asked for again.
  mutating func answered(_ host: String) { asked.remove(host) }
}
