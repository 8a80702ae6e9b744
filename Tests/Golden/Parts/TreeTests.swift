import Testing

@testable import motionctl

struct TreeTests {
  @Test func branchesAreJoinedAndWhatGoesOnStandsBelow() {
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

  @Test func textsOfOthersStayOnTheirLine() {
    #expect("a\r\nb\u{1B}[2J".shownOnOneLine == #"a\u{D}\nb\u{1B}[2J"#)
  }
}
