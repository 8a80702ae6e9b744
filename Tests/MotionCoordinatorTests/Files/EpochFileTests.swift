import MotionTestKit
import Testing

@testable import MotionCoordinator

struct EpochFileTests {
  @Test func `epochs count from 1`() throws {
    let folder = try TemporaryFolder()
    #expect(try (0..<3).map { _ in try EpochFile.next(in: folder.path) } == [1, 2, 3])
    #expect(folder.mode("epoch") == 0o600)
  }

  @Test func `a second file that a crash left behind changes nothing`() throws {
    let folder = try TemporaryFolder()
    try folder.write("41\n", to: "epoch")
    try folder.write("9", to: "epoch.new")
    #expect(try EpochFile.next(in: folder.path) == 42)
  }

  @Test(arguments: ["", "12", "twelve\n", "-1\n", "1\n2\n", "18446744073709551615\n", "99999999999999999999999\n"])
  func `what is no epoch is refused, with what to do`(_ text: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(text, to: "epoch")
    let error = #expect(throws: StartError.self) { try EpochFile.next(in: folder.path) }
    #expect(error?.remedy.contains("Write a number") == true)
  }

  @Test func `the highest number is told to be that, and the one before it is good`() throws {
    let folder = try TemporaryFolder()
    try folder.write("18446744073709551615\n", to: "epoch")
    let error = #expect(throws: StartError.self) { try EpochFile.next(in: folder.path) }
    #expect(error?.description.contains("the highest number there is") == true)
    #expect(error?.description.contains("no number") == false)
    try folder.write("18446744073709551614\n", to: "epoch")
    #expect(try EpochFile.next(in: folder.path) == .max)
  }

  @Test func `a directory that is not there is named`() {
    let error = #expect(throws: StartError.self) { try EpochFile.next(in: "/nowhere/at/all") }
    #expect(error?.description.contains("/nowhere/at/all") == true)
  }
}
