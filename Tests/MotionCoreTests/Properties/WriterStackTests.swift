import MotionModel
import Testing

@testable import MotionCore

/// The rules of the stack as a table: an event of a property, and its driver afterwards.
struct WriterStackTests {
  /// An event of a property. Executors are letters, plans are numbers.
  enum Step {
    case standing(UInt32, Character)
    case oneShot(UInt32, Character, waits: Bool = false)
    case manipulation(UInt32, Character)
    case remove(UInt32)
    case grip(Character, TokenName? = nil)
    case release(Character, TokenName? = nil)
    case wake(UInt32)
  }

  struct Case: CustomTestStringConvertible {
    var name: String
    var steps: [Step]
    var driver: Character?
    var lost: [UInt32] = []
    var wakeable: [UInt32] = []
    var below: [Character] = []
    var testDescription: String { name }
  }

  static let cases: [Case] = [
    Case(name: "nobody", steps: [], driver: nil),
    Case(name: "one writer drives", steps: [.standing(1, "a")], driver: "a"),
    Case(name: "the latest added drives", steps: [.standing(1, "a"), .standing(2, "b")], driver: "b", below: ["a"]),
    Case(
      name: "a writer ranks by its latest plan", steps: [.standing(1, "a"), .standing(2, "b"), .standing(3, "a")],
      driver: "a", below: ["b"]),
    Case(
      name: "it falls back when that is gone",
      steps: [.standing(1, "a"), .standing(2, "b"), .standing(3, "a"), .remove(3)], driver: "b", below: ["a"]),
    Case(
      name: "the topmost standing below drives next",
      steps: [.standing(1, "a"), .standing(2, "b"), .oneShot(3, "c"), .remove(3)], driver: "b", below: ["a"]),
    Case(
      name: "a one-shot is lost when another writer drives", steps: [.oneShot(1, "a"), .standing(2, "b")], driver: "b",
      lost: [1]),
    Case(
      name: "a one-shot is not lost to its own executor", steps: [.oneShot(1, "a"), .standing(2, "a")], driver: "a"),
    Case(
      name: "nor is an earlier one-shot of it", steps: [.oneShot(1, "a"), .oneShot(2, "a")], driver: "a"),
    Case(
      name: "a one-shot does not displace a standing one", steps: [.standing(1, "a"), .oneShot(2, "b")], driver: "b",
      below: ["a"]),
    Case(name: "an idle manipulation never drives", steps: [.manipulation(1, "h")], driver: nil, below: ["h"]),
    Case(
      name: "nor over a standing one added before", steps: [.standing(1, "a"), .manipulation(2, "h")], driver: "a",
      below: ["h"]),
    Case(
      name: "an active manipulation beats what was added later",
      steps: [.manipulation(1, "h"), .grip("h"), .standing(2, "a")], driver: "h", below: ["a"]),
    Case(
      name: "of several active ones the latest started drives",
      steps: [.manipulation(1, "h"), .manipulation(2, "g"), .grip("g"), .grip("h")], driver: "h", below: ["g"]),
    Case(
      name: "a second start keeps the place",
      steps: [.manipulation(1, "h"), .manipulation(2, "g"), .grip("g"), .grip("h"), .grip("g")], driver: "h",
      below: ["g"]),
    Case(
      name: "and when that ends, the one started before",
      steps: [.manipulation(1, "h"), .manipulation(2, "g"), .grip("g"), .grip("h"), .release("h")], driver: "g",
      below: ["h"]),
    Case(
      name: "two tokens of one hand are two holds",
      steps: [.manipulation(1, "h"), .grip("h", "left"), .grip("h", "right"), .release("h", "left")], driver: "h"),
    Case(
      name: "letting go without a token lets everything go",
      steps: [.manipulation(1, "h"), .grip("h", "left"), .grip("h", "right"), .release("h")], driver: nil,
      below: ["h"]),
    Case(name: "who has no manipulation gets no hold", steps: [.standing(1, "a"), .grip("b")], driver: "a"),
    Case(
      name: "a hand lets go when its plan is removed",
      steps: [.manipulation(1, "h"), .grip("h", "drag"), .standing(2, "a"), .remove(1)], driver: "a"),
    Case(
      name: "but not while it has another",
      steps: [.manipulation(1, "h"), .manipulation(2, "h"), .grip("h", "drag"), .remove(1)], driver: "h"),
    Case(
      name: "a one-shot that had begun is lost to a hand",
      steps: [.manipulation(1, "h"), .oneShot(2, "a"), .grip("h")], driver: "h", lost: [2]),
    Case(
      name: "one that waits is not", steps: [.manipulation(1, "h"), .grip("h"), .oneShot(2, "a", waits: true)],
      driver: "h", below: ["a"]),
    Case(
      name: "its time has come when the hand lets go",
      steps: [.manipulation(1, "h"), .grip("h"), .oneShot(2, "a", waits: true), .release("h")], driver: nil,
      wakeable: [2], below: ["a", "h"]),
    Case(
      name: "and it drives once it is woken",
      steps: [.manipulation(1, "h"), .grip("h"), .oneShot(2, "a", waits: true), .release("h"), .wake(2)], driver: "a",
      below: ["h"]),
    Case(
      name: "it is lost if another writer was added after it",
      steps: [
        .manipulation(1, "h"), .grip("h"), .oneShot(2, "a", waits: true), .standing(3, "b"), .release("h"),
      ], driver: "b", lost: [2], below: ["h"]),
    Case(
      name: "but not if the hand still holds",
      steps: [.manipulation(1, "h"), .grip("h"), .oneShot(2, "a", waits: true), .standing(3, "b")], driver: "h",
      below: ["b", "a"]),
    Case(
      name: "of several that wait the last writer's wake",
      steps: [
        .manipulation(1, "h"), .grip("h"), .oneShot(2, "a", waits: true), .oneShot(3, "b", waits: true),
        .oneShot(4, "b", waits: true), .release("h"),
      ], driver: nil, lost: [2], wakeable: [3, 4], below: ["b", "h"]),
    Case(
      name: "what waits does not drive over a standing one",
      steps: [.standing(1, "a"), .oneShot(2, "b", waits: true)], driver: "a", wakeable: [2], below: ["b"]),
    Case(name: "removing an unknown plan is nothing", steps: [.standing(1, "a"), .remove(9)], driver: "a"),
  ]

