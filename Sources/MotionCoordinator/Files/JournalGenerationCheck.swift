import Glibc
import MotionJournal

/// Knows of a journal from outside of it which start used it last, so that one that is missing, or was put back as a
/// whole, is not taken for the one that was acknowledged by.
///
/// The journal's directory holds the number of the last start that used it (`journal.epoch`), and the state directory that
/// number and where the journal was (`journal.last`). Each start writes the first before the second: a journal whose number
/// is below what the state directory says is an older copy. Numbers of starts, because rows come too often for a second
/// sync, and the head has those.
package struct JournalGenerationCheck {
  /// Where the journal is.
  let directory: String
  /// What the state directory knows.
  private let knowledge: String
  /// What the journal's directory says.
  private let own: EpochFile

  package init(of directory: String, stateDirectory: String) {
    self.directory = directory
    knowledge = "\(stateDirectory)/journal.last"
    own = EpochFile(path: "\(directory)/journal.epoch")
  }

  /// The last start that used the journal, as it says itself; `nil` if it does not.
  func epoch() throws -> UInt64? { try own.read() }

  /// Checks that the journal that lies there is the one that was used last, if one was used there.
  ///
  /// - Throws: ``StartError`` when it is not there, or an older copy.
  package func check() throws {
    guard let (last, place) = try known(), place == AbsolutePath.of(directory) else { return }
    let accept = "start motiond once with --accept-loss, which goes on with"
    guard SQLiteJournal.exists(in: directory) else {
      throw StartError(
        "open the journal \(directory)",
        "it is not there, and start \(last) of motiond kept what it acknowledged in it",
        remedy: "Mount its disk or put the directory back as it was, or \(accept) nothing")
    }
    let found = try epoch() ?? 0
    guard found < last else { return }
    throw StartError(
      "open the journal \(directory)",
      "it is an older copy, as start \(found) of motiond left it, and start \(last) used it: what was acknowledged since"
        + " is not in it",
      remedy: "Put the newest one in its place, or \(accept) what is there")
  }

  /// This start uses it, and has read it.
  ///
  /// - Throws: ``StartError`` when that cannot be written down.
  func note(_ epoch: UInt64) throws {
    try own.write(epoch)
    try SyncedFile.write("\(epoch) \(AbsolutePath.of(directory))\n", to: knowledge)
  }

  /// Which start was the last to use a journal, and where; `nil` if none was.
  private func known() throws -> (epoch: UInt64, place: String)? {
    guard access(knowledge, F_OK) == 0 || errno != ENOENT else { return nil }
    let text = String(decoding: try FileBytes.read(knowledge, limit: 8192), as: UTF8.self)
    let words = text.dropLast().split(separator: " ", maxSplits: 1)
    guard text.hasSuffix("\n"), words.count == 2, let epoch = UInt64(words[0]) else {
      throw StartError(
        "read \(knowledge)", "it does not hold the number of a start and the place of a journal",
        remedy: "Put the file back as it was, or start motiond once with --accept-loss, which writes it again")
    }
    return (epoch, String(words[1]))
  }
}
