import ArgumentParser
import MotionClient
import MotionFiles
import MotionModel

/// `motionctl scene`
struct SceneCommands: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scene",
    abstract: "Save how targets are, and recall it.",
    discussion: """
      A scene has, for each property of its targets, the standing plans that move it, or else its value. It has no \
      outputs, no manipulations and nothing that follows input. Scenes are part of motiond's state, for all clients, and \
      kept over a restart.
      """,
    subcommands: [Save.self, Recall.self, ListScenes.self, Show.self, Delete.self])

  /// `motionctl scene save`
  struct Save: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Save the present state of targets as a scene.",
      usage: "motionctl scene save <name> [<target> ...] [<options>]",
      discussion: """
        Without targets, all are saved. A scene of that name is replaced.

        EXAMPLES
          motionctl scene save dusk
          motionctl scene save front-warm @front
        """)

    @OptionGroup var commit: PresentCommitOptions
    @OptionGroup var options: TargetOptions

    @Argument(help: "The name of the scene.", completion: .custom(Candidates.scenes), transform: parsedName)
    var name: SceneName

    @Argument(
      help: ArgumentHelp("The targets.", valueName: "target"), completion: .custom(Candidates.targets),
      transform: parsedSelector)
    var targets: [TargetSelector] = []

    func run() throws {
      let given = targets + options.named
      let selector: TargetSelector
      do {
        selector = given.isEmpty ? "*" : try TargetSelector(given.map(\.text))
      } catch {
        throw Failure(.usage, error.description, remedy: "name fewer targets, or use patterns")
      }
      var transaction = Transaction()
      transaction.saveScene(name, of: selector)
      try commit.commit(transaction, try commit.connection.client())
    }
  }

  /// `motionctl scene recall`
  struct Recall: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Recall a scene.",
      usage: "motionctl scene recall <name> [--in <duration> | --spring] [<options>]",
      discussion: """
        One transaction gives each property of the scene its standing plans, or lets it go to its value, whatever moves \
        it now: value and velocity continue. Other standing plans of these properties are removed. Other properties, \
        manipulations and outputs are left alone.

        EXAMPLES
          motionctl scene recall dusk
          motionctl scene recall dusk --in 2s
        """)

    @OptionGroup var commit: PresentCommitOptions

    @Option(
      name: .customLong("in"),
      help: ArgumentHelp("Fade to the values in this time, by Tweens. 0s jumps there.", valueName: "duration"),
      transform: parsedDelay)
    var duration: Duration?

    @Flag(help: "Let springs go to the values. This is the default.")
    var spring = false

    @Argument(help: "The name of the scene.", completion: .custom(Candidates.scenes), transform: parsedName)
    var name: SceneName

    func validate() throws {
      if spring, duration != nil { throw ValidationError("--in and --spring exclude each other") }
    }

    func run() throws {
      var transaction = Transaction()
      transaction.recall(SceneRecall(name, duration.map { .fade($0 / .seconds(1)) } ?? .spring))
      try commit.commit(transaction, try commit.connection.client())
    }
  }

  /// `motionctl scene list`
  struct ListScenes: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the scenes.", usage: "motionctl scene list [<options>]")

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var reading: ReadingOptions

    func run() throws {
      let console = Console()
      let rows = try Self.rows(try connection.client())
      if reading.json { return console.print(JSONOutput(Answer.scenes(rows)).lines) }
      guard !rows.isEmpty else { return console.note("no scenes") }
      console.print(Table(rows).lines(style: console.outputStyle))
    }

    static func rows(_ client: MotionClient, _ name: SceneName? = nil) throws -> [SceneRow] {
      guard case .scenes(let rows) = try client.answer(.scenes(name)) else { return [] }
      return rows
    }
  }

  /// `motionctl scene show`
  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print a scene as a transaction file.",
      usage: "motionctl scene show <name> [<options>]",
      discussion: """
        Committing the file adds the plans of the scene, and springs to its values; unlike a recall it removes nothing.

        EXAMPLES
          motionctl scene show dusk > dusk.json
        """)

    @OptionGroup var connection: ConnectionOptions

    @Argument(help: "The name of the scene.", completion: .custom(Candidates.scenes), transform: parsedName)
    var name: SceneName

    func run() throws {
      let rows = try ListScenes.rows(try connection.client(), name)
      guard let scene = rows.first?.content else {
        throw Failure(.refused, "there is no scene \"\(name)\"", remedy: "list them: motionctl scene list")
      }
      let file = TransactionFile(scene.transaction, comment: "scene \(name)")
      Console().print(file.encoded().split(separator: "\n").map(String.init))
    }
  }

  /// `motionctl scene delete`
  struct Delete: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Delete a scene.", usage: "motionctl scene delete <name> [<options>]")

    @OptionGroup var commit: PresentCommitOptions

    @Argument(help: "The name of the scene.", completion: .custom(Candidates.scenes), transform: parsedName)
    var name: SceneName

    func run() throws {
      let client = try commit.connection.client()
      // A name that there is not is a mistake.
      _ = try ListScenes.rows(client, name)
      var transaction = Transaction()
      transaction.deleteScene(name)
      try commit.commit(transaction, client)
      try noteCues(client)
    }

    /// A cue that recalls it is refused from now on.
    private func noteCues(_ client: MotionClient) throws {
      guard case .cues(let lists)? = try? client.answer(.cues(nil)) else { return }
      for list in lists {
        guard case .cues(let rows)? = try? client.answer(.cues(list.list)), let cues = rows.first?.content?.cues,
          let cue = cues.first(where: { $0.content.recalls.values.contains { $0.scene == name } })
        else { continue }
        Console().note(
          "note: cue \"\(cue.name)\" of \"\(list.list)\" recalls it, and is refused until it is saved again")
      }
    }
  }
}

extension Scene {
  /// The plans of the scene, and springs to its values.
  fileprivate var transaction: Transaction {
    var transaction = Transaction()
    for target in targets {
      for plan in target.plans {
        transaction.add(plan.intention, named: plan.name, toEach: TargetSelector(target.name))
      }
      for value in target.values { transaction.add(.springTo(value.property, value.value), to: target.name) }
    }
    return transaction
  }
}
