import Foundation
import MotionFiles
import MotionJournal
import MotionModel
import MotionWire
import Testing

@testable import motionctl

/// `motionctl journal`, on journals on a disk.
@Suite(.timeLimit(.minutes(1))) struct JournalTests {
  /// A journal of ten rows and a checkpoint of the third, in a folder that is removed with the test.
  private final class Place {
    let directory: String
    private let folder: URL

    init() throws {
      folder = FileManager.default.temporaryDirectory.appendingPathComponent("motion-golden-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      directory = folder.appendingPathComponent("journal").path
      let journal = try SQLiteJournal(at: directory)
      try journal.append(Self.rows())
      let world = JournalCheckpoint(sequence: 3, body: JournalCoding.bytes(of: Self.world()))
      try journal.checkpoint(CheckpointUpdate(world))
      while try journal.tidy() {}
      journal.close()
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// A transaction that does one of everything.
    static let show: Transaction = {
      var show = Transaction()
      show.add(.tween("opacity", to: 0.25, duration: .milliseconds(1500)), named: "dim", to: "lamp")
      show.add(.springTo("position", [100, 50]), to: "ball")
      show.remove(named: "home", from: "ball")
      show.forget("old")
      show.add(.friction("x", coefficient: 2), to: "box")
      return show
    }()

    /// One row of each kind after the checkpoint, and one that cannot be decoded.
    private static func rows() -> [JournalRow] {
      var cue = Transaction()
      cue.add(.anchoredSpring("x", 5), to: "ball")
      let events: [JournalEntry.Event?] = [
        .commit(sequence: 1, Commit(cue, id: id(1)), client: 7), .void, .clock(.pause),
        .commit(sequence: 2, Commit(show, id: id(4)), client: 7), .stop(["ball", "lamp"]),
        .commit(sequence: 3, Commit(cue, id: id(6), at: 12.5, whileConnected: true), client: 7), .clock(.speed(0.5)),
        .withdraw([3]), .stop([]), nil,
      ]
      return zip(UInt64(1)..., events).map { sequence, event in
        let time = 1_795_353_255_678_000_000 + Int64(sequence) * 1_500_000_000
        let entry = event.map {
          JournalEntry($0, frame: Frame(number: sequence * 10, time: 0.25, dt: 0.01), time: Double(sequence) / 4)
        }
        let body = entry.map { JournalCoding.bytes(of: $0) } ?? [UInt8](repeating: 0xff, count: 12)
        guard case .commit? = event else { return JournalRow(sequence: sequence, wallTime: time, body: body) }
        return JournalRow(
          sequence: sequence, wallTime: time, identity: id(sequence).bytes, digest: [1], answer: [2], body: body)
      }
    }

    private static func id(_ row: UInt64) -> TransactionID {
      TransactionID(high: row &* 0x0101_0101_0101_0101, low: row)
    }

    private static func world() -> RuntimeCheckpoint {
      var world = RuntimeCheckpoint()
      world.frame = Frame(number: 30, time: 0.25, dt: 0.01)
      world.clock = ClockState(time: 0.25, speed: 1, isPaused: true)
      world.lastSequence = 1
      world.targets = [.init("ball", [.init("x", PropertyState(1, velocity: 2))]), .init("box", [])]
      world.plans = [
        .init(IntentionIdentity(sequence: 1, operation: 0), .anchoredSpring("x", 5), named: nil, on: "ball")
      ]
      world.owners = [.init(7, [1])]
      return world
    }

    func file(_ name: String) -> String { "\(directory)/\(name)" }

    /// A text without the parts that differ in each run: the folder and the journal's id.
    func stable(_ text: String) -> String {
      text.replacing(directory, with: "DIR").replacing(/"journal":"[0-9a-f]{16}"/, with: "\"journal\":\"ID\"")
        .replacing(/journal [0-9a-f]{16}/, with: "journal ID")
    }
  }

  @Test func `an intact journal is shown as golden text and JSON`() throws {
    let place = try Place()
    for (arguments, golden) in [
      (["verify"], "Text/journal-verify.txt"), (["verify", "--json"], "JSON/journal-verify.json"),
      (["show"], "Text/journal-show.txt"), (["show", "--json", "--last", "3"], "JSON/journal-show.json"),
      (["export"], "JSON/journal-export.ndjson"), (["export", "--row", "4"], "JSON/journal-transaction.json"),
    ] {
      let run = try Program.run(["journal"] + arguments + [place.directory])
      // It is whole, but a start could not read its last row.
      #expect(run.status == (arguments[0] == "verify" ? 1 : 0), "\(run.errors)")
      try Golden.expect(place.stable(run.output), golden)
    }
  }

  @Test func `journal commands change no file`() throws {
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

  @Test func `a damaged journal exits with 1, its place and the remedy`() throws {
    let place = try Place()
    try FileManager.default.removeItem(atPath: place.file("journal.head"))
    let run = try Program.run(["journal", "verify", place.directory])
    #expect(run.status == 1)
    #expect(run.output.contains("journal.head: it is missing"))
    #expect(run.output.contains("--accept-loss would lose anything acknowledged after row 10"))
    #expect(run.errors.contains("start motiond once with --accept-loss"))
    // The readable rows are still written.
    let rows = try Program.run(["journal", "export", place.directory])
    #expect(rows.status == 0)
    #expect(rows.output.split(separator: "\n").count == 10)
    #expect(rows.errors.contains("warning: the journal is damaged"))
  }

  // Clauses: S17.40
  @Test(
    arguments: ["journal.sqlite", "journal.sqlite-wal", "journal.head", "journal.lock"],
    ["pipe", "directory", "link", "device", "owner"])
  func `show and export refuse what is not a journal's file, and change nothing`(name: String, kind: String) throws {
    let isRoot = geteuid() == 0
    guard isRoot || (kind != "device" && kind != "owner") else { return }
    let place = try Place()
    let path = place.file(name)
    if kind == "owner" {
      try #require(chown(path, 1234, 1234) == 0)
    } else {
      unlink(path)
      let made =
        switch kind {
        case "pipe": mkfifo(path, 0o644)
        case "directory": mkdir(path, 0o755)
        case "link": symlink("/nowhere/at/all", path)
        // /dev/zero.
        default: mknod(path, S_IFCHR | 0o644, 0x105)
        }
      try #require(made == 0)
    }
    func entries() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: place.directory).sorted().map { name in
        var status = stat()
        lstat(place.file(name), &status)
        return "\(name) \(status.st_mode) \(status.st_uid) \(status.st_size) \(status.st_mtim.tv_nsec)"
      }
    }
    let before = try entries()
    for command in ["show", "export"] {
      let run = try Program.run(["journal", command, place.directory])
      #expect(run.status == 1, "\(run.output)")
      #expect(run.output == "")
      #expect(run.errors.hasPrefix("error: motiond cannot use \(path): it "), "\(run.errors)")
      #expect(run.errors.contains("try: "))
    }
    #expect(try entries() == before)
  }

  @Test func `a file that is no database exits with 1`() throws {
    let place = try Place()
    try Data("no database".utf8).write(to: URL(fileURLWithPath: place.file("journal.sqlite")))
    let run = try Program.run(["journal", "verify", place.directory, "--json"])
    #expect(run.status == 1)
    #expect(run.output.contains("\"whole\":false"))
    #expect(run.output.contains("everything up to row 10"))
  }

  /// A stored commit can be committed again: the file has the content of the client's transaction, except for the id.
  @Test func `an exported transaction equals the committed one`() throws {
    let place = try Place()
    let run = try Program.run(["journal", "export", "--row", "4", place.directory])
    let file = try TransactionFile(Array(run.output.utf8), named: "row 4", catalog: .knowing(BuiltInIntentions.all))
    #expect(file == TransactionFile(Place.show))
    let later = try Program.run(["journal", "export", "--row", "6", place.directory])
    let cue = try TransactionFile(Array(later.output.utf8), named: "row 6", catalog: .knowing(BuiltInIntentions.all))
    #expect(cue.at == 12.5 && cue.whileConnected && cue.id == nil)
  }

  @Test(arguments: [
    ("99", "there is no row 99"), ("2", "row 2 holds no transaction: covered by a checkpoint"),
    ("5", "row 5 holds no transaction: stop of ball, lamp"), ("10", "row 10 holds no transaction: cannot be read"),
  ])
  func `a row without a transaction exits with 1`(row: String, says: String) throws {
    let place = try Place()
    let run = try Program.run(["journal", "export", "--row", row, place.directory])
    #expect(run.status == 1)
    #expect(run.output == "")
    #expect(run.errors.contains(says))
  }

  @Test func `a missing journal exits with 1`() throws {
    let run = try Program.run(["journal", "show", "/tmp/motion-nowhere"])
    #expect(run.status == 1)
    #expect(run.errors.contains("/tmp/motion-nowhere: there is no journal here"))
  }

  @Test func `a journal in use exits with 1`() throws {
    let place = try Place()
    let journal = try SQLiteJournal(at: place.directory)
    defer { journal.close() }
    let run = try Program.run(["journal", "verify", place.directory])
    #expect(run.status == 1)
    #expect(run.errors.contains("another program has this journal open"))
  }

  @Test func `a number of rows of zero is refused`() throws {
    let run = try Program.run(["journal", "show", "--last", "0", "/tmp"])
    #expect(run.status == 2)
    #expect(run.errors.contains("--last is 0; give a number above 0"))
  }
}
