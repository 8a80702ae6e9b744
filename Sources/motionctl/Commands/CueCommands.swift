import ArgumentParser
import MotionClient
import MotionFiles
import MotionModel

/// `motionctl cue`
struct CueCommands: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cue",
    abstract: "Load a list of cues, and run it.",
    discussion: """
      A cue recalls a scene or commits a transaction. It goes by \"go\", by itself some time after the cue before it, or \
      when a property, the timeline of the list, passes its place. Lists and how far they have come are part of motiond's \
      state, for all clients, and kept over a restart. \"motionctl stop\" without targets ends what goes on by itself.
      """,
    subcommands: [
      Load.self, Go.self, Back.self, Goto.self, StopList.self, CueStatus.self, Show.self, Delete.self,
    ])

  /// The list that a command is about, and how it is committed.
  struct ListOptions: ParsableArguments {
    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var reading: ReadingOptions

    @Option(
      help: ArgumentHelp("The list (default: main).", valueName: "name"), completion: .custom(Candidates.cueLists),
      transform: parsedName)
    var list: CueListName = CueListFile.usualName

    @Option(
      help: ArgumentHelp(
        "The id of the command: 32 hexadecimal digits. Given again, the command is not carried out again."),
      transform: parsedID)
    var id: TransactionID?

    func take(_ step: CueStep) throws {
      var transaction = Transaction()
      transaction.cue(list, step)
      try commit(transaction, try connection.client())
    }

    func commit(_ transaction: Transaction, _ client: MotionClient) throws {
      var options = PresentCommitOptions()
      (options.connection, options.reading, options.comment) = (connection, reading, "")
      try options.commit(transaction, client, id: id)
    }
  }

  /// `motionctl cue load`
  struct Load: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Load a list of cues from a file.",
      usage: "motionctl cue load <file> [<options>]",
      discussion: """
        The list begins before its first cue or, if its timeline has a value, at once with the state of the last cue \
        whose place is not above that. A list of that name is replaced. The file has
          {"list": "main", "timeline": "show/time", "cues": [
            {"cue": "1", "scene": "dusk", "fade": "2s", "follow": "5s"},
            {"cue": "2", "transaction": [ ... ], "wait": "500ms", "at": 12.5}]}
        where only \"cues\" is needed.

        EXAMPLES
          motionctl cue load show.json
          motionctl cue load --list rain - < rain.json
        """)

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var reading: ReadingOptions

    @Option(
      help: ArgumentHelp("The name of the list (default: that in the file, or main).", valueName: "name"),
      completion: .custom(Candidates.cueLists), transform: parsedName)
    var list: CueListName?

    @Argument(
      help: ArgumentHelp("The file; - is standard input.", valueName: "file"), completion: .file(extensions: ["json"]))
    var file: String

    func run() throws {
      let client = try connection.client()
      let catalog = try failing { () throws(MotionClientError) in try client.catalog() }
      let bytes = try FileBytes.read(file, limit: Limits.transactionFileBytes)
      let read: CueListFile
      do {
        read = try CueListFile(bytes, named: FileBytes.shownName(file), catalog: catalog)
      } catch {
        throw Failure(.usage, error.description)
      }
      var options = ListOptions()
      (options.connection, options.reading, options.list, options.id) = (connection, reading, list ?? read.name, nil)
      var transaction = Transaction()
      transaction.load(read.list, as: options.list)
      try options.commit(transaction, client)
      try noteMissing(of: read.list, client)
      noteBeginning(of: read.list, client)
    }

    /// A list takes the state of its timeline at once.
    private func noteBeginning(of list: CueList, _ client: MotionClient) {
      guard let timeline = list.timeline, let rows = try? client.properties(of: timeline.target),
        let value = rows.first(where: { $0.reference == timeline })?.state.value[0],
        let cue = list.lastCue(passedAt: value)
      else { return }
      Console().note(
        "note: \(timeline) is at \(NumberText.fixed(value, digits: 3)): the state of cue \"\(list.cues[cue].name)\" follows"
      )
    }

    /// Scenes may be saved, and groups be set, after the list that uses them is loaded.
    private func noteMissing(of list: CueList, _ client: MotionClient) throws {
      if case .groups(let rows)? = try? client.query(.groups) {
        for cue in list.cues {
          let selectors =
            cue.content.selectors.sorted { $0.key < $1.key }.map(\.value) + cue.content.log.flatMap(\.selectorsOfPatch)
          var known = Set(rows.map(\.group))
          for case .group(let name, _) in cue.content.log { known.insert(name) }
          for group in selectors.flatMap(\.groups) where known.insert(group).inserted {
            Console().note("note: there is no group \"\(group)\" yet: cue \"\(cue.name)\" is refused until it is set")
          }
        }
      }
      guard case .scenes(let rows)? = try? client.query(.scenes(nil)) else { return }
      let known = Set(rows.map(\.scene))
      var noted: Set<SceneName> = []
      for cue in list.cues {
        for recall in cue.content.recalls.values.sorted(by: { $0.scene < $1.scene })
        where !known.contains(recall.scene) && noted.insert(recall.scene).inserted {
          Console().note(
            "note: there is no scene \"\(recall.scene)\" yet: cue \"\(cue.name)\" is refused until it is saved")
        }
      }
    }
  }

  /// `motionctl cue go`
  struct Go: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Let the next cue go.", usage: "motionctl cue go [<options>]",
      discussion: """
        A cue that waits begins at once. The output has the next cue. A command that is repeated with its --id does \
        nothing, and names the next cue as it did the first time.
        """)
    @OptionGroup var options: ListOptions
    func run() throws { try options.take(.go) }
  }

  /// `motionctl cue back`
  struct Back: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Take the state of the cue before the present one.", usage: "motionctl cue back [<options>]",
      discussion: "The scenes of all cues up to that one are recalled. No cue follows by itself.")
    @OptionGroup var options: ListOptions
    func run() throws { try options.take(.back) }
  }

  /// `motionctl cue goto`
  struct Goto: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Take the state of a cue, and go on from there.",
      usage: "motionctl cue goto <cue> [<options>]",
      discussion: "The scenes of all cues up to that one are recalled, and what that cue does besides is done.")
    @OptionGroup var options: ListOptions
    @Argument(help: "The name of the cue.", completion: .custom(Candidates.cues), transform: parsedName)
    var cue: CueName
    func run() throws { try options.take(.goto(cue)) }
  }

  /// `motionctl cue stop`
  struct StopList: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "stop",
      abstract: "Let no cue go by itself until the next go.", usage: "motionctl cue stop [<options>]",
      discussion: """
        A cue that waits does not begin, and is the next one again. A timeline that moves fires its cues: stop what \
        moves it. What is under way goes on: see motionctl stop, and motionctl hold.
        """)
    @OptionGroup var options: ListOptions
    func run() throws { try options.take(.stop) }
  }

  /// `motionctl cue status`
  struct CueStatus: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "status", abstract: "Show how far lists have come.", usage: "motionctl cue status [<options>]")

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var reading: ReadingOptions

    @Option(
      help: ArgumentHelp("Only this list, with its cues.", valueName: "name"),
      completion: .custom(Candidates.cueLists), transform: parsedName)
    var list: CueListName?

    func run() throws {
      let console = Console()
      let rows = try CueCommands.rows(try connection.client(), list)
      if reading.json { return console.print(JSONOutput(Answer.cues(rows)).lines) }
      guard !rows.isEmpty else { return console.note("no lists of cues") }
      console.print(Table(rows).lines(style: console.outputStyle))
      for row in rows {
        guard let reason = row.position.leftOut else { continue }
        console.print("\(row.list) has left out \(reason.shownOnOneLine)")
      }
      guard list != nil, let row = rows.first, let content = row.content else { return }
      console.print("")
      console.print(Table(content, row.position).lines(style: console.outputStyle))
    }
  }

  /// `motionctl cue show`
  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print a list of cues as a file.", usage: "motionctl cue show [<options>]")

    @OptionGroup var connection: ConnectionOptions

    @Option(
      help: ArgumentHelp("The list (default: main).", valueName: "name"), completion: .custom(Candidates.cueLists),
      transform: parsedName)
    var list: CueListName = CueListFile.usualName

    func run() throws {
      let rows = try CueCommands.rows(try connection.client(), list)
      guard let content = rows.first?.content else {
        throw Failure(.refused, "there is no cue list \"\(list)\"", remedy: "list them: motionctl cue status")
      }
      Console().print(CueListFile(content, named: list).encoded().split(separator: "\n").map(String.init))
    }
  }

  /// `motionctl cue delete`
  struct Delete: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Delete a list of cues.", usage: "motionctl cue delete <list> [<options>]")

    @OptionGroup var commit: PresentCommitOptions

    @Argument(help: "The name of the list.", completion: .custom(Candidates.cueLists), transform: parsedName)
    var list: CueListName

    func run() throws {
      let client = try commit.connection.client()
      // A name that there is not is a mistake.
      _ = try CueCommands.rows(client, list)
      var transaction = Transaction()
      transaction.unload(list)
      try commit.commit(transaction, client)
    }
  }

  private static func rows(_ client: MotionClient, _ list: CueListName?) throws -> [CueListRow] {
    guard case .cues(let rows) = try client.answer(.cues(list)) else { return [] }
    return rows
  }
}

extension Table {
  /// The cues of a list: the present one is marked.
  fileprivate init(_ list: CueList, _ position: CuePosition) {
    self.init(
      Column(""), Column("CUE"), Column("DOES"), Column("WAIT", .right), Column("FOLLOW", .right), Column("AT", .right))
    for (index, cue) in list.cues.enumerated() {
      let recalled = cue.content.recalls.sorted { $0.key < $1.key }.map { "scene \($0.value.scene)" }
      let others = cue.content.log.count - recalled.count
      let operations = others == 0 ? [] : [others == 1 ? "1 operation" : "\(others) operations"]
      add(
        index == position.current ? "▶" : "", cue.name.text, (recalled + operations).joined(separator: ", "),
        cue.wait == 0 ? "" : "\(NumberText.fixed(cue.wait, digits: 1)) s",
        cue.follow.map { "\(NumberText.fixed($0, digits: 1)) s" } ?? "",
        cue.at.map { NumberText.fixed($0, digits: 2) } ?? "")
    }
  }
}
