import ArgumentParser
import LinuxSystem
import MotionCoordinator
import MotionCore
import MotionFiles
import MotionJournal
import MotionModel

/// `motionctl journal`
struct JournalCommands: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "journal",
    abstract: "Inspect the journal of a motiond that does not run.",
    discussion: """
      The journal stores every change that motiond has acknowledged, in its own directory: "journal" in the state \
      directory, unless motiond runs with --journal. These commands do not change the journal and do not wait: while a \
      motiond has it open, they fail and report this.
      """,
    subcommands: [Verify.self, Show.self, Export.self])

  /// The journal that a command reads.
  struct Place: ParsableArguments {
    @Argument(
      help: ArgumentHelp("The directory that holds journal.sqlite.", valueName: "dir"), completion: .directory)
    var directory: String

    /// Examines the files of the journal as a start does, and reads them.
    ///
    /// - Parameter examinesState: whether the files of the state directory around it are examined, too.
    func inspection(examinesState: Bool) throws -> JournalInspection {
      do {
        return try JournalInspection(of: directory, examinesState: examinesState)
      } catch let error as StartError {
        throw Failure(.failure, "motiond cannot \(error.step): \(error.problem)", remedy: error.remedy)
      } catch let error as JournalError {
        throw Failure(.failure, "\(error.place): \(error.cause)", remedy: error.remedy)
      }
    }

    /// The report of the journal, intact or not. Notes if it is damaged.
    func report(_ console: Console) throws -> JournalReport {
      let report = try inspection(examinesState: false).report
      if !report.isWhole {
        let name = ShellWord.quoting(directory).shownOnOneLine
        console.note(
          console.errorStyle.yellow("warning: ")
            + "the journal is damaged, and only what can be read of it follows (motionctl journal verify \(name))")
      }
      return report
    }
  }

  /// `motionctl journal verify`
  struct Verify: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Check whether a journal is intact, and report damage and its remedy.",
      usage: "motionctl journal verify <dir> [--json]",
      discussion: """
        Compares every row, the checkpoint and every identity with its checksum and with the hash chain, and the chain \
        with the head: a file outside of the database that records what was acknowledged. Then reads and applies the \
        journal as motiond does when it starts. The exit code is 1 if a check fails.

        EXAMPLES
          motionctl journal verify ~/.local/state/motiond/journal
        """)

    @OptionGroup var reading: ReadingOptions
    @OptionGroup var place: Place

    func run() throws {
      let console = Console()
      let inspection = try place.inspection(examinesState: true)
      let report = inspection.report
      if reading.json {
        console.print(JSONOutput(report).line)
      } else {
        console.print(report.verification(style: console.outputStyle))
      }
      guard report.isWhole else {
        throw Failure(
          .failure, "the journal is damaged",
          remedy: "put a backup of the whole directory in its place, or start motiond once with --accept-loss")
      }
      // The journal is intact. It remains to check whether a start could continue from it, which only a start can show.
      do {
        try inspection.checkStart()
      } catch let error as StartError {
        throw Failure(
          .failure, "motiond cannot start with this journal: \(error.step): \(error.problem)", remedy: error.remedy)
      }
    }
  }

  /// `motionctl journal show`
  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show the rows and the checkpoint of a journal.",
      usage: "motionctl journal show <dir> [--last <count>] [--json]",
      discussion: """
        A row is a change that must not be lost: a transaction, a stop, a pause. The first operations of a transaction \
        are shown, all of them with --json. Rows that a checkpoint covers have no bodies. They are kept for a day, so \
        that motiond recognises a transaction that is committed again.

        EXAMPLES
          motionctl journal show ~/.local/state/motiond/journal --last 20
        """)

    @OptionGroup var reading: ReadingOptions
    @OptionGroup var place: Place

    @Option(help: ArgumentHelp("Show only the last rows, this many.", valueName: "count"))
    var last: Int?

    func validate() throws {
      if let last, last < 1 { throw ValidationError("--last is \(last); give a number above 0") }
    }

    func run() throws {
      let console = Console()
      let report = try place.report(console)
      let rows = last.map { report.rows.suffix($0) } ?? report.rows[...]
      if reading.json {
        let checkpoint = report.checkpoint.map { JSONOutput($0.contents, number: $0.number) } ?? .null
        let shown: JSONOutput = ["checkpoint": checkpoint, "rows": .list(rows.map { JSONOutput($0) })]
        console.print(shown.lines(levels: 2))
      } else {
        console.print(JournalTable.lines(of: rows, in: report, console))
      }
    }
  }

  /// `motionctl journal export`
  struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Write the rows of a journal as JSON, one on each line.",
      usage: "motionctl journal export <dir> [--row <row>]",
      discussion: """
        For programs, and to inspect a damaged journal: writes every row that can be read. The operations of a \
        transaction have the format that motionctl commit reads. With --row, writes the transaction of that row as a \
        file for motionctl commit, without its id, so that it is applied again.

        EXAMPLES
          motionctl journal export ~/.local/state/motiond/journal > rows.ndjson
          motionctl journal export journal --row 812 | motionctl commit -
        """)

    @OptionGroup var place: Place

    @Option(help: ArgumentHelp("Write only the transaction of this row, as a transaction file.", valueName: "row"))
    var row: UInt64?

    func run() throws {
      let console = Console()
      let report = try place.report(console)
      if let row {
        console.print(try Self.file(of: row, in: report).encoded().split(separator: "\n").map(String.init))
      } else {
        for row in report.rows { console.print(JSONOutput(row).line) }
      }
    }

    /// The transaction of a row, to be committed again.
    private static func file(of sequence: UInt64, in report: JournalReport) throws(Failure) -> TransactionFile {
      guard let row = report.rows.first(where: { $0.row.sequence == sequence }) else {
        throw Failure(
          .failure, "there is no row \(sequence) in \(report.directory)",
          remedy: "motionctl journal show lists the rows")
      }
      guard case .entry(let entry) = JournalContent(of: row), case .commit(_, let commit, _) = entry.event else {
        throw Failure(
          .failure, "row \(sequence) holds no transaction: \(JournalEntryText.text(of: row))",
          remedy: "motionctl journal show lists the rows with transactions")
      }
      // Files have no negative times; a commit for one was applied at once.
      return TransactionFile(
        commit.transaction, at: commit.at.map { .absolute(max(0, $0)) }, whileConnected: commit.whileConnected,
        comment: commit.comment)
    }
  }
}
