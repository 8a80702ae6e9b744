import Glibc
import LinuxSystem
import MotionJournal

/// Stores, outside of a journal, which start used it last. A journal that is missing, or was replaced as a whole by an
/// older copy, is then not taken for the one that acknowledged commits.
///
/// The journal's directory holds the number of the last start that used it (`journal.epoch`). The state directory holds
/// that number and the place of the journal (`journal.last`). Each start writes the first before the second: a journal
/// whose number is below the one in the state directory is an older copy. Starts are counted, because rows come too
/// often for a second sync, and the head has those.
package struct JournalGenerationCheck {
  /// The directory of the journal.
  let directory: String
  /// The path of the record in the state directory.
  private let knowledge: String
  /// The record in the journal's directory.
  private let own: EpochFile
  /// The number of the last start, in the state directory.
  private let start: EpochFile

  package init(of directory: String, stateDirectory: String) {
    self.directory = directory
    knowledge = "\(stateDirectory)/journal.last"
    own = EpochFile(path: "\(directory)/journal.epoch")
    start = EpochFile(path: "\(stateDirectory)/epoch")
  }

  /// The last start that used the journal, according to its own directory; `nil` if there is no record.
  func epoch() throws -> UInt64? { try own.read() }

  /// Checks that the journal in its directory is the one that was used last, if one was used there.
  ///
  /// - Throws: ``StartError`` when it is missing, or an older copy.
  package func check() throws {
    guard let (last, place) = try known(), isHere(place) else { return }
    let accept = "start motiond once with --accept-loss, which continues with"
    guard SQLiteJournal.exists(in: directory) else {
      throw StartError(
        "open the journal \(directory)",
        "it is missing, although start \(last) of motiond stored acknowledged transactions in it",
        remedy: "Mount its disk or put the directory back as it was, or \(accept) nothing")
    }
    let found = try epoch() ?? 0
    guard found < last else { return }
    throw StartError(
      "open the journal \(directory)",
      "it is an older copy: start \(found) of motiond wrote it, and start \(last) wrote a newer one. What was acknowledged since"
        + " is not in it",
      remedy: "Put the newest one in its place, or \(accept) this copy")
  }

  /// A note for a start that begins with an empty journal although an earlier start of this state directory used one
  /// elsewhere, as when the state directory was copied without it; `nil` if that is not so.
  func noteOfAnotherPlace() -> String? {
    guard let (last, place) = try? known(), !isHere(place), !SQLiteJournal.exists(in: directory) else { return nil }
    return """
      start \(last) used the journal \(place); this start begins an empty one in \(directory). To continue with the other, \
      stop motiond and give its path, or move it there
      """
  }

  /// Makes the checks of a start that concern the files beside the journal: those of ``check()``, and that the number of
  /// the last start can be read.
  ///
  /// - Throws: ``StartError``, as that start would.
  package func checkFiles() throws {
    _ = try start.read()
    try check()
  }

  /// Records that this start uses the journal, and has read it.
  ///
  /// - Throws: ``StartError`` when that cannot be written.
  func note(_ epoch: UInt64) throws {
    try own.write(epoch)
    try SyncedFile.write("\(epoch) \(AbsolutePath.of(directory))\n", to: knowledge)
  }

  /// Whether a path leads to the directory of the journal: both may be written in different ways.
  private func isHere(_ place: String) -> Bool {
    if place == AbsolutePath.of(directory) { return true }
    var (one, other) = (stat(), stat())
    return stat(place, &one) == 0 && stat(directory, &other) == 0 && FileIdentity(one) == FileIdentity(other)
  }

  /// The start that used a journal last, and its place; `nil` if none did.
  private func known() throws -> (epoch: UInt64, place: String)? {
    guard access(knowledge, F_OK) == 0 || errno != ENOENT else { return nil }
    let remedy = "Put the file back as it was, or start motiond once with --accept-loss, which writes it again"
    let text = String(decoding: try FileBytes.read(knowledge, limit: 8192, remedy: remedy), as: UTF8.self)
    let words = text.dropLast().split(separator: " ", maxSplits: 1)
    guard text.hasSuffix("\n"), words.count == 2, let epoch = UInt64(words[0]) else {
      throw StartError(
        "read \(knowledge)", "it does not contain the number of a start and the path of a journal",
        remedy: remedy)
    }
    return (epoch, String(words[1]))
  }
}
