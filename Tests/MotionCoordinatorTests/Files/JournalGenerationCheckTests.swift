import Glibc
import MotionJournal
import MotionTestKit
import Testing

@testable import MotionCoordinator

struct JournalGenerationCheckTests {
  private let folder: TemporaryFolder
  private var directory: String { "\(folder.path)/journal" }
  private var generationCheck: JournalGenerationCheck {
    JournalGenerationCheck(of: directory, stateDirectory: folder.path)
  }

  init() throws { folder = try TemporaryFolder() }

  /// The steps of a start.
  private func start(_ epoch: UInt64) throws {
    try generationCheck.check()
    try SQLiteJournal(at: directory).close()
    try generationCheck.note(epoch)
  }

  // Clauses: S17.30
  @Test func `the journal that was used last is accepted, wherever an earlier one was`() throws {
    try start(1)
    #expect(try generationCheck.epoch() == 1)
    try start(4)
    #expect(try generationCheck.epoch() == 4)
    let elsewhere = JournalGenerationCheck(of: "\(folder.path)/other", stateDirectory: folder.path)
    try elsewhere.check()
    let note = try #require(elsewhere.noteOfAnotherPlace())
    #expect(note.contains("start 4 used the journal") && note.contains("begins an empty one"), "\(note)")
    #expect(generationCheck.noteOfAnotherPlace() == nil)
    // A journal that is there is continued.
    try SQLiteJournal(at: "\(folder.path)/other").close()
    #expect(elsewhere.noteOfAnotherPlace() == nil)
  }

  // Clauses: S17.30
  @Test func `a missing journal is refused with the remedy`() throws {
    try start(3)
    #expect(rename(directory, directory + "-away") == 0)
    let error = #expect(throws: StartError.self) { try generationCheck.check() }
    #expect(error?.problem.contains("it is missing, although start 3") == true)
    #expect(error?.remedy.contains("--accept-loss") == true)
    // An empty directory, as a disk that is not mounted leaves it.
    folder.make("journal")
    #expect(throws: StartError.self) { try generationCheck.check() }
  }

  // Clauses: S17.30
  @Test func `an older copy of the whole directory is refused, and a newer one accepted`() throws {
    try start(3)
    try start(5)
    try folder.write("3\n", to: "journal/journal.epoch")
    let error = #expect(throws: StartError.self) { try generationCheck.check() }
    #expect(error?.problem.contains("it is an older copy: start 3") == true)
    #expect(error?.remedy.contains("--accept-loss") == true)
    // The start wrote one file and was killed before the other.
    try folder.write("6\n", to: "journal/journal.epoch")
    try generationCheck.check()
  }

  @Test(arguments: ["", "3\n", "x /a\n", "3 /a"]) func `a generation file with invalid contents is refused`(
    _ text: String
  ) throws {
    try folder.write(text, to: "journal.last")
    let error = #expect(throws: StartError.self) { try generationCheck.check() }
    #expect(error?.remedy.contains("--accept-loss") == true)
  }
}
