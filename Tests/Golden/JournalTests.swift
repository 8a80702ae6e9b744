import Foundation
import MotionJournal
import Testing

/// `motionctl journal`, on journals as they lie on a disk.
@Suite(.timeLimit(.minutes(1))) struct JournalTests {
  /// A journal of six rows and a checkpoint of the third, in a folder that goes with the test.
  private final class Place {
    let directory: String
    private let folder: URL

    init() throws {
      folder = FileManager.default.temporaryDirectory.appendingPathComponent("motion-golden-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      directory = folder.appendingPathComponent("journal").path
      let journal = try SQLiteJournal(at: directory)
      try journal.append((1...6).map(Self.row))
      try journal.checkpoint(CheckpointUpdate(JournalCheckpoint(sequence: 3, body: [1, 2, 3])))
      while try journal.tidy() {}
      journal.close()
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private static func row(_ sequence: UInt64) -> JournalRow {
      let time = 1_795_353_255_678_000_000 + Int64(sequence) * 1_500_000_000
      guard sequence != 5 else {
        return JournalRow(sequence: sequence, wallTime: time, body: [UInt8](repeating: 1, count: 12))
      }
      let identity = (0..<16).map { UInt8(truncatingIfNeeded: sequence * 16 + $0) }
      return JournalRow(
        sequence: sequence, wallTime: time, identity: identity, digest: [1], answer: [2],
        body: [UInt8](repeating: 0xff, count: Int(sequence) * 10))
    }

    func file(_ name: String) -> String { "\(directory)/\(name)" }

    /// A text without what is another one in each run: the folder and the journal's id.
    func stable(_ text: String) -> String {
      text.replacing(directory, with: "DIR").replacing(/"journal":"[0-9a-f]{16}"/, with: "\"journal\":\"ID\"")
        .replacing(/journal [0-9a-f]{16}/, with: "journal ID")
    }
  }

  @Test func aWholeJournalIsShown() throws {
    let place = try Place()
    for (arguments, golden) in [
      (["verify"], "Text/journal-verify.txt"), (["verify", "--json"], "JSON/journal-verify.json"),
      (["show"], "Text/journal-show.txt"), (["show", "--json", "--last", "3"], "JSON/journal-show.json"),
      (["export"], "JSON/journal-export.ndjson"),
    ] {
      let run = try Program.run(["journal"] + arguments + [place.directory])
      #expect(run.status == 0, "\(run.errors)")
      try Golden.expect(place.stable(run.output), golden)
    }
  }

  @Test func lookingChangesNothing() throws {
    let place = try Place()
    func files() throws -> [String: Data?] {
      let names = ["journal.sqlite", "journal.sqlite-wal", "journal.head", "journal.lock"]
      return Dictionary(
        uniqueKeysWithValues: names.map { ($0, FileManager.default.contents(atPath: place.file($0))) })
    }
    let before = try files()
    for command in ["verify", "show", "export"] { _ = try Program.run(["journal", command, place.directory]) }
    #expect(try files() == before)
  }

  @Test func aDamagedJournalIsOneWithThePlaceAndTheRemedy() throws {
    let place = try Place()
    try FileManager.default.removeItem(atPath: place.file("journal.head"))
    let run = try Program.run(["journal", "verify", place.directory])
    #expect(run.status == 1)
    #expect(run.output.contains("journal.head: it is missing"))
    #expect(run.output.contains("--accept-loss would lose what was acknowledged after row 6"))
    #expect(run.errors.contains("start motiond once with --accept-loss"))
    // What can be read is still written.
    let rows = try Program.run(["journal", "export", place.directory])
    #expect(rows.status == 0)
    #expect(rows.output.split(separator: "\n").count == 6)
  }

  @Test func aFileThatIsNoDatabaseIsOne() throws {
    let place = try Place()
    try Data("no database".utf8).write(to: URL(fileURLWithPath: place.file("journal.sqlite")))
    let run = try Program.run(["journal", "verify", place.directory, "--json"])
    #expect(run.status == 1)
    #expect(run.output.contains("\"whole\":false"))
    #expect(run.output.contains("everything up to row 6"))
  }

  @Test func noJournalIsOne() throws {
    let run = try Program.run(["journal", "show", "/tmp/motion-nowhere"])
    #expect(run.status == 1)
    #expect(run.errors.contains("/tmp/motion-nowhere: there is no journal here"))
  }

  @Test func aJournalThatIsInUseIsOne() throws {
    let place = try Place()
    let journal = try SQLiteJournal(at: place.directory)
    defer { journal.close() }
    let run = try Program.run(["journal", "verify", place.directory])
    #expect(run.status == 1)
    #expect(run.errors.contains("another program has this journal open"))
  }

  @Test func aNumberOfRowsIsAboveZero() throws {
    let run = try Program.run(["journal", "show", "--last", "0", "/tmp"])
    #expect(run.status == 2)
    #expect(run.errors.contains("--last is 0; give a number above 0"))
  }
}
