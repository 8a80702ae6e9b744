import ArgumentParser
import Glibc
import MotionJournal

/// `motion-bench journal`
struct Journals: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "journal",
    abstract:
      "Rows that are on disk, in groups, against a bare loop of write and fdatasync; and opening 100,000 of them.")

  @OptionGroup var options: BenchOptions

  @Option(help: "Where the files are written: on the disk that is to be measured.")
  var dir = "/var/tmp"

  /// What a transaction of one intention takes, with its id and receipt.
  private static let bodyBytes = 250

  func run() throws {
    let printer = Printer(options)
    for size in [1, 10, 100] { try printer.show(append(size)) }
    try printer.show(open(options.quick ? 1000 : 100_000))
  }

  private func rows(after sequence: UInt64, _ count: Int) -> [JournalRow] {
    (1...UInt64(count)).map { index in
      let number = sequence + index
      return JournalRow(
        sequence: number, wallTime: Int64(number), identity: withUnsafeBytes(of: (number, ~number), Array.init),
        digest: withUnsafeBytes(of: number, Array.init), answer: [UInt8](repeating: 7, count: 16),
        body: [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: Self.bodyBytes))
    }
  }

  /// Groups of so many rows, with a checkpoint now and then and everything that can wait, beside the bare loop.
  private func append(_ size: Int) throws -> Row {
    let folder = try Folder(in: dir)
    let journal = try SQLiteJournal(at: folder["journal"])
    defer { journal.close() }
    let file = try BareFile(folder["bare"])
    let bytes = [UInt8](repeating: 1, count: size * Self.bodyBytes)
    var last: UInt64 = 0
    var groups = 0
    var problem: (any Error)?
    let subject = {
      do {
        try journal.append(rows(after: last, size))
        last += UInt64(size)
        groups += 1
        if groups % 1000 == 0 {
          try journal.checkpoint(CheckpointUpdate(JournalCheckpoint(sequence: last, body: bytes)))
        }
        _ = try journal.tidy()
      } catch {
        problem = error
      }
    }
    let times = Stopwatch(quick: options.quick, onTheWall: true).compare(subject) { file.append(bytes) }
    if let problem { throw BenchFailure("\(problem)") }
    return Row(
      benchmark: "journal", series: "a row, in groups", size: size, cost: times.subject * 1e6 / Double(size),
      reference: times.reference * 1e6 / Double(size), unit: "µs", comparedWith: "write and fdatasync")
  }

  /// Opening a journal with so many rows after its checkpoint.
  private func open(_ count: Int) throws -> Row {
    let folder = try Folder(in: dir)
    let path = folder["journal"]
    let first = try SQLiteJournal(at: path)
    for start in stride(from: 0, to: count, by: 1000) {
      try first.append(rows(after: UInt64(start), min(1000, count - start)))
    }
    first.close()
    var found = 0
    let watch = Stopwatch(quick: options.quick, onTheWall: true)
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    let times = watch.compare({
      guard let journal = try? SQLiteJournal(at: path) else { return }
      found = (try? journal.contents().rows.count) ?? 0
      journal.close()
    }) {
      let descriptor = Glibc.open("\(path)/journal.sqlite", O_RDONLY)
      while read(descriptor, &buffer, buffer.count) > 0 {}
      close(descriptor)
    }
    guard found == count else { throw BenchFailure("\(found) of \(count) rows were found") }
    return Row(
      benchmark: "journal", series: "opening", size: count, cost: times.subject * 1e3,
      reference: times.reference * 1e3, unit: "ms", comparedWith: "reading the file",
      limit: count == 100_000 ? 2000 : nil)
  }

  /// What a journal cannot do without: bytes at the end of a file, and the disk's word that they are there.
  private final class BareFile {
    private let descriptor: Int32

    init(_ path: String) throws {
      descriptor = Glibc.open(path, O_WRONLY | O_CREAT, 0o600)
      guard descriptor >= 0 else { throw BenchFailure("\(path) cannot be made") }
    }

    deinit { close(descriptor) }

    func append(_ bytes: [UInt8]) {
      _ = write(descriptor, bytes, bytes.count)
      fdatasync(descriptor)
    }
  }

  /// A folder on the disk that is measured, which goes when this does.
  private final class Folder {
    private let path: String

    init(in place: String) throws {
      var template = Array("\(place)/motion-bench-XXXXXX".utf8CString)
      guard mkdtemp(&template) != nil else { throw BenchFailure("no directory can be made in \(place)") }
      path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
      for name in ["journal.sqlite", "journal.sqlite-wal", "journal.head", "journal.lock"] {
        unlink("\(path)/journal/\(name)")
      }
      rmdir("\(path)/journal")
      unlink("\(path)/bare")
      rmdir(path)
    }

    subscript(name: String) -> String { "\(path)/\(name)" }
  }
}
