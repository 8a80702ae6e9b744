import ArgumentParser
import MotionJournal

/// `motionctl journal`
struct JournalCommands: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "journal",
    abstract: "Look at the journal of a motiond that does not run.",
    discussion: """
      The journal holds what motiond has acknowledged, in a directory of its own: "journal" in the state directory, \
      unless --journal says otherwise. These commands change nothing in it, and wait for nobody: while a motiond has \
      it open, they say so and fail.
      """,
    subcommands: [Verify.self, Show.self, Export.self])

  /// The journal that a command is about.
  struct Place: ParsableArguments {
    @Argument(
      help: ArgumentHelp("The directory that holds journal.sqlite.", valueName: "dir"), completion: .directory)
    var directory: String

    /// What is in it, whole or not.
    func report() throws(Failure) -> JournalReport {
      do {
        return try JournalReport(lookingAt: directory)
      } catch {
        throw Failure(.failure, "\(error.place): \(error.cause)", remedy: error.remedy)
      }
    }
  }

  /// `motionctl journal verify`
  struct Verify: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Say whether a journal is whole, or where it breaks and what to do.",
      usage: "motionctl journal verify <dir> [--json]",
      discussion: """
        Every row, the checkpoint and every identity is held against its checksum and the chain of all, and the chain \
        against the head, which lies outside of the database and knows what was acknowledged. The exit code is 1 if \
        anything is wrong.

        EXAMPLES
          motionctl journal verify ~/.local/state/motiond/journal
        """)

    @OptionGroup var reading: ReadingOptions
    @OptionGroup var place: Place

    func run() throws {
      let console = Console()
      let report = try place.report()
      if reading.json {
        console.print(JSONOutput(report).line)
      } else {
        console.print(report.verification(style: console.outputStyle))
      }
      guard report.isWhole else {
        throw Failure(
          .failure, "the journal is not as it was written",
          remedy: "put a backup of the whole directory in its place, or start motiond once with --accept-loss")
      }
    }
  }

  /// `motionctl journal show`
  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List the rows of a journal.",
      usage: "motionctl journal show <dir> [--last <count>] [--json]",
      discussion: """
        A row is something that must not be lost: a transaction, a stop, a pause. Rows that a checkpoint covers have \
        lost their bodies and are remembered for a day, so that a transaction that is committed again is recognised.

        EXAMPLES
          motionctl journal show ~/.local/state/motiond/journal --last 20
        """)

    @OptionGroup var reading: ReadingOptions
    @OptionGroup var place: Place

    @Option(help: ArgumentHelp("Only the last rows.", valueName: "count"))
    var last: Int?

    func validate() throws {
      if let last, last < 1 { throw ValidationError("--last is \(last); give a number above 0") }
    }

    func run() throws {
      let console = Console()
      let report = try place.report()
      let rows = last.map { report.rows.suffix($0) } ?? report.rows[...]
      if reading.json {
        console.print(JSONOutput.list(rows.map { JSONOutput($0) }).lines)
      } else {
        console.print(JournalTable.lines(of: rows, in: report, console))
      }
    }
  }

  /// `motionctl journal export`
  struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Write the rows of a journal as JSON, one on each line.",
      usage: "motionctl journal export <dir>",
      discussion: """
        For programs, and for a look at a journal that is not whole: every row that can be read is written.

        EXAMPLES
          motionctl journal export ~/.local/state/motiond/journal > rows.ndjson
        """)

    @OptionGroup var place: Place

    func run() throws {
      let console = Console()
      for row in try place.report().rows { console.print(JSONOutput(row).line) }
    }
  }
}
