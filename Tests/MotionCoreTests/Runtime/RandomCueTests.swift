import MotionModel
import MotionTestKit
import Testing

@testable import MotionCore

/// Random commands to random lists of cues.
struct RandomCueTests {
  /// Random lists, commands and times: the position is that of a simple model, and each cue begins exactly once for it.
  // Clauses: S23.3, S23.4
  @Test func `any order of commands leaves the list where a simple model is`() throws {
    var random = SeededRandom(seed: TestSeed.value)
    for round in 0..<100 {
      let runtime = Runtime(ratePerSecond: 100)
      var watch = CueWatch()
      let count = Int.random(in: 1...5, using: &random)
      let cues = (0..<count).map { index in
        var content = Transaction()
        content.add(.anchoredSpring("level", 0), to: TargetName.cue(index))
        return CueList.Cue(
          CueListName.cue(index), content,
          wait: random.chance(0.4) ? Double(Int.random(in: 1...5, using: &random)) / 8 : 0,
          follow: random.chance(0.4) ? Double(Int.random(in: 0...5, using: &random)) / 8 : nil)
      }
      func take(_ step: CueStep) -> Bool {
        var transaction = Transaction()
        transaction.cue("main", step)
        return (try? runtime.commit(transaction)) != nil
      }
      var load = Transaction()
      load.load(CueList(cues), as: "main")
      try runtime.commit(load)
      var model = Model(cues: cues)
      for _ in 0..<60 {
        let step: CueStep? =
          switch Int.random(in: 0..<8, using: &random) {
          case 0, 1: .go
          case 2 where random.chance(0.3): .back
          case 3 where random.chance(0.3): .goto(CueListName.cue(Int.random(in: 0..<count, using: &random)))
          case 4 where random.chance(0.3): .stop
          default: nil
          }
        if let step { #expect(take(step) == model.take(step, at: runtime.frame.time), "round \(round), \(step)") }
        runtime.advance()
        while let (_, due) = watch.due(in: runtime).first {
          #expect(take(due))
          model.goOn()
        }
        model.check(runtime.frame.time)
        let position = try #require(runtime.cues["main"]?.position)
        #expect(
          position.current == model.current && position.due == model.due && position.waits == model.waits,
          "round \(round), seed \(TestSeed.value)")
      }
      runtime.advance()
      let begun = cues.indices.map { index in runtime.currentIntentions.count { $0.target == TargetName.cue(index) } }
      #expect(begun == model.begun, "round \(round), seed \(TestSeed.value)")
    }
  }

  /// A list of cues in words of its own.
  private struct Model {
    let cues: [CueList.Cue]
    var current: Int?
    var waits = false
    var due: Double?
    var begun: [Int]

    init(cues: [CueList.Cue]) { (self.cues, begun) = (cues, cues.map { _ in 0 }) }

    mutating func begin(at time: Double) {
      guard let current else { return }
      (waits, due) = (false, nil)
      begun[current] += 1
      if current + 1 < cues.count, let follow = cues[current].follow { due = time + follow }
    }

    mutating func go(at time: Double) {
      current = (current ?? -1) + 1
      guard let current else { return }
      if cues[current].wait == 0 { return begin(at: time) }
      (waits, due) = (true, time + cues[current].wait)
    }

    mutating func take(_ step: CueStep, at time: Double) -> Bool {
      switch step {
      case .go:
        let isLast = (current ?? -1) + 1 == cues.count
        if isLast, !waits { return false }
        if waits { begin(at: time) }
        if isLast { due = nil } else { go(at: time) }
      case .back:
        guard let now = current, now > 0 else { return false }
        current = now - 1
        begin(at: time)
        due = nil
      case .goto(let name):
        current = cues.firstIndex { $0.name == name }
        begin(at: time)
      case .stop:
        // What waits has not begun.
        if waits, let now = current { current = now > 0 ? now - 1 : nil }
        (waits, due) = (false, nil)
      case .due, .fire, .jump, .missing: return false
      }
      return true
    }

    mutating func goOn() {
      guard let time = due else { return }
      if waits { begin(at: time) } else { go(at: time) }
    }

    func check(_ time: Double) { #expect(due.map { $0 > time } ?? true) }
  }
}
