import Testing

@testable import MotionCoordinator

struct LogRingTests {
  @Test func `the last 50 lines are kept`() {
    var ring = LogRing()
    for number in 0..<60 { _ = ring.add("\(number)", limit: 100, at: .zero) }
    #expect(ring.last == (10..<60).map(String.init))
  }

  @Test func `as many of the last 20 lines are shown as there is room for`() {
    var ring = LogRing()
    for number in 10..<60 { _ = ring.add("\(number)", limit: 100, at: .zero) }
    #expect(ring.tail(bytes: 1000) == (40..<60).map(String.init))
    #expect(ring.tail(bytes: 7) == ["57", "58", "59"])
    #expect(ring.tail(bytes: 1) == [])
  }

  @Test func `a hundred lines a second are passed on, and the next says how many were not`() {
    var ring = LogRing()
    let passed = (0..<150).compactMap { ring.add("line \($0)", limit: 100, at: .seconds(5)) }
    #expect(passed.count == 100)
    #expect(ring.suppressedInAll == 50)
    #expect(ring.add("later", limit: 100, at: .seconds(6)) == "(50 lines left out) later")
    #expect(ring.add("and later", limit: 100, at: .seconds(6)) == "and later")
  }

  @Test func `if no line follows, the end of the second says how many were left out, once`() {
    var ring = LogRing()
    #expect(ring.nextDeadline == nil)
    for number in 0..<150 { _ = ring.add("line \(number)", limit: 100, at: .seconds(5)) }
    #expect(ring.nextDeadline == .seconds(6))
    #expect(ring.deadline(at: .seconds(5.9)) == nil)
    #expect(ring.deadline(at: .seconds(6)) == "(50 lines left out)")
    #expect(ring.deadline(at: .seconds(7)) == nil && ring.nextDeadline == nil)
    #expect(ring.add("later", limit: 100, at: .seconds(8)) == "later")
  }

  @Test func `what could steer a terminal is made visible, and what is too long is cut`() {
    #expect(LogRing.clean("a\u{1B}[31mb\u{7F}\u{9B}ü", limit: 100) == "a\\u{1b}[31mb\\u{7f}\\u{9b}ü")
    #expect(LogRing.clean("abcdef", limit: 3) == "abc")
    // Characters that reverse the direction of others, and line separators that are not newlines.
    #expect(LogRing.clean("a\u{202E}b\u{2066}c\u{2028}d", limit: 100) == "a\\u{202e}b\\u{2066}c\\u{2028}d")
  }
}
