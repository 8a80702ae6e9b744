import MotionCore
import MotionModel
import Testing

/// The second program of the README: its code is compiled here, and has the effect that the README states.
struct ReadmeTests {
  /// Runs the program; its output is passed on line by line.
  private func run(printing print: (Any...) -> Void) throws {
    // guide begins
    let runtime = Runtime(ratePerSecond: 60)
    var transaction = Transaction()
    transaction.add(.springTo("position", [100, 50]), to: "ball")
    try runtime.commit(transaction)
    while runtime.wantsFrames {
      runtime.advance()
      guard let ball = runtime.state(of: "position", on: "ball") else { break }
      print(runtime.frame.number, ball.value.array, ball.velocity.array)
    }
    // guide ends
  }

  @Test func `the example ends where and when the README states`() throws {
    var lines: [String] = []
    try run { items in lines.append(items.map { "\($0)" }.joined(separator: " ")) }
    let last = try #require(lines.last)
    #expect(last == "\(lines.count) [100.0, 50.0] [0.0, 0.0]")
    let readme = try Guide.text(of: "README.md")
    #expect(readme.contains("It ends in frame \(lines.count), at exactly 100, 50."))
  }

  @Test func `the README contains the example program`() throws {
    let block = try #require(Guide.blocks(of: "README.md").first)
    let program = try #require(Guide.parts(of: "Tests/MotionCoreTests/ReadmeTests.swift", indentedBy: 4).first)
    #expect(block == "import MotionCore\nimport MotionModel\n\n" + program)
  }
}
