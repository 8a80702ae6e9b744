import Glibc
import MotionTestKit
import Testing

@testable import MotionCoordinator

struct EpochFileTests {
  private func next(in folder: TemporaryFolder, above others: UInt64?...) throws -> UInt64 {
    try StateDirectory(folder.path).nextEpoch(above: others.compactMap { $0 }.max()).epoch
  }

  // Clauses: S17.30
  @Test func `epochs count from 1, and increase above every known epoch`() throws {
    let folder = try TemporaryFolder()
    #expect(try (0..<3).map { _ in try next(in: folder) } == [1, 2, 3])
    #expect(folder.mode("epoch") == 0o600)
    #expect(try next(in: folder, above: 2) == 4)
    #expect(try next(in: folder, above: 9) == 10)
    #expect(try next(in: folder, above: nil) == 11)
  }

  @Test func `a temporary file that a crash left behind changes nothing`() throws {
    let folder = try TemporaryFolder()
    try folder.write("41\n", to: "epoch")
    try folder.write("9", to: "epoch.new")
    #expect(try next(in: folder) == 42)
  }

  @Test(arguments: [
    "", "12", "twelve\n", "-1\n", "1\n2\n", "4611686018427387904\n", "18446744073709551615\n",
    "99999999999999999999999\n",
  ])
  func `a file that contains no epoch is refused with the remedy`(_ text: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(text, to: "epoch")
    let error = #expect(throws: StartError.self) { try next(in: folder) }
    #expect(error?.remedy.contains("--accept-loss") == true)
    // Once the loss is accepted, it is replaced by a number above those in other files and above any that can have been
    // used.
    let state = try StateDirectory(folder.path)
    let (epoch, damage) = try state.nextEpoch(above: 9, acceptingDamageAt: 1_800_000_000)
    #expect(epoch == 1_800_000_001 && damage?.problem == error?.problem)
    #expect(try state.nextEpoch().epoch == epoch + 1)
  }

  @Test func `a path that is not a file is refused without waiting`() throws {
    let folder = try TemporaryFolder()
    #expect(mkfifo("\(folder.path)/epoch", 0o600) == 0)
    let error = #expect(throws: StartError.self) { try next(in: folder) }
    #expect(error?.problem == "it is not a file")
  }

  @Test func `the highest plausible number is followed by the next`() throws {
    let folder = try TemporaryFolder()
    try folder.write("4611686018427387903\n", to: "epoch")
    #expect(try next(in: folder) == 1 << 62)
  }

  @Test func `a missing directory is named in the error`() {
    let error = #expect(throws: StartError.self) { try EpochFile(path: "/nowhere/at/all/epoch").write(1) }
    #expect(error?.description.contains("/nowhere/at/all") == true)
    #expect(error?.mayPass == false)
  }

  @Test func `a full or read-only disk is an error that may pass`() throws {
    for (code, mayPass) in [(ENOSPC, true), (EDQUOT, true), (EROFS, true), (EIO, false), (EACCES, false)] {
      #expect(StartError(writing: "write it", code, remedy: "Wait").mayPass == mayPass)
    }
  }
}
