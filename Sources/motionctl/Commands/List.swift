import ArgumentParser
import MotionClient
import MotionFiles
import MotionModel

/// `motionctl list`
struct List: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the daemon's targets, properties, intentions, plugins and more.",
    usage: """
      motionctl list <subject> [<target> ...] [<options>]
      motionctl list <subject> [<target>] [--recording <file>] --at <moment>
      motionctl list events [--recording <file>] [--from <moment>] [<options>]
      motionctl list events [--recording <file>] --last <duration>
      """,
    discussion: """
      "list properties" shows which executor drives each property, and why: BECAUSE names the driver's intentions as \
      "list intentions" does, and WAITING the executors that take over when the driver ends. "list waiting" shows the \
      waiting transactions: AT is the simulated time at which each is applied, and DUE that moment on motiond's wall \
      clock if the speed does not change. While time is paused, what is committed waits for the next frame, and the \
      other lists show what is in effect until then. "list intentions" shows as displaced a plan that has lost its \
      property to another, and moves it until the first values of that plan arrive. "list clients" shows who is connected, and what ends with each client: \
      transactions that were committed with --while-connected, pointers that are down, and input values.

      With --at the lists are those of a moment of the last minutes, as far as motiond keeps them; with --recording, of \
      a recording, and no daemon is asked. "list events" shows what happened: commits with their clients, stops, workers, \
      drivers, and plans that ended.

      EXAMPLES
        motionctl list targets
        motionctl list targets ball
        motionctl list properties ball 'lamp*'
        motionctl list intentions --json | jq '.[] | select(.state == "failed")'
        motionctl list types
        motionctl list properties ball --at -30s
        motionctl list events --last 5min
        motionctl list properties ball --recording show.mcap --at 01:58:12
      """)

  /// The subjects that can be listed.
  enum Subject: String, CaseIterable, ExpressibleByArgument {
    case targets
    case properties
    case executors
    case intentions
    case tokens
    case events
    case waiting
    case inputs
    case groups
    case scenes
    case cues
    case clients
    case plugins
    case types
  }

  /// The most characters of a failure's reason that a terminal shows in a row; a pipe and `--json` get all of it.
  private static let longestReason = 40
  /// The most targets that are queried one by one.
  private static let mostQueries = 16

  @OptionGroup var connection: ConnectionOptions
  @OptionGroup var reading: ReadingOptions

  @OptionGroup var moment: MomentOptions
  @OptionGroup var span: SpanOptions
  @OptionGroup var options: TargetOption

  @Argument(help: "The subject to list.")
  var subject: Subject

  @Argument(
    help: ArgumentHelp(
      "Only these targets, or their properties, executors, intentions or tokens.", valueName: "target"),
    completion: .custom(Candidates.targets), transform: parsedSelector)
  var targets: [TargetSelector] = []

  func validate() throws {
    if !asked.isEmpty, [.waiting, .inputs, .groups, .scenes, .cues, .clients, .plugins, .types].contains(subject) {
      throw ValidationError("\(subject.rawValue) belong to no target: omit the targets")
    }
    if subject == .events {
      guard moment.recording != nil || !span.isWhole || ShellSession.current?.past != nil else {
        throw ValidationError("name a part of the daemon's last minutes, such as --last 5min, or --recording FILE")
      }
      if moment.moment != nil { throw ValidationError("events are those of a part: --from, --to or --last") }
    } else if !span.isWhole {
      throw ValidationError("--from, --to and --last are for list events: name a moment with --at")
    }
  }

  /// The targets to list; empty for all.
  private var asked: [TargetSelector] { targets + options.named }

  func run() throws {
    let console = Console()
    if subject == .events {
      let part = try span.part(of: moment.recording, connection)
      return try RecordedEvents(part.timeline, part.before, part.last, asked).print(reading, console)
    }
    if let timeline = try moment.timeline(connection) {
      guard subject != .waiting else {
        throw Failure(
          .usage, "the past has a transaction in the frame that applies it, and none that waits",
          remedy: "list the commits of a part: motionctl list events --last 5min")
      }
      guard subject != .scenes, subject != .cues else {
        throw Failure(
          .usage, "the past has no \(subject == .scenes ? "scenes" : "lists of cues")",
          remedy: "list those of the present: motionctl list \(subject.rawValue)")
      }
      let answer = try self.answer { query throws(Failure) in try timeline.answer(query) }
      try show(answer, console)
      if !reading.json { console.note(console.errorStyle.dim("(\(timeline.place))")) }
      return
    }
    let client = try connection.client()
    let answer = try self.answer { query throws(Failure) in
      try failing { () throws(MotionClientError) in try client.query(query) }
    }
    if case .waiting(let rows) = answer { return try show(rows, client, console) }
    try show(answer, console)
    if !reading.json { try noteWaiting(client, console) }
  }

  /// The rows to list.
  private func answer(_ ask: (Query) throws(Failure) -> Answer) throws(Failure) -> Answer {
    let targets = try TargetSelector.existingNames(of: asked, ask)
    if targets.isEmpty, !asked.isEmpty {
      throw Failure(
        .refused, "no target is in \(asked.map(\.text).joined(separator: ", "))",
        remedy: "list the groups: motionctl list groups")
    }
    // One answer for all costs less than many.
    let asksForAll = subject == .targets || targets.isEmpty || targets.count > Self.mostQueries
    var answer = try ask(query(of: asksForAll ? nil : targets.first))
    if !asksForAll { for target in targets.dropFirst() { answer.append(try ask(query(of: target))) } }
    return answer.restricted(to: Set(targets)).listed
  }

  private func show(_ answer: Answer, _ console: Console) throws(Failure) {
    if reading.json { return console.print(JSONOutput(answer).lines) }
    let targets = asked
    let longest = console.outputIsTerminal ? Self.longestReason : Int.max
    guard let table = Table(answer, longestReason: longest), !table.rows.isEmpty else {
      let places =
        targets.isEmpty ? "" : (subject == .targets ? " named " : " on ") + targets.map(\.text).joined(separator: ", ")
      return console.note("no \(subject.rawValue)\(places)")
    }
    console.print(table.lines(style: console.outputStyle))
  }

  private func noteWaiting(_ client: MotionClient, _ console: Console) throws(Failure) {
    if ![.plugins, .types, .clients, .groups, .scenes, .cues].contains(subject) { try console.noteWaiting(client) }
  }

  /// Shows the waiting transactions, with the wall-clock time at which each is due, if that is known.
  private func show(_ rows: [WaitingRow], _ client: MotionClient, _ console: Console) throws(Failure) {
    let clock = try failing { () throws(MotionClientError) in try client.status() }.clock
    let due = DueTimes(client.moment, clock)
    if reading.json {
      return console.print(JSONOutput.list(rows.map { JSONOutput($0, due: due.text(at: $0.at)) }).lines)
    }
    if rows.isEmpty { return console.note("no transactions are waiting") }
    console.print(Table(rows, due: due).lines(style: console.outputStyle))
  }

  private func query(of target: TargetName?) -> Query {
    switch subject {
    case .targets: .targets
    case .properties: .properties(target)
    case .executors: .executors(target)
    case .intentions: .intentions(target)
    case .tokens: .tokens(target)
    case .waiting: .waiting
    case .inputs: .inputs
    case .groups: .groups
    case .scenes: .scenes(nil)
    case .cues: .cues(nil)
    case .clients: .clients
    case .plugins: .plugins
    case .types: .types(nil)
    // They are not asked for, but read.
    case .events: .targets
    }
  }
}
