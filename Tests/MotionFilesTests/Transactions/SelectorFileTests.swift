import MotionFiles
import MotionModel
import MotionTestKit
import Testing

/// Selectors and groups in transaction files.
@Suite struct SelectorFileTests {
  private func read(_ text: String) throws -> TransactionFile {
    try TransactionFile(Array(text.utf8), named: "show.json", catalog: .builtIn())
  }

  // Clauses: S21.1, S21.5
  @Test func selectorsAndGroupsAreReadAndWritten() throws {
    let file = try read(
      """
      {"transaction":[{"group":"front","targets":["lamp{1..4}","spot"]},{"group":"old","targets":[]},
      {"add":{"type":"SpringTo","property":"x","destination":1},"named":"up","to":"@front"},
      {"remove":"up","from":["a","b*"]},{"forget":"lamp?"},{"forget":["only"]},
      {"limit":{"velocity":2},"property":"x","on":"lamp*,spot"}]}
      """)
    var transaction = Transaction()
    transaction.group("front", "lamp{1..4},spot")
    transaction.ungroup("old")
    transaction.add(.springTo("x", 1), named: "up", toEach: "@front")
    transaction.remove(named: "up", fromEach: "a,b*")
    transaction.forget(each: "lamp?")
    transaction.forget("only")
    transaction.limit("x", ofEach: "lamp*,spot", .limits(PropertyLimits(velocity: 2)))
    #expect(file.transaction == transaction)
    #expect(try read(file.encoded()) == file)
    let resolved = Transaction(log: [.group("front", ["a", "b"])])
    #expect(try read(TransactionFile(resolved).encoded()).transaction.selectors == [0: "a,b"])
    let members = try (1...5000).map { try TargetName("a-member-of-a-large-group-\($0)") }
    let large = Transaction(log: [.group("all", members)])
    #expect(try read(TransactionFile(large).encoded()).transaction == large)
  }

  // Clauses: S21.1
  @Test(arguments: [
    (
      "{\"forget\":\"lamp{1..\"}",
      "1:27: operation 0, field \"forget\": \"lamp{1..\" does not select targets. A } is missing."
    ),
    (
      "{\"forget\":[\"a\",\"b c\"]}",
      "1:27: operation 0, field \"forget\": \"b c\" does not select targets. Use target names, patterns such as lamp* or "
        + "lamp{1..12}, and groups such as @front, separated by commas."
    ),
    (
      "{\"remove\":{\"intention\":\"1.0\"},\"from\":\"a*\"}",
      "1:54: operation 0, field \"from\": \"a*\" is not a valid target name: use 1 to 128 of A-Z a-z 0-9 _ . : -"
    ),
    (
      "{\"group\":\"a b\",\"targets\":\"x\"}",
      "1:26: operation 0, field \"group\": \"a b\" is not a valid group name: use 1 to 128 of A-Z a-z 0-9 _ . : -"
    ),
    ("{\"group\":\"a\"}", "1:17: operation 0: \"targets\" is missing"),
  ])
  func aWrongSelectorIsReportedWithItsPlace(operation: String, message: String) {
    let error = #expect(throws: FileErrors.self) { _ = try read("{\"transaction\":[\(operation)]}") }
    #expect(error?.errors.first?.description.contains(message) == true, "\(error?.description ?? "")")
  }

  // Clauses: S8.54, S21.13, S21.14, S21.15
  @Test func `delays, spread values and orders are read and written`() throws {
    let file = try read(
      """
      {"transaction":[
      {"add":{"type":"SpringTo","property":"x","destination":{"from":0,"to":10},"after":"2s"},"to":"lamp*",
       "stagger":"100ms","by":"-position.y"},
      {"add":{"type":"Tween","property":"p","to":{"from":[0,1],"to":[2,3]},"duration":{"from":"1s","to":2}},"to":"a,b"},
      {"add":{"type":"SpringTo","property":"x","destination":{"from":7,"to":10}},"to":"one","stagger":1},
      {"add":{"type":"SpringTo","property":"x","destination":1,"priority":3,"after":0.5},"to":"one"}]}
      """)
    var transaction = Transaction()
    transaction.add(
      Intention.springTo("x", 0).after(2), toEach: "lamp*",
      spread: Spread(
        to: [.init("destination", .number(10))], stagger: 0.1, by: SpreadOrder("position", lane: 1, isDescending: true))
    )
    transaction.add(
      .tween("p", to: [0, 1], duration: .seconds(1)), toEach: "a,b",
      spread: Spread(to: [.init("to", .vector([2, 3])), .init("duration", .duration(.seconds(2)))]))
    transaction.add(.springTo("x", 7), to: "one")
    transaction.add(Intention.springTo("x", 1).priority(3).after(0.5), to: "one")
    #expect(file.transaction == transaction)
    #expect(try read(file.encoded()) == file)
  }

  // Clauses: S8.54, S21.13, S21.15
  @Test(arguments: [
    ("\"destination\":{\"from\":0,\"to\":[1,2]}", "", "field \"destination\": there are no values between these two"),
    ("\"destination\":{\"from\":0}", "", "field \"destination\": an object is not accepted here"),
    ("\"destination\":{\"from\":0,\"to\":\"x\"}", "", "field \"destination\": the text \"x\" is not accepted here"),
    ("\"destination\":1,\"after\":-1", "", "field \"after\": the number -1 is no delay"),
    ("\"destination\":1,\"after\":\"soon\"", "", "field \"after\": the text \"soon\" is no delay"),
    ("\"destination\":1", ",\"stagger\":true", "field \"stagger\": true is no delay"),
    ("\"destination\":1", ",\"stagger\":1,\"by\":\"a.b.c\"", "field \"by\": \"a.b.c\" is no order. Use a property"),
    ("\"destination\":1", ",\"by\":\"x\"", "field \"by\": there is nothing to order by"),
    ("\"destination\":1", ",\"staggered\":1", "there is no entry \"staggered\" here. Did you mean \"stagger\"?"),
  ])
  func `a wrong delay or spread is reported with its field`(fields: String, members: String, message: String) {
    let text =
      "{\"transaction\":[{\"add\":{\"type\":\"SpringTo\",\"property\":\"x\",\(fields)},\"to\":\"a*\"\(members)}]}"
    let error = #expect(throws: FileErrors.self) { _ = try read(text) }
    #expect(error?.errors.first?.description.contains(message) == true, "\(error?.description ?? "")")
  }

  // Clauses: S21.11
  @Test func aRigNamesItsTargets() throws {
    func rig(_ on: String) throws -> TransactionFile {
      let text = "{\"transaction\":[{\"limit\":{\"velocity\":2},\"property\":\"x\",\"on\":\"\(on)\"}]}"
      return try TransactionFile(Array(text.utf8), named: "rig.json", catalog: .builtIn(), isRig: true)
    }
    let file = try rig("head{1..3}")
    #expect(file.transaction.targets == ["head1", "head2", "head3"] && file.transaction.selectors.isEmpty)
    for open in ["head*", "@heads"] {
      let error = #expect(throws: FileErrors.self) { _ = try rig(open) }
      #expect(error?.errors.first?.message == "\"\(open)\" depends on the targets that exist")
    }
  }
}
