import MotionModel
import Testing

@Suite struct NameTests {
  private func texts<Rule: NameRule>(_ texts: [String], of _: Name<Rule>.Type) -> [String] {
    texts.compactMap { try? Name<Rule>($0).text }
  }

  // Clauses: S8.28
  @Test func `intention names are any plain text that is not empty`() {
    let long = String(repeating: "n", count: 128)
    let some = ["", "drag", "Drag", "ü 1", "a\nb", long, long + "n"]
    #expect(texts(some, of: IntentionName.self) == ["drag", "Drag", "ü 1", long])
    let (lower, upper): (IntentionName, IntentionName) = ("drag", "Drag")
    #expect(lower != upper)
  }

  // Clauses: S8.28
  @Test func `target and property names contain no topic separators`() {
    let some = ["", "ball", "stage.left:ball-1_A", "a/b", "a b", "bäll"]
    #expect(texts(some, of: TargetName.self) == ["ball", "stage.left:ball-1_A"])
    #expect(texts(some + ["x_1-A"], of: PropertyName.self) == ["ball", "x_1-A"])
  }

  @Test func `a name error contains the valid characters`() {
    let text = "a/b"
    let error = #expect(throws: NameError.self) { try TargetName(text) }
    #expect(error?.description == "\"a/b\" is not a valid target name: use 1 to 128 of A-Z a-z 0-9 _ . : -")
  }
}
