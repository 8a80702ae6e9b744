import GRDB
import Glibc
import MotionTestKit
import Testing

@testable import MotionJournal

/// Inspects a journal that no process has open, and reports the result of a start.
struct ReportTests {
  private let journal: JournalFolder

  init() throws { journal = try JournalFolder() }

  private func startError(acceptingLoss: Bool = false) -> JournalError? {
    do throws(JournalError) {
      _ = try JournalReport.contents(ofStartIn: journal.path, acceptingLoss: acceptingLoss)
      return nil
    } catch {
      return error
    }
  }

  @Test func `a report has the contents that a start reads, and changes nothing`() throws {
    try journal.fill(25, checkpoint: 20)
    let files = try journal.files()
    let contents = try JournalReport.contents(ofStartIn: journal.path, acceptingLoss: false)
    let open = try journal.open()
    #expect(try open.contents() == contents)
    open.close()
    try journal.restore(files)
    // A copy without the lock file is inspected, and stays unchanged.
    unlink("\(journal.path)/journal.lock")
    let report = try JournalReport(lookingAt: journal.path)
    #expect(report.isWhole && report.rows.count == 25 && report.checkpoint?.contents == .sample(20))
    #expect(Folder.size(of: "\(journal.path)/journal.lock") == nil)
    #expect(try journal.files() == files)
  }

  @Test func `a report fails with the error with which a start fails`() throws {
    try journal.fill(25, checkpoint: 20)
    try journal.alter("UPDATE rows SET body = zeroblob(40) WHERE sequence = 23")
    let error = try #require(startError())
    let refusal = try #require(throws: JournalError.self) { try journal.open() }
    #expect(error == refusal)
    #expect(error.code == .damaged && error.cause.contains("row 23"))
    #expect(startError(acceptingLoss: true) == nil)
  }

  @Test func `a journal that a start would create or complete is no error`() throws {
    // No folder at all: a start would create it.
    #expect(startError() == nil)
    #expect(Folder.size(of: journal.path) == nil)
    // Only the folder.
    mkdir(journal.path, 0o700)
    #expect(startError() == nil)
    // A loss of power during creation leaves this: a head without a row, and half a database.
    try journal.open().close()
    try journal.write([1, 2, 3], to: journal.database)
    #expect(startError() == nil)
    #expect(try JournalReport(lookingAt: journal.path).isWhole)
    #expect(try journal.open().contents() == JournalContents())
  }

  @Test func `a journal that a start could not create or lock is an error`() throws {
    try journal.folder.write("text", to: "journal")
    #expect(startError()?.code == .inaccessible)
    unlink(journal.path)
    let nowhere = "\(journal.path)/deeper"
    let error = #expect(throws: JournalError.self) {
      try JournalReport.contents(ofStartIn: nowhere, acceptingLoss: false)
    }
    #expect(error?.remedy == "Make the directory for the journal")
    let open = try journal.open()
    #expect(startError()?.code == .locked)
    open.close()
  }

  @Test func `an older version is not damage`() throws {
    try journal.fill(5)
    var options = JournalOptions()
    options.schema.steps.append { try $0.execute(sql: "CREATE TABLE remarks (text TEXT)") }
    let error = #expect(throws: JournalError.self) { try JournalReport(lookingAt: journal.path, options: options) }
    #expect(error?.code == .older)
    #expect(error?.cause.contains("its version is 1, and this one supports 2") == true)
  }
}
