import ArgumentParser
import MotionClient
import MotionFiles
import MotionModel

/// Reads `--waiting`.
private func parsedSequence(_ text: String) throws -> UInt64 {
  guard let sequence = UInt64(text) else {
    throw ValidationError("write the sequence of a transaction as motionctl list waiting shows it, such as 49")
  }
  return sequence
}

/// `motionctl remove`
struct Remove: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Remove an intention or a waiting transaction.",
    usage: """
      motionctl remove <name> --from <target> [<options>]
      motionctl remove <identity> [--from <target>] [<options>]
      motionctl remove --waiting <sequence> [<options>]
      """,
    discussion: """
      "motionctl list intentions" shows names and identities, "motionctl list waiting" the waiting transactions. \
      Removing an intention that does not exist is not an error: nothing changes, and the output reports it. --target \
      is another spelling of --from.

      EXAMPLES
        motionctl remove drag --from square
        motionctl remove home --from one --from two
        motionctl remove home --from 'lamp*'
        motionctl remove home --from ball --at +2s
        motionctl remove 49.0
        motionctl remove 49.0 --from ball
        motionctl remove --waiting 49
      """)

  @OptionGroup var commit: SingleCommitOptions

  @Option(
    name: .targets,
    help: ArgumentHelp(
      "The target of the intention. Repeat the option to remove it from several targets in one transaction.",
      valueName: "target"),
    completion: .custom(Candidates.targets), transform: parsedSelector)
  var targets: [TargetSelector] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The waiting transaction to remove.", valueName: "sequence"),
    transform: parsedSequence)
  var waiting: UInt64?

  @Argument(
    help: ArgumentHelp(
      "The name of the intention, with --from, or its identity.", valueName: "name|identity"))
  var name: String?

  func validate() throws {
    guard waiting == nil else {
      guard name == nil, targets.isEmpty else {
        throw ValidationError("--waiting is for a transaction, not an intention")
      }
      guard commit.at == nil else { throw ValidationError("--waiting acts at once: omit --at") }
      guard commit.present.comment.isEmpty else {
        throw ValidationError("--comment is for transactions: omit it with --waiting")
      }
      return
    }
    guard let name else { throw ValidationError("give a name with --from, an identity, or --waiting") }
    try checkDistinct(targets)
    if !targets.isEmpty {
      let _: IntentionName = try parsedName(name)
    } else if IntentionIdentity(name) == nil {
      throw ValidationError(
        "\"\(name)\" is not an identity such as 49.0 (motionctl list intentions); a name needs --from TARGET")
    }
  }

  func run() throws {
    let client = try commit.connection.client()
    if let waiting { return try cancel(waiting, client) }
    guard let name else { return }
    if !targets.isEmpty {
      let named: IntentionName = try parsedName(name)
      if let log = try identified(client) { return try commit.commit(Transaction(log: log), client) }
      var transaction = Transaction()
      for target in TargetSelector.operations(targets) { transaction.remove(named: named, fromEach: target) }
      return try commit.commit(transaction, client)
    }
    guard let identity = IntentionIdentity(name) else { return }
    let rows = try failing { () throws(MotionClientError) in try client.intentions() }
    guard let row = rows.first(where: { $0.identity == identity }) else {
      return printNothing("there is no intention \(identity)")
    }
    try commit.commit(Transaction(log: [.removePlan(identity, from: row.target)]), client)
  }

  /// The removal of the plan with the identity that is given in place of a name; `nil` if it is none, or if a plan of
  /// these targets has it as its name.
  private func identified(_ client: MotionClient) throws(Failure) -> [Transaction.Operation]? {
    guard let name, let identity = IntentionIdentity(name) else { return nil }
    let targets = Set(
      try TargetSelector.existingNames(of: targets) { query throws(Failure) in try client.answer(query) })
    let rows = try failing { () throws(MotionClientError) in try client.intentions() }
      .filter { targets.contains($0.target) }
    guard !rows.contains(where: { $0.name?.text == name }), let row = rows.first(where: { $0.identity == identity })
    else { return nil }
    return [.removePlan(identity, from: row.target)]
  }

  private func cancel(_ sequence: UInt64, _ client: MotionClient) throws(Failure) {
    do throws(MotionClientError) {
      try client.cancel(sequence)
    } catch {
      guard error.refusal?.code == .notFound else { throw Failure(error) }
      return printNothing("no transaction \(sequence) waits")
    }
    let console = Console()
    let line: JSONOutput = ["removed": .count(1)]
    console.print(commit.reading.json ? line.line : "transaction \(sequence) will not be applied")
  }

  private func printNothing(_ reason: String) {
    let line: JSONOutput = ["removed": .count(0)]
    Console().print(commit.reading.json ? line.line : "nothing to remove: \(reason)")
  }
}
