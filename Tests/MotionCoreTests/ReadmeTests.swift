import Glibc
import MotionCore
import MotionModel
import Testing

/// The second program of the README: what it shows is what is compiled here, and it does what the README says.
struct ReadmeTests {
  /// Runs the program; what it prints is handed over line by line.
  private func run(printing print: (Any...) -> Void) throws {
    // README begins
    let runtime = Runtime(ratePerSecond: 60)
    var transaction = Transaction()
    transaction.add(.springTo("position", [100, 50]), to: "ball")
    try runtime.commit(transaction)
    while runtime.isActive {
      runtime.advance()
      guard let ball = runtime.state(of: "position", on: "ball") else { break }
      print(runtime.frame.number, ball.value.array, ball.velocity.array)
    }
    // README ends
  }

  @Test func itEndsWhereAndWhenTheReadmeSays() throws {
    var lines: [String] = []
    try run { items in lines.append(items.map { "\($0)" }.joined(separator: " ")) }
    let last = try #require(lines.last)
    #expect(last == "\(lines.count) [100.0, 50.0] [0.0, 0.0]")
    let readme = try text(of: "README.md")
    #expect(readme.contains("It ends in frame \(lines.count), at exactly 100, 50."))
  }

  @Test func theReadmeShowsThisProgram() throws {
    let readme = try text(of: "README.md")
    let block = try #require(part(of: readme, after: "```swift\n", before: "```"))
    let own = try text(of: "Tests/MotionCoreTests/ReadmeTests.swift")
    let body = try #require(part(of: own, after: "// README begins\n", before: "    // README ends"))
    let program = body.split(separator: "\n").map { $0.dropFirst(4) }.joined(separator: "\n") + "\n"
    #expect(block == "import MotionCore\nimport MotionModel\n\n" + program)
  }

  private func part(of text: String, after start: String, before end: String) -> String? {
    guard let first = text.firstRange(of: start) else { return nil }
    let rest = text[first.upperBound...]
    return rest.firstRange(of: end).map { String(rest[..<$0.lowerBound]) }
  }

  /// A file of the repository, by its path from the root.
  private func text(of path: String) throws -> String {
    let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let file = try #require(fopen("/\(root)/\(path)", "r"), "\(path) cannot be read")
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }
}
