import ArgumentParser

/// Measures what motiond costs, beside a reference that is measured in the same run.
@main
struct Bench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "motion-bench",
    abstract: "Measures motiond: each figure beside a reference of the same run, and the ratio.",
    discussion: """
      Absolute times belong to a machine, ratios hold elsewhere too. Close other programs; --quick proves only that \
      it works. `make bench` runs everything and writes docs/performance.md.
      """,
    subcommands: [
      Springs.self, Moves.self, LimitCosts.self, Streams.self, Commits.self, Stagings.self, Frames.self,
      Snapshots.self, Histories.self, Inspections.self, Wires.self,
      Ticks.self,
      Journals.self,
      Idle.self, Inputs.self, Lamps.self,
      Faults.self, Memory.self, Report.self,
      Peer.self,
    ])
}

/// What every benchmark can be told.
struct BenchOptions: ParsableArguments {
  @Flag(help: "One JSON object for each line of the table.")
  var json = false

  @Flag(help: "Few and small: proves that it works, and measures nothing.")
  var quick = false
}
