import Testing

@testable import MotionStudio

/// The file of viewers.
struct ViewerListTests {
  @Test func `a list is read as it was written`() throws {
    var list = ViewerList()
    _ = list.add("the wall", mayChange: false)
    _ = list.add("desk", mayChange: true)
    let read = try ViewerList("# viewers\n\n" + list.text)
    #expect(read == list)
    #expect(read["the wall"]?.mayChange == false)
    #expect(read.viewer(with: list.entries[1].token.text)?.name == "desk")
    #expect(read.viewer(with: "") == nil)
  }

  @Test func `a name has one token`() {
    var list = ViewerList()
    let first = list.add("desk", mayChange: true)
    let second = list.add("desk", mayChange: false)
    #expect(first.token != second.token)
    #expect(list.entries == [second])
    let removals = [list.remove("desk"), list.remove("desk")]
    #expect(removals == [true, false])
  }

  @Test(arguments: [
    "x", "abc read a", "\(String(repeating: "0", count: 64)) look a", "\(String(repeating: "0", count: 64)) read",
  ])
  func `a wrong line is an error that does not repeat it`(line: String) {
    let error = #expect(throws: ViewerList.LineError.self) { try ViewerList("\n\(line)\n") }
    #expect(error?.line == 2)
    #expect(error?.description.contains(line) == false)
  }

  @Test func `names can be shown`() {
    for name in ["", " a", "a ", "a\nb", "a\u{1B}b", String(repeating: "a", count: 65)] {
      #expect(!ViewerList.isName(name), "\(name)")
    }
    #expect(ViewerList.isName("Wände 2"))
  }

  @Test func `tokens are 64 digits, and no two are equal`() {
    let tokens = (0..<100).map { _ in AccessToken.random() }
    #expect(Set(tokens).count == 100)
    for token in tokens { #expect(AccessToken(token.text) == token) }
    #expect(AccessToken(String(repeating: "A", count: 64)) == nil)
    #expect(AccessToken("") == nil)
  }
}
