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

      --ramp lets the properties brake instead of standing at once: within their limits of acceleration and jerk, and \
      otherwise evenly in half a second of simulated time. The intentions are removed at once. A stop without --ramp \
      ends that. A stop is not a safety function: what can hurt a person needs a stop that does not depend on motiond.

      EXAMPLES
        motionctl stop                 everything except outputs
        motionctl stop --outputs       everything
        motionctl stop ball square     these targets
        motionctl stop 'lamp*' @front  all that match, and a group
        motionctl stop --ramp head     this target, without a jerk
      """)

  @OptionGroup var connection: ConnectionOptions
  @OptionGroup var reading: ReadingOptions

  @Flag(help: "Remove outputs, too.")
  var outputs = false

  @Flag(help: "Brake within the limits, or in half a second, instead of standing at once.")
  var ramp = false

  @OptionGroup var options: TargetOptions

  @Argument(
    help: ArgumentHelp("The targets; all of them if none is given.", valueName: "target"),
    completion: .custom(Candidates.targets), transform: parsedSelector)
  var targets: [TargetSelector] = []

  func run() throws {
    let given = self.targets + options.named
    let client = try connection.client()
    guard given.allSatisfy({ $0.name != nil }) else { return try stop(each: given, client) }
    let targets = given.compactMap(\.name)
    let clock = try failing { () throws(MotionClientError) in try client.stop(targets, outputs: outputs, ramp: ramp) }
    let moment = client.moment
    // Queried after the stop, because nothing may delay a stop, and it has applied the commits that were under way.
    var absent: [TargetName: Refusal] = [:]
    for target in targets {
      absent[target] = try failing { () throws(MotionClientError) in try client.absence(of: target) }
    }
    let stopped = targets.filter { absent[$0] == nil }
    if targets.isEmpty || !stopped.isEmpty {
      let what = targets.isEmpty ? "Everything" : stopped.map(\.text).joined(separator: ", ")
      ClockText.print(
        clock, ramp ? "\(what) stopped and brakes" : "\(what) stopped", at: moment, unkept: client.unkept, reading)
    }
    guard !reading.json else {
      if stopped.isEmpty, !targets.isEmpty { ClockText.print(clock, "Nothing stopped", at: moment, reading) }
      return
    }
    for refusal in targets.compactMap({ absent[$0] }) {
      Console().print("nothing to stop: \(refusal.message). \(refusal.remedy)")
    }
  }

  /// Stops what selectors stand for, which motiond determines.
  private func stop(each given: [TargetSelector], _ client: MotionClient) throws {
    let selector: TargetSelector
    do {
      selector = try TargetSelector(given.map(\.text))
    } catch {
      throw Failure(.usage, error.description, remedy: "name fewer targets, or use patterns")
    }
    let clock = try failing { () throws(MotionClientError) in
      try client.stop(each: selector, outputs: outputs, ramp: ramp)
    }
    let (moment, unkept) = (client.moment, client.unkept)
    // Queried after the stop, as above. It was carried out, whatever can be listed.
    let found = try? concerned(by: selector, client)
    let what = found.map { "\(selector) (\($0.count == 1 ? "1 target" : "\($0.count) targets"))" } ?? "\(selector)"
    ClockText.print(
      clock, ramp ? "\(what) stopped and brakes" : "\(what) stopped", at: moment, unkept: unkept, targets: found?.count,
      reading)
    guard !reading.json, let found, let absent = found.absent.first else { return }
    let others = found.absent.count - 1
    Console().print("nothing to stop: there is no target \"\(absent)\"\(others > 0 ? ", nor \(others) more" : "")")
  }

  /// How many of the targets exist for which a selector stands, and which do not.
  private func concerned(
    by selector: TargetSelector, _ client: MotionClient
  ) throws(Failure) -> (count: Int, absent: [TargetName]) {
    let targets = try client.answer(.targets)
    guard case .targets(let rows) = targets else { return (0, []) }
    let existing = Set(rows.map(\.target))
    // The list is not fetched again for the patterns.
    let names = try selector.names { query throws(Failure) in query == .targets ? targets : try client.answer(query) }
    let absent = names.filter { !existing.contains($0) }
    return (names.count - absent.count, absent)
  }
}
