import ArgumentParser
import MotionClient
import MotionModel

/// `motionctl list`
struct List: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List what the daemon holds.",
    usage: "motionctl list <subject> [<target>] [<options>]",
    discussion: """
      "list properties" answers who moves what, and why: BECAUSE names the driver's intentions as "list intentions" \
      does, and WAITING the executors that go on when the driver ends.

      EXAMPLES
        motionctl list targets
        motionctl list properties ball
        motionctl list intentions --json | jq '.[] | select(.state == "failed")'
        motionctl list types
      """)

  /// What can be listed.
  enum Subject: String, CaseIterable, ExpressibleByArgument {
    case targets
    case properties
    case executors
    case intentions
    case tokens
    case plugins
    case types
  }

  /// How much of a failure's reason a terminal shows in a row, in characters; a pipe and `--json` get all of it.
  private static let longestReason = 40

  @OptionGroup var connection: ConnectionOptions
  @OptionGroup var reading: ReadingOptions

  @Argument(help: "What to list.")
  var subject: Subject

  @Argument(
    help: "Only this target's properties, executors, intentions or tokens.", completion: .custom(Candidates.targets),
    transform: parsedName)
  var target: TargetName?

  func validate() throws {
    if target != nil, [.targets, .plugins, .types].contains(subject) {
      throw ValidationError("\(subject.rawValue) are listed as a whole: leave the target out")
    }
  }

  func run() throws {
    let client = try connection.client()
    let answer = try failing { () throws(MotionClientError) in try client.query(query) }
    let console = Console()
    if reading.json { return console.print(JSONOutput(answer).lines) }
    let longest = console.outputIsTerminal ? Self.longestReason : Int.max
    guard let table = Table(answer, longestReason: longest), !table.rows.isEmpty else {
      return console.note("no \(subject.rawValue)" + (target.map { " on \($0)" } ?? ""))
    }
    console.print(table.lines(style: console.outputStyle))
  }

  private var query: Query {
    switch subject {
    case .targets: .targets
    case .properties: .properties(target)
    case .executors: .executors(target)
    case .intentions: .intentions(target)
    case .tokens: .tokens(target)
    case .plugins: .plugins
    case .types: .types(nil)
    }
  }
}
