import Glibc
import LinuxSystem
import MotionCore
package import MotionJournal

/// A journal that no motiond has open, examined as the start of a motiond would examine it. Changes nothing.
///
/// If the journal lies in a state directory, as `journal`, the files of that directory are examined, too. A runtime
/// directory is not known here.
package struct JournalInspection {
  /// The contents and the damage of the journal.
  package let report: JournalReport
  private let directory: String
  /// The state directory around the journal; `nil` if the journal lies elsewhere.
  private let stateDirectory: String?
  /// The user who would start motiond: root may inspect the journals of others.
  private let user: UInt32

  /// Examines all entries, and reads the journal.
  ///
  /// - Parameter examinesState: whether the state directory around the journal is examined, too. A reader of the rows
  ///   does not need it.
  /// - Throws: ``StartError`` for an entry that a start could not open, and `JournalError` for a journal that cannot be
  ///   read.
  package init(of directory: String, examinesState: Bool = true) throws {
    self.directory = directory
    stateDirectory = Self.stateDirectory(around: directory)
    user = Self.user(of: directory, in: stateDirectory)
    // Before SQLite opens the journal: run by root, it gives the log to the owner of the database.
    if let problem = Self.problems(directory, examinesState ? stateDirectory : nil, user).first {
      throw StartError(problem)
    }
    report = try JournalReport(lookingAt: directory)
  }

  /// Makes the checks of a start that an intact journal can still fail: the directories above it, the files beside it,
  /// and whether a runtime can have the state that it contains.
  ///
  /// - Throws: ``StartError``, as the start would.
  package func checkStart() throws {
    // A start closes its own state directory to others by itself.
    if let weakness = PathTrust.weakness(onTheWayTo: directory, for: user), weakness.path != stateDirectory {
      throw StartError(journal: directory, weakness, for: user)
    }
    if let stateDirectory {
      try EpochFile.check(in: stateDirectory)
      try JournalGenerationCheck(of: directory, stateDirectory: stateDirectory).checkFiles()
    }
    _ = try Recovery(report.contents, into: Runtime(), compares: true)
  }

  private static func problems(
    _ directory: String, _ stateDirectory: String?, _ user: UInt32
  ) -> [ExpectedEntry.Problem] {
    ((stateDirectory.map { StartEntries.state($0) } ?? []) + StartEntries.journal(directory))
      .compactMap { $0.problem(for: user) }
  }

  /// The directory above, if a motiond has kept its state there. The journal may be a link to another disk.
  private static func stateDirectory(around directory: String) -> String? {
    var parts = AbsolutePath.of(directory).split(separator: "/").filter { $0 != "." }
    guard parts.popLast() == "journal" else { return nil }
    let parent = "/" + parts.joined(separator: "/")
    var status = stat()
    let marks = ["epoch", "epoch.lock", "journal.last"]
    return marks.contains { lstat("\(parent)/\($0)", &status) == 0 } ? parent : nil
  }

  private static func user(of directory: String, in stateDirectory: String?) -> UInt32 {
    var status = stat()
    guard geteuid() == 0, stat(stateDirectory ?? directory, &status) == 0 else { return geteuid() }
    return status.st_uid
  }
}
