import MotionFiles
import MotionModel
import MotionTestKit
import Testing

struct PriorityFileTests {
  private func read(_ priority: String) throws -> TransactionFile {
    let text =
      "{\"transaction\":[{\"add\":{\"type\":\"SpringTo\",\"property\":\"x\",\"destination\":1,\"priority\":\(priority)},"
      + "\"to\":\"ball\"}]}"
    return try TransactionFile(Array(text.utf8), named: "show.json", catalog: .builtIn())
  }

  // Clauses: S10.29
  @Test(arguments: [-100, -1, 0, 5, 100]) func `a priority is read and written beside the fields`(priority: Int32)
    throws
  {
    let file = try read("\(priority)")
    #expect(file.transaction.log == [.add(.springTo("x", 1).priority(priority), named: nil, to: "ball")])
    let again = try TransactionFile(Array(file.encoded().utf8), named: "show.json", catalog: .builtIn())
    #expect(again == file)
    #expect(file.encoded().contains("priority") == (priority != 0))
  }

  // Clauses: S10.29
  @Test(arguments: ["101", "-101", "1.5", "1e300", "\"5\"", "null", "[1]"])
  func `what is no priority is refused with its place`(text: String) throws {
    let errors = #expect(throws: FileErrors.self) { try read(text) }
    #expect(errors?.errors.map(\.field) == ["priority"])
    #expect(errors?.errors.first?.remedy == "Use a whole number from -100 to 100.")
  }
}
