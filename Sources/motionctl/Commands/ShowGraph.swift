import ArgumentParser
import MotionClient
import MotionFiles
import MotionModel

/// `motionctl graph`
struct ShowGraph: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "graph",
    abstract: "Show the drivers of all properties, with their plans and streams, as a graph.",
    usage: """
      motionctl graph [<target>] [<options>]
      motionctl graph [<target>] [--recording <file>] --at <moment> [<options>]
      """,
    discussion: """
      For each target it shows the properties with their drivers, and the executors, in motiond or in a worker, with \
      their tokens and plans: the properties that a plan writes and reads, and the plans that it emits. For an \
      executor made of streams it also shows the source and operators of each stream. With --at or --recording the \
      graph is that of a moment of the past, without the streams of workers.

      EXAMPLES
        motionctl graph
        motionctl graph ball
        motionctl graph ball --at -30s
        motionctl graph --dot | dot -Tsvg > graph.svg
        motionctl graph --json | jq '.nodes[] | select(.node == "property").driver'
      """)

  /// The most characters of a plan's fields that a terminal shows; a pipe and `--json` get all of them.
  private static let longestFields = 60

  @OptionGroup var connection: ConnectionOptions
  @OptionGroup var reading: ReadingOptions

  @OptionGroup var moment: MomentOptions
  @Option(help: .hidden)
  var last: String?

  @Flag(help: "Write the DOT language of Graphviz.")
  var dot = false

  @OptionGroup var options: TargetOptions

  @Argument(
    help: "Show only this target, and its relations to others.", completion: .custom(Candidates.targets),
    transform: parsedSelector)
  var target: TargetSelector?

  func validate() throws {
    if options.named.count + (target == nil ? 0 : 1) > 1 {
      throw ValidationError("a graph shows one target or all: give one target, or none")
    }
    guard last == nil else {
      throw ValidationError(
        "a graph is that of one moment: name it with --at (motionctl list events shows the drivers of a part)")
    }
    if dot && reading.json { throw ValidationError("--dot and --json exclude each other: give one of them") }
  }

  /// The only target for which a selector stands; `nil` without one.
  private static func only(
    _ selector: TargetSelector?, _ ask: (Query) throws(Failure) -> Answer
  ) throws(Failure) -> TargetName? {
    guard let selector else { return nil }
    let names = try selector.names(ask)
    guard names.count == 1 else {
      throw Failure(
        .usage, "\"\(selector)\" stands for \(names.count) targets", remedy: "name one target, or none for all of them")
    }
    return names[0]
  }

  func run() throws {
    let console = Console()
    let selector = target ?? options.named.first
    if let timeline = try moment.timeline(connection) {
      let target = try Self.only(selector) { query throws(Failure) in try timeline.answer(query) }
      guard case .graph(var graph) = try timeline.answer(.graph(target)) else { return }
      if graph.hasWorkers { graph.remarks.append("the streams of workers are not kept") }
      show(graph, console)
      if !reading.json, !dot { console.note(console.errorStyle.dim("(\(timeline.place))")) }
      return
    }
    let client = try connection.client()
    let target = try Self.only(selector) { query throws(Failure) in try client.answer(query) }
    let graph = try failing { () throws(MotionClientError) in try client.graph(of: target) }
    show(graph, console)
    if !reading.json, !dot { try console.noteWaiting(client) }
  }

  private func show(_ graph: RuntimeGraph, _ console: Console) {
    if reading.json { return console.print(JSONOutput(graph).lines(levels: 2)) }
    for remark in graph.remarks { console.note(console.errorStyle.yellow("note: ") + remark.shownOnOneLine) }
    if dot { return Console.write(graph.graphViz) }
    let longest = console.outputIsTerminal ? Self.longestFields : Int.max
    let lines = GraphReport(graph, style: console.outputStyle, longestFields: longest).lines
    if lines.isEmpty { console.note("no targets") } else { console.print(lines) }
  }
}

extension RuntimeGraph {
  /// Whether an executor runs in a worker.
  fileprivate var hasWorkers: Bool {
    nodes.contains { if case .executor(let row) = $0 { row.worker != nil } else { false } }
  }
}
