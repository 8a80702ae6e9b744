import ArgumentParser
import MotionClient
import MotionModel

/// `motionctl stop`
struct Stop: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Stop all motion at once, and remove all intentions except outputs.",
    usage: "motionctl stop [<target> ...] [<options>]",
    discussion: """
      The properties keep their present values until a later commit moves them. It acts at once, even while time is \
      paused. Without a target it also withdraws the transactions that wait for their time. Outputs such as SendOSC \
      move nothing and stay, so that later motion reaches their receivers; --outputs removes them, too. Stopping a \
      target that does not exist is not an error: nothing changes, and the output reports it.

      EXAMPLES
        motionctl stop                 everything except outputs
        motionctl stop --outputs       everything
        motionctl stop ball square     these targets
      """)

  @OptionGroup var connection: ConnectionOptions
  @OptionGroup var reading: ReadingOptions

  @Flag(help: "Remove outputs, too.")
  var outputs = false

  @OptionGroup var options: TargetOptions

  @Argument(
    help: ArgumentHelp("The targets; all of them if none is given.", valueName: "target"),
    completion: .custom(Candidates.targets), transform: parsedName)
  var targets: [TargetName] = []

  func run() throws {
    let targets = self.targets + options.named
    let client = try connection.client()
    let clock = try failing { () throws(MotionClientError) in try client.stop(targets, outputs: outputs) }
    let moment = client.moment
    // Queried after the stop, because nothing may delay a stop, and it has applied the commits that were under way.
    var absent: [TargetName: Refusal] = [:]
    for target in targets {
      absent[target] = try failing { () throws(MotionClientError) in try client.absence(of: target) }
    }
    let stopped = targets.filter { absent[$0] == nil }
    if targets.isEmpty || !stopped.isEmpty {
      let what = targets.isEmpty ? "Everything" : stopped.map(\.text).joined(separator: ", ")
      ClockText.print(clock, "\(what) stopped", at: moment, unkept: client.unkept, reading)
    }
    guard !reading.json else {
      if stopped.isEmpty, !targets.isEmpty { ClockText.print(clock, "Nothing stopped", at: moment, reading) }
      return
    }
    for refusal in targets.compactMap({ absent[$0] }) {
      Console().print("nothing to stop: \(refusal.message). \(refusal.remedy)")
    }
  }
}
