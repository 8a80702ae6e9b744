import Testing

@testable import motionctl

struct TreeTests {
  @Test func `branches are joined, and further lines are below their node`() {
    let tree = Tree(
      "root",
      [
        Tree("first", more: ["more", "", "  .much()"], [Tree("leaf")]),
        Tree("last", more: ["more"], [Tree("a", [Tree("b")]), Tree("c")]),
      ])
    #expect(
      tree.lines == [
        "root",
        "├─ first",
        "│  │   more",
        "│  │",
        "│  │     .much()",
        "│  └─ leaf",
        "└─ last",
        "   │   more",
        "   ├─ a",
        "   │  └─ b",
        "   └─ c",
      ])
  }

  @Test func `control characters of a text are escaped on one line`() {
    #expect("a\r\nb\u{1B}[2J".shownOnOneLine == #"a\u{D}\nb\u{1B}[2J"#)
  }
}
