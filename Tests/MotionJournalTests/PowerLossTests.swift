import CSQLite
import Faults
import Glibc
import MotionTestKit
import PowerLoss
import PowerLossVFS
import Testing

@testable import MotionJournal

/// The power may fail at any moment of a workload: whichever part of the unsynced data the disk then has, the journal
/// opens, has every row that was acknowledged, and no half of a group.
@Suite struct PowerLossTests {
  /// The place where images are opened: in memory, if the system has such a place, because thousands of them are
  /// synced.
  private static let place = Folder.size(of: "/dev/shm") != nil ? "/dev/shm" : "/tmp"

  /// The guarantees so far: the last row and the last checkpoint.
  private struct Promise {
    var sequence: UInt64
    var checkpoint: UInt64?
    /// The end of the group that is being written, and the checkpoint.
    var nextSequence: UInt64
    var nextCheckpoint: UInt64?
  }

  /// Runs a workload on a recorded journal: groups of 1 to 6 rows, some of many pages, checkpoints, tidying, closing
  /// and opening.
  private func record(
    _ synchronous: JournalOptions.Synchronous, random: inout SeededRandom
  ) throws -> (steps: [FileStep], promises: [Promise]) {
    let folder = try JournalFolder()
    let disk = RecordedDisk(below: folder.path)
    // The log is short, so that it restarts often.
    let options = disk.options(synchronous, logPages: 12)
    var promises = [Promise(sequence: 0, checkpoint: nil, nextSequence: 0, nextCheckpoint: nil)]
    var journal = try disk.open(options)
    func promise(_ change: (inout Promise) -> Void) {
      var promise = promises[promises.count - 1]
      change(&promise)
      promises.append(promise)
      disk.mark(promises.count - 1)
    }
    for round in 0..<60 {
      let last = promises[promises.count - 1].sequence
      switch round % 10 {
      case 3, 6:
        // Not before the row of the previous checkpoint.
        let back = UInt64.random(in: 0...3, using: &random)
        let sequence = max(last - min(last, back), promises[promises.count - 1].checkpoint ?? 0)
        promise { $0.nextCheckpoint = sequence }
        try journal.checkpoint(.sample(sequence, bytes: Int.random(in: 1...9000, using: &random)))
        promise { ($0.checkpoint, $0.nextCheckpoint) = (sequence, sequence) }
      case 4, 8: while try journal.tidy() {}
      case 9:
        journal.close()
        journal = try disk.open(options)
      default:
        let count = UInt64.random(in: 1...6, using: &random)
        let bytes = round % 7 == 0 ? 20_000 : Int.random(in: 0...400, using: &random)
        promise { $0.nextSequence = last + count }
        try journal.append(JournalRow.samples(last + 1...last + count, bytes: bytes))
        promise { $0.sequence = last + count }
      }
    }
    journal.close()
    return (disk.steps, promises)
  }

  /// Opens an image, and returns its problem; `nil` if it keeps the promise.
  private func problem(of image: [String: [UInt8]], _ promise: Promise) throws -> String? {
    let folder = try TemporaryFolder(in: Self.place)
    for (file, bytes) in image {
      let name = String(file.split(separator: "/").last ?? "")
      try folder.write(bytes, to: name)
    }
    do {
      let journal = try SQLiteJournal(at: folder.path)
      defer { journal.close() }
      let contents = try journal.contents()
      let last = contents.lastSequence
      guard last == promise.sequence || last == promise.nextSequence else {
        return "row \(last) is the last one, and row \(promise.sequence) was acknowledged"
      }
      let checkpoint = contents.checkpoint?.sequence
      guard checkpoint == promise.checkpoint || checkpoint == promise.nextCheckpoint else {
        return "the checkpoint is of row \(checkpoint ?? 0)"
      }
      for row in contents.rows where row != .sample(row.sequence, bytes: row.body.count) {
        return "\(row) is none of ours"
      }
      try journal.append([.sample(last + 1)])
      return nil
    } catch {
      return "\(error)"
    }
  }

  /// The problems of images of the disk: of each moment before a sync, and of every seventh step between.
  private func problems(
    _ synchronous: JournalOptions.Synchronous, random: inout SeededRandom, until enough: Int
  ) throws -> (images: Int, problems: [String]) {
    let (steps, promises) = try record(synchronous, random: &random)
    var images = CrashImages()
    var count = 0
    var found: [String] = []
    for (index, step) in steps.enumerated() {
      // The uncertainty is greatest before each sync; in addition, every seventh of the other steps.
      if step.isSync || index % 7 == 0 {
        for image in images.images(random: &random) {
          count += 1
          if let problem = try problem(of: image, promises[images.mark]) {
            found.append("before step \(index) of \(steps.count): \(problem)")
            if found.count >= enough { return (count, found) }
          }
        }
      }
      images.apply(step, &random)
    }
    return (count, found)
  }

  // Clauses: S17.20
  @Test(
    .fault(
      .storage, "The power fails at any moment",
      by: "images before each sync and in between: what was synced, and of what was not every subset of few writes, "
        + "random ones of many, torn ones, from a seed",
      promise: "the journal opens with all that was acknowledged, and no half of a group"), .timeLimit(.minutes(5)))
  func nothingThatWasAcknowledgedIsEverLost() throws {
    var random = SeededRandom(seed: SeededRandom.seed(of: "nothingThatWasAcknowledgedIsEverLost"))
    let (count, problems) = try problems(.full, random: &random, until: 5)
    #expect(problems == [])
    print("\(count) images of what was synced and parts of what was not")
    #expect(count > 1000)
  }

  /// Shows why `synchronous` is FULL. If this test ever finds no loss, the test above can no longer detect one.
  @Test(.timeLimit(.minutes(5))) func withLessThanFullSyncRowsAreLost() throws {
    var random = SeededRandom(seed: SeededRandom.seed(of: "withLessThanFullSyncRowsAreLost"))
    let (count, problems) = try problems(.normal, random: &random, until: 1)
    #expect(problems.count == 1, "\(count) images, and none of them has lost anything")
    #expect(problems.first?.contains("missing at the end") == true, "\(problems)")
  }

  /// SQLite syncs the folder with the first sync of every log that it opens, so a name that an earlier process created
  /// and did not sync is on disk before the first row is acknowledged.
  // Clauses: S17.20
  @Test(.timeLimit(.minutes(5))) func aLogWhoseCreatorDiedBeforeItsFirstSyncIsNotLost() throws {
    var random = SeededRandom(seed: SeededRandom.seed(of: "aLogWhoseCreatorDiedBeforeItsFirstSyncIsNotLost"))
    // A name that is not on disk is lost in half of the losses of power.
    for _ in 0..<16 {
      let folder = try JournalFolder()
      let disk = RecordedDisk(below: folder.path)
      let first = try disk.open(disk.options())
      try first.append(JournalRow.samples(1...5))
      first.close()
      try #require(unlink(folder.log) == 0)
      disk.fail(MOTION_FILE_WRITE, of: "-wal", with: SQLITE_IOERR)
      #expect(throws: JournalError.self) {
        let second = try disk.open(disk.options())
        defer { second.close() }
        try second.append([.sample(6)])
      }
      disk.heal()
      let third = try disk.open(disk.options())
      try third.append([.sample(6)])
      // The process ends without closing, so the row is in the log only.
      disk.fail(with: SQLITE_IOERR)
      third.close()
      disk.heal()
      try disk.losePower(&random)
      let last = try disk.open(disk.options())
      #expect(try last.contents().lastSequence == 6)
      last.close()
    }
  }
}
