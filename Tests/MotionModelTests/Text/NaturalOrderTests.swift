import MotionModel
import MotionTestKit
import Testing

@Suite struct NaturalOrderTests {
  @Test func `numbers in names are ordered by value`() {
    let sorted = [
      "a", "a 2", "lamp", "lamp1", "lamp01", "lamp2", "lamp2/a", "lamp2/b", "lamp10", "lamp10b2", "lamp10b10", "lampe",
      "ä",
    ]
    var random = SeededRandom(seed: SeededRandom.seed(of: "NaturalOrder"))
    for _ in 0..<20 {
      let order = sorted.shuffled(using: &random).sorted(by: NaturalOrder.isBefore)
      #expect(
        order == [
          "a", "a 2", "lamp", "lamp01", "lamp1", "lamp2", "lamp2/a", "lamp2/b", "lamp10", "lamp10b2", "lamp10b10",
          "lampe", "ä",
        ])
    }
  }

  /// Of any two texts exactly one stands first, and no three go in a circle: `sorted` needs it.
  @Test func theOrderIsStrictAndTotal() {
    var random = SeededRandom(seed: SeededRandom.seed(of: "NaturalOrderTotal"))
    let alphabet = Array("0019aA é")
    let texts = (0..<120).map { _ in
      String((0..<Int.random(in: 0..<6, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? "0" })
    }
    for a in texts {
      for b in texts {
        let (before, after) = (NaturalOrder.isBefore(a, b), NaturalOrder.isBefore(b, a))
        #expect(Array(a.utf8) == Array(b.utf8) ? !before && !after : before != after, "\(a) \(b)")
        for c in texts where before && NaturalOrder.isBefore(b, c) {
          if !NaturalOrder.isBefore(a, c) { Issue.record("\(a) \(b) \(c)") }
        }
      }
    }
  }
}