  // Clauses: S10.1, S10.4
  @Test(arguments: cases) func `the driver follows from the order of writers and manipulations`(_ example: Case) {
    var stack = WriterStack()
    for step in example.steps { stack.take(step) }
    #expect(stack.driver == example.driver.map(ExecutorHandle.init))
    #expect(stack.lost.map(\.identity.operation) == example.lost)
    #expect(stack.claims.filter { stack.hasLost($0.identity) }.map(\.identity.operation) == example.lost)
    #expect(stack.wakeable.map(\.operation) == example.wakeable)
    #expect(stack.waitingWriters == example.below.map(ExecutorHandle.init))
  }

  @Test func `the writers that may write are the manipulation and the standing writer below`() {
    var stack = WriterStack()
    for step: Step in [
      .standing(1, "a"), .manipulation(2, "h"), .manipulation(3, "g"), .grip("g"), .oneShot(4, "b", waits: true),
    ] { stack.take(step) }
    #expect(stack.speakers == [ExecutorHandle("g"), ExecutorHandle("a")])
    #expect(stack.hasClaim(of: ExecutorHandle("h")))
    #expect(!stack.hasClaim(of: ExecutorHandle("b")))
    #expect(stack.identities(of: ExecutorHandle("a")).map(\.operation) == [1])
  }

  @Test func `release returns whether the token was held`() {
    var stack = WriterStack()
    stack.take(.manipulation(1, "h"))
    stack.take(.grip("h", "drag"))
    let other = stack.release(ExecutorHandle("h"), token: "pinch")
    let first = stack.release(ExecutorHandle("h"), token: "drag")
    let second = stack.release(ExecutorHandle("h"), token: "drag")
    #expect([other, first, second] == [false, true, false])
  }
}

extension ExecutorHandle {
  fileprivate init(_ letter: Character) { self.init(UInt32(letter.asciiValue ?? 0)) }
}

extension WriterStack {
  fileprivate mutating func take(_ step: WriterStackTests.Step) {
    func identity(_ plan: UInt32) -> IntentionIdentity { IntentionIdentity(sequence: 1, operation: plan) }
    switch step {
    case .standing(let plan, let letter):
      add(identity(plan), kind: .standing, executor: ExecutorHandle(letter), isWaiting: false)
    case .oneShot(let plan, let letter, let waits):
      add(identity(plan), kind: .oneShot, executor: ExecutorHandle(letter), isWaiting: waits)
    case .manipulation(let plan, let letter):
      add(identity(plan), kind: .manipulation, executor: ExecutorHandle(letter), isWaiting: false)
    case .remove(let plan): remove(identity(plan))
    case .grip(let letter, let token): grip(ExecutorHandle(letter), token: token)
    case .release(let letter, let token): _ = release(ExecutorHandle(letter), token: token)
    case .wake(let plan): wake(identity(plan))
    }
  }
}
