import ArgumentParser
import LinuxSystem
import MotionClient
import MotionCore
import MotionFiles
import MotionHistory
import MotionModel

/// `motionctl commit`
struct CommitFiles: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "commit",
    abstract: "Commit transaction files.",
    usage: "motionctl commit [<options>] <file> ...",
    discussion: """
      Each file is one transaction: it is applied completely or not at all. All files are read and checked before the \
      first is committed. They are committed in order, until one is refused. The receipt does not wait for the motion: \
      use motionctl watch to see it.

      A transaction file is JSON:
        {"transaction": [
          {"add": {"type": "Tween", "property": "opacity", "to": 1}, "to": "circle"},
          {"add": {"type": "Draggable"}, "named": "drag", "to": "square"},
          {"remove": "drag", "from": "square"},
          {"remove": {"intention": "49.0"}, "from": "circle"},
          {"forget": "old"}
        ], "at": 12.5, "comment": "the second act"}
      "at" may also be a text such as "90s", or "+5s" from the moment of the commit.

      A commit has an id. Committing the same id again changes nothing and returns the first receipt, so that it is \
      safe to resend a commit that was not answered. The time of the first commit counts, also if "at" differs.

      EXAMPLES
        motionctl commit show.json             commit a file
        motionctl commit --dry-run *.json      check files, and see what each would do
        motionctl commit --at +2s cue.json     in two simulated seconds
        generate | motionctl commit -          the output of another program
        motionctl commit --while-connected hold.json
      """)

  @OptionGroup var connection: ConnectionOptions
  @OptionGroup var reading: ReadingOptions

  @Flag(help: "Check the files, show what each would do by itself from the daemon's present state, and commit nothing.")
  var dryRun = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "For how many simulated seconds --dry-run looks ahead, at most 3600 (default: 10).", valueName: "time"),
    transform: parsedHorizon)
  var horizon: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "When to apply it, in simulated time: 12.5s, or +2s from now. It overrides an \"at\" in the file.",
      valueName: "time"),
    transform: parsedCommitTime)
  var at: CommitTime?

  @Option(
    help: ArgumentHelp("The id of the commit of one file: 32 hexadecimal digits (default: the file's, or a new one)."),
    transform: parsedID)
  var id: TransactionID?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The reason, stored with the transaction: at most 256 bytes. It overrides a \"comment\" in the file.",
      valueName: "text"
    ),
    transform: parsedComment)
  var comment: String?

  @Flag(help: "Keep running until interrupted. motiond removes the intentions 3 s later.")
  var whileConnected = false

  @Argument(
    help: ArgumentHelp("Transaction files; - is standard input.", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var files: [String]

  func validate() throws {
    if id != nil, files.count > 1 { throw ValidationError("--id is for one file: it identifies one transaction") }
    if files.count(where: { $0 == "-" }) > 1 { throw ValidationError("standard input can be read only once") }
    if horizon != nil, !dryRun { throw ValidationError("--horizon is for --dry-run") }
    if dryRun, whileConnected { throw ValidationError("--dry-run commits nothing: omit --while-connected") }
  }

  func run() throws {
    let console = Console()
    if dryRun { return try check(console) }
    let client = try connection.client()
    let catalog = try failing { () throws(MotionClientError) in try client.catalog() }
    var commits = try read(with: catalog)
    try resolveTimes(of: &commits, client)
    for commit in commits { try self.commit(commit, client, console) }
    if commits.contains(where: \.file.whileConnected) {
      console.note("Holding until interrupted (Ctrl-C).")
      Interruption().wait()
    }
  }

  /// A file that was read, with the settings of the flags for it.
  private struct Planned {
    let path: String
    let bytes: [UInt8]
    var file: TransactionFile

    var name: String { FileBytes.shownName(path) }
  }

  private func read(with catalog: IntentionCatalog) throws(Failure) -> [Planned] {
    var planned: [Planned] = []
    for path in files {
      let bytes = try FileBytes.read(path, limit: Limits.transactionFileBytes)
      do {
        var file = try TransactionFile(bytes, named: FileBytes.shownName(path), catalog: catalog)
        file.whileConnected = file.whileConnected || whileConnected
        file.id = id ?? file.id
        file.comment = comment ?? file.comment
        planned.append(Planned(path: path, bytes: bytes, file: file))
      } catch {
        throw Failure(.usage, error.description)
      }
    }
    return planned
  }

  private func check(_ console: Console) throws(Failure) {
    var (catalog, state) = (IntentionCatalog.knowing(BuiltInIntentions.all), RecordingHeader?.none)
    var present: Double?
    let client = try presentClient(console)
    if let client { catalog = try failing { () throws(MotionClientError) in try client.catalog() } }
    // Before the state, which takes long when it is large.
    var commits = try read(with: catalog)
    if let client {
      state = try presentState(of: client, console)
      present = client.moment?.time
      if state != nil { try noteHold(client, console) }
      try resolveTimes(of: &commits, client)
    }
    let scenes = client.map { Self.scenes(in: commits, $0) } ?? []
    for planned in commits {
      var report: PredictionReport?
      if let state {
        report = try predict(planned, from: state, scenes, at: present)
        let end = state.snapshot.map { max($0.frame.time, present ?? 0) + (horizon ?? Self.usualHorizon) } ?? .infinity
        if let at = planned.file.at?.seconds(from: 0), at > end {
          console.note(
            "note: \(planned.name) takes effect at \(NumberText.fixed(at, digits: 3)) s, beyond the horizon; use --horizon"
          )
        }
      }
      show(planned, report, console)
    }
  }

  private func show(_ planned: Planned, _ report: PredictionReport?, _ console: Console) {
    let transaction = planned.file.transaction
    guard reading.json else {
      console.print(ReceiptText.plan(transaction, from: planned.name))
      if let report { console.print(report.lines(style: console.outputStyle)) }
      return
    }
    var members: [JSONOutput.Member] = [
      .init(key: "file", value: .text(planned.path)),
      .init(key: "operations", value: .count(transaction.log.count)),
      .init(key: "targets", value: .texts(transaction.targets)),
      .init(key: "at", value: planned.file.at.map { JSONOutput($0) } ?? .null),
    ]
    if let report { members.append(.init(key: "prediction", value: JSONOutput(report))) }
    console.print(JSONOutput.object(members).line)
  }

  private static let usualHorizon = 10.0

  /// A prediction does not know when a hold will be released.
  private func noteHold(_ client: MotionClient, _ console: Console) throws(Failure) {
    guard let hold = try failing({ () throws(MotionClientError) in try client.status() }).clock.hold else { return }
    console.note(
      "note: time is held, so nothing of this happens before the release"
        + (hold.refuses ? "; until then, transactions are refused" : ""))
  }

  /// The daemon; `nil` if none runs.
  private func presentClient(_ console: Console) throws(Failure) -> MotionClient? {
    do throws(Failure) {
      return try connection.client()
    } catch {
      guard error.code == .unreachable else { throw error }
      console.note("note: no daemon is running, so only the built-in types are known, and nothing is predicted")
      return nil
    }
  }

  /// The daemon's present state; `nil` if a gateway does not show it, or an older daemon has none to show.
  private func presentState(of client: MotionClient, _ console: Console) throws(Failure) -> RecordingHeader? {
    do {
      if case .snapshot(let header) = try client.query(.snapshot, timeout: connection.timeoutOfState) { return header }
      console.note("note: nothing is predicted: the daemon answered another query")
    } catch {
      guard let refusal = error.refusal else { throw Failure(error) }
      console.note("note: nothing is predicted: \(refusal)")
    }
    return nil
  }

  /// The scenes that transactions recall; those that there are not are missing.
  private static func scenes(in commits: [Planned], _ client: MotionClient) -> [SceneRow] {
    let names = Set(commits.flatMap { $0.file.transaction.recalls.values.map(\.scene) })
    return names.sorted().flatMap { (name: SceneName) -> [SceneRow] in
      guard case .scenes(let rows)? = try? client.query(.scenes(name)) else { return [] }
      return rows
    }
  }

  private func predict(
    _ planned: Planned, from state: RecordingHeader, _ scenes: [SceneRow], at present: Double?
  ) throws(Failure) -> PredictionReport {
    do {
      return PredictionReport(
        try Prediction(
          of: planned.file.transaction, at: planned.file.at?.seconds(from: 0), after: state,
          by: ExecutorRegistry(with: state.plugins), knowing: scenes, present: present,
          horizon: horizon ?? Self.usualHorizon))
    } catch {
      let place = TransactionFile.error(for: error, in: planned.bytes, named: planned.name)
      throw Failure(.refused, place?.description ?? "\(planned.name): \(error)")
    }
  }

  private func resolveTimes(of commits: inout [Planned], _ client: MotionClient) throws(Failure) {
    for index in commits.indices { commits[index].file.at = at ?? commits[index].file.at }
    guard commits.contains(where: { $0.file.at?.isRelative ?? false }) else { return }
    // One query for all files, so that they share one time.
    let now = try failing { () throws(MotionClientError) in try client.status() }.clock.time
    for index in commits.indices {
      commits[index].file.at = commits[index].file.at.map { .absolute($0.seconds(from: now)) }
    }
  }

  private func commit(_ planned: Planned, _ client: MotionClient, _ console: Console) throws(Failure) {
    let id = planned.file.id ?? .random()
    var receipt: Receipt
    do {
      receipt = try client.commit(
        planned.file.transaction, id: id, at: planned.file.at?.seconds(from: 0),
        whileConnected: planned.file.whileConnected, comment: planned.file.comment)
    } catch {
      var failure = Failure(error)
      if failure.code == .timeout, planned.path != "-" {
        failure.remedy = "motionctl commit \(repetition(of: planned, id)), which is applied at most once"
      }
      failure.message = "\(planned.name): \(failure.message)"
      if let refusal = error.refusal,
        let place = TransactionFile.error(for: refusal, in: planned.bytes, named: planned.name)
      {
        failure.message = "refused: \(place)"
        failure.remedy = ""
      }
      throw failure
    }
    // With a new id a repeat is the client's own, which resends a commit that is not answered in time.
    if planned.file.id == nil { receipt.isRepeat = false }
    if reading.json {
      console.print(JSONOutput(receipt, of: id, from: planned.path, at: client.moment).line)
    } else {
      let text = ReceiptText(receipt, client, console.outputStyle)
      console.print(text.lines(receipt, of: planned.file.transaction, from: planned.name))
    }
  }
}

extension CommitFiles {
  /// The arguments that commit the same again: the time is the one that was resolved, so that it is not counted anew.
  private func repetition(of planned: Planned, _ id: TransactionID) -> String {
    var words = ["--id", "\(id)"]
    if let at = planned.file.at { words += ["--at", JSONText.number(at.seconds(from: 0))] }
    if let comment { words += ["--comment", ShellWord.quoting(comment)] }
    if whileConnected { words.append("--while-connected") }
    return (words + [ShellWord.quoting(planned.path)]).joined(separator: " ")
  }
}

extension JSONOutput {
  /// The seconds; a time relative to now is a text, as in files.
  fileprivate init(_ time: CommitTime) {
    switch time {
    case .absolute(let seconds): self = .number(seconds)
    case .relative(let seconds): self = .text("+\(JSONText.number(seconds))s")
    }
  }
}

/// Reads `--id`.
func parsedID(_ text: String) throws -> TransactionID {
  guard let id = TransactionID(text) else { throw ValidationError("write 32 hexadecimal digits; dashes are ignored") }
  guard !id.isZero else {
    throw ValidationError("an id of zeros is not valid; give 32 random hexadecimal digits, or omit --id for a new one")
  }
  return id
}

/// Reads `--horizon`.
func parsedHorizon(_ text: String) throws -> Double {
  guard let seconds = Double(text) ?? DurationText.duration(of: text)?.inSeconds, seconds > 0, seconds <= 3600 else {
    throw ValidationError("write seconds above 0 and at most 3600, as in 10 or 2.5s")
  }
  return seconds
}
