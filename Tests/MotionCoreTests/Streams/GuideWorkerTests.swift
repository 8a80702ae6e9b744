import MotionExecutorKit
import Testing

// guide begins
struct Main { static func main() { Worker(declarations: [breathing()]).run() } }
// guide ends

/// The worker of docs/writing-an-executor.md: the guide's code is compiled here.
///
/// It is not run: a worker takes the whole process. Those of the plugins are run.
struct GuideWorkerTests {
  @Test func `the guide contains this code`() throws {
    let code = try #require(Guide.parts(of: "Tests/MotionCoreTests/Streams/GuideWorkerTests.swift").first)
    let lines = try Guide.text(of: "docs/writing-an-executor.md").split(separator: "\n").map(String.init)
    let start = try #require(lines.firstIndex(of: "    import MotionExecutorKit"))
    #expect(lines[start + 1] + "\n" == "    @main " + code)
  }
}
