import Testing

@testable import MotionCore

/// The properties that changed in each frame: compared with a set for each frame.
struct PropertyChangesTests {
  private func changes(slots: Int) -> PropertyChanges {
    var changes = PropertyChanges()
    for _ in 0..<slots { changes.addSlot() }
    return changes
  }

  @Test(arguments: [0, 1, 60, 61, 62, 63])
  func `a slot is noted at most once in a frame of any number`(_ bit: Int) {
    let frame = UInt64.max << UInt64(bit)
    var changes = PropertyChanges()
    changes.addSlot()
    changes.flag(0)
    for _ in 0..<2 {
      changes.begin(frame) { _ in true }
      for _ in 0..<3 { changes.note(0) }
      #expect(changes.slots.count <= 1)
      changes.end()
      for _ in 0..<3 { changes.note(0) }
    }
  }

  @Test func `a slot is noted once in each frame, in the order of first changes`() {
    var changes = changes(slots: 4)
    for frame in UInt64(1)...3 {
      changes.begin(frame) { _ in true }
      for slot in [2, 0, 2, 3, 0] { changes.note(slot) }
      #expect(Array(changes.slots) == [2, 0, 3])
      changes.noteMany { notes in for slot in [1, 2, 1] { notes.note(slot) } }
      #expect(Array(changes.slots) == [2, 0, 3, 1])
      changes.end()
    }
    #expect(changes.frame(of: 3) == 3)
  }

  @Test func `a slot is recorded again after each take between two frames`() {
    var changes = changes(slots: 2)
    for frame in [0, 0, 1, 1, 1, 2] as [UInt64] {
      changes.begin(frame) { _ in true }
      #expect(changes.slots.isEmpty)
      changes.note(1)
      #expect(Array(changes.slots) == [1] && changes.frame(of: 1) == frame)
      changes.end()
    }
    #expect(changes.frame(of: 0) == 0)
  }

  @Test func `a change between frames is published with the next one, unless its slot is gone`() {
    var changes = changes(slots: 3)
    changes.begin(1) { _ in true }
    changes.note(0)
    changes.end()
    for slot in [2, 0, 2, 1] { changes.note(slot) }
    #expect(Array(changes.slots) == [0] && changes.frame(of: 2) == 1)
    changes.begin(2) { $0 != 0 }
    changes.note(2)
    #expect(Array(changes.slots) == [2, 1])
    #expect(changes.frame(of: 2) == 2 && changes.frame(of: 0) == 1)
    changes.end()
    changes.begin(3) { _ in true }
    #expect(changes.slots.isEmpty)
  }

  @Test func `a flagged slot is noted like others, and is never plain`() {
    var changes = changes(slots: 2)
    changes.flag(1)
    for frame in UInt64(1)...3 {
      changes.begin(frame) { _ in true }
      changes.noteMany { notes in
        #expect(notes.isPlain(0) && !notes.isPlain(1) && notes.isFlagged(1) && !notes.isFlagged(0))
        notes.notePlain(0)
        for slot in [1, 0, 1] { notes.note(slot) }
        #expect(!notes.isPlain(0))
      }
      #expect(Array(changes.slots) == [0, 1] && changes.isNoted(1) && changes.frame(of: 1) == frame)
      changes.end()
    }
    changes.note(1)
    #expect(changes.frame(of: 1) == 3)
    changes.begin(4) { _ in true }
    #expect(Array(changes.slots) == [1] && changes.frame(of: 1) == 4)
    changes.end()
    changes.restore(1, changedIn: 2)
    changes.begin(5) { _ in true }
    changes.noteMany { #expect($0.isFlagged(1)) }
    changes.unflag(1)
    changes.noteMany { #expect($0.isPlain(1)) }
    #expect(changes.frame(of: 1) == 2)
  }

  @Test func `a random course gives the results of sets`() {
    let seed = TestSeed.value
    var random = SplitMix(seed: seed)
    var changes = changes(slots: 6)
    var (carried, frame) = ([UInt32](), UInt64(0))
    for _ in 0..<5000 {
      if Int.random(in: 0..<3, using: &random) > 0 { frame += 1 }
      changes.begin(frame) { _ in true }
      var noted = carried
      carried = []
      for _ in 0..<Int.random(in: 0..<5, using: &random) {
        let slot = UInt32.random(in: 0..<6, using: &random)
        changes.note(Int(slot))
        if !noted.contains(slot) { noted.append(slot) }
      }
      #expect(Array(changes.slots) == noted, "seed \(seed)")
      changes.end()
      for _ in 0..<Int.random(in: 0..<3, using: &random) {
        let slot = UInt32.random(in: 0..<6, using: &random)
        changes.note(Int(slot))
        if !carried.contains(slot) { carried.append(slot) }
      }
    }
  }
}
