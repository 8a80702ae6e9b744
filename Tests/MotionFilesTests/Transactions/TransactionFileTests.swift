import MotionFiles
import MotionModel
import MotionTestKit
import Testing

@Suite struct TransactionFileTests {
  private func read(_ text: String) throws -> TransactionFile {
    try TransactionFile(Array(text.utf8), named: "show.json", catalog: .builtIn())
  }

  @Test func `the specification's transaction is parsed`() throws {
    let file = try read(
      """
      {"transaction":[{"add":{"type":"Tween","property":"opacity","from":0,"to":1,"duration":"300ms"},"to":"circle"},
      {"add":{"type":"Draggable"},"named":"drag","to":"square"},{"remove":"drag","from":"square"},{"forget":"old"}],
      "id":"00112233-4455-6677-8899-aabbccddeeff","at":"90s","whileConnected":true}
      """)
    var transaction = Transaction()
    transaction.add(
      Intention(
        "Tween",
        [
          .init("property", .property("opacity")), .init("from", .number(0)), .init("to", .number(1)),
          .init("duration", .duration(.milliseconds(300))),
        ]), to: "circle")
    transaction.add(.draggable(), named: "drag", to: "square")
    transaction.remove(named: "drag", from: "square")
    transaction.forget("old")
    #expect(
      file
        == TransactionFile(
          transaction, id: TransactionID(high: 0x0011_2233_4455_6677, low: 0x8899_aabb_ccdd_eeff), at: 90,
          whileConnected: true))
  }

  // Clauses: S19.1, S19.2
  @Test func limitsAreReadAndWritten() throws {
    let file = try read(
      """
      {"transaction":[{"limit":{"range":[-1,1],"velocity":2,"acceleration":8.5},"property":"angle","on":"head"},
      {"limit":{"range":[[0,1],[2,3]],"jerk":[4,5]},"property":"position","on":"head"},
      {"limit":{},"property":"x","on":"head"},{"limit":"none","property":"opacity","on":"head"},
      {"limit":{"onLost":"ramp 0,1 in 2s"},"property":"position","on":"arm"}]}
      """)
    var transaction = Transaction()
    transaction.limit("angle", of: "head", PropertyLimits(range: .init(-1, 1), velocity: 2, acceleration: 8.5))
    transaction.limit("position", of: "head", PropertyLimits(range: .init([0, 2], [1, 3]), jerk: [4, 5]))
    transaction.limit("x", of: "head", PropertyLimits())
    transaction.liftLimits("opacity", of: "head")
    transaction.limit("position", of: "arm", PropertyLimits(onLost: .ramp([0, 1], in: 2)))
    #expect(file.transaction == transaction)
    #expect(try read(file.encoded()) == file)
  }

  // Clauses: S19.3
  @Test(arguments: [
    ("\"all\"", "1:26: operation 0, field \"limit\": \"all\" is no limit. Use \"none\" or an object."),
    (
      "{\"velocity\":-2}",
      "1:38: operation 0, field \"velocity\": -2 is no limit of velocity. "
        + "Use a number above 0. A property that must not move is held by a range of one value."
    ),
    (
      "{\"velocity\":1e-101}",
      "1:38: operation 0, field \"velocity\": 1e-101 is no limit of velocity. "
        + "Use a number of at least 1e-100. A property that must not move is held by a range of one value."
    ),
    (
      "{\"range\":[2,1]}", "1:35: operation 0, field \"range\": 2 is above 1. Give the lower bound first."
    ),
    (
      "{\"range\":7}",
      "1:35: operation 0, field \"range\": the number 7 is no range. "
        + "Use two numbers, such as [-1, 1], or a list of two numbers for each lane."
    ),
    (
      "{\"onLost\":\"stay\"}",
      "1:36: operation 0, field \"onLost\": \"stay\" is no rule for the loss of a worker. "
        + "Use \"hold\", \"rest 0\" or \"ramp 0 in 2s\", with one number for all lanes or one for each: 0,1."
    ),
    (
      "{\"onLost\":0}",
      "1:36: operation 0, field \"onLost\": the number 0 is no rule for the loss of a worker. "
        + "Use \"hold\", \"rest 0\" or \"ramp 0 in 2s\"."
    ),
    (
      "{\"speed\":7}",
      "1:27: operation 0: there is no entry \"speed\" here. Known entries: range, velocity, acceleration, jerk, onLost."
    ),
  ])
  func errorsInLimitsHaveTheirPlaceAndRemedy(limit: String, message: String) {
    let text = "{\"transaction\":[{\"limit\":\(limit),\"property\":\"x\",\"on\":\"head\"}]}"
    #expect(firstError(text)?.description == "show.json:\(message)")
  }

  @Test(arguments: [
    ("[]", "1:1: an array is not accepted here. Use an object."),
    ("{}", "1:1: \"transaction\" is missing. Add \"transaction\"."),
    ("{\"transactions\":[]}", "1:2: there is no entry \"transactions\" here. Did you mean \"transaction\"?"),
    ("{\"transaction\":{}}", "1:16: field \"transaction\": an object is not accepted here. Use an array."),
    (
      "{\"transaction\":[], \"at\": -1}",
      "1:26: field \"at\": the number -1 is no time. "
        + "Use seconds of simulated time of at least 0, a duration such as \"90s\", or \"+5s\" from the moment of the commit."
    ),
    (
      "{\"transaction\":[], \"id\": \"+0112233445566778899aabbccddeeff\"}",
      "1:26: field \"id\": this is no id. Use 32 hexadecimal digits, as in a UUID."
    ),
    (
      "{\"transaction\":[], \"whileConnected\": 1}",
      "1:38: field \"whileConnected\": the number 1 is not accepted here. Use true or false."
    ),
    ("{\"transaction\":[\n", "2:1: found the end of the text, expected a value"),
  ])
  func `errors around the operations have their place and remedy`(_ text: String, _ message: String) {
    #expect(firstError(text)?.description == "show.json:\(message)")
  }

  private static let verbs = #""add", "remove", "forget", "limit", "group", "scene" or "recall""#

  /// Each is operation 1, on the third line.
  @Test(arguments: [
    ("7", "1: operation 1: the number 7 is no operation. Use an object with \(TransactionFileTests.verbs)."),
    ("{}", "1: operation 1: this is no operation. Add \(TransactionFileTests.verbs)."),
    ("{\"ad\":{}}", "2: operation 1: this is no operation. Did you mean \"add\"?"),
    (
      "{\"forget\":\"a\",\"remove\":\"b\"}",
      "1: operation 1: \"remove\", \"forget\" in one operation. Make one operation of each."
    ),
    (
      "{\"forget\":\"a b\"}",
      "11: operation 1, field \"forget\": \"a b\" does not select targets. Use target names, patterns such as lamp* or "
        + "lamp{1..12}, and groups such as @front, separated by commas."
    ),
    ("{\"forget\":1}", "11: operation 1, field \"forget\": the number 1 is not accepted here. Use a text."),
    ("{\"remove\":\"a\",\"to\":\"b\"}", "15: operation 1: there is no entry \"to\" here. Known entries: remove, from."),
    (
      "{\"remove\":\"\",\"from\":\"b\"}",
      "11: operation 1, field \"remove\": \"\" is not a valid intention name: use 1 to 128 bytes without control characters"
    ),
    ("{\"add\":{\"type\":\"Draggable\"}}", "1: operation 1: \"to\" is missing. Add \"to\"."),
    (
      "{\"add\":\"Tween\",\"to\":\"a\"}",
      "8: operation 1, field \"add\": the text \"Tween\" is no intention. Use an object with a \"type\"."
    ),
    ("{\"add\":{},\"to\":\"a\"}", "8: operation 1, field \"type\": the intention has no type. Add \"type\"."),
    (
      "{\"add\":{\"type\":\"twen\"},\"to\":\"a\"}",
      "16: operation 1, field \"type\": there is no intention type \"twen\". Did you mean \"Tween\"?"
    ),
    (
      "{\"add\":{\"type\":\"Tween\",\"property\":\"x\",\"to\":1,\"durtion\":\"1s\"},\"to\":\"a\"}",
      "46: operation 1, field \"durtion\": Tween has no such field. Did you mean \"duration\"?"
    ),
    (
      "{\"add\":{\"type\":\"Tween\",\"property\":\"x\",\"to\":1,\"duration\":1e30},\"to\":\"a\"}",
      "57: operation 1, field \"duration\": 1e+30 seconds are out of range. Use a duration from 0s to 876600h."
    ),
    (
      "{\"add\":{\"type\":\"Tween\",\"property\":\"x\",\"to\":1,\"duration\":\"5m\"},\"to\":\"a\"}",
      "57: operation 1, field \"duration\": \"5m\" is no duration. "
        + "Write seconds, or a number and a unit: ns, us, ms, s, min or h, as in \"300ms\" or \"1.5s\"."
    ),
    (
      "{\"add\":{\"type\":\"Tween\",\"property\":\"x\",\"to\":1,\"repeat\":0.5},\"to\":\"a\"}",
      "55: operation 1, field \"repeat\": 0.5 is out of range. Use a number of at least 1."
    ),
    (
      "{\"add\":{\"type\":\"Tween\",\"property\":\"x\",\"to\":1,\"repeat\":\"for ever\"},\"to\":\"a\"}",
      "55: operation 1, field \"repeat\": \"for ever\" is no choice. Did you mean \"forever\"?"
    ),
    (
      "{\"add\":{\"type\":\"Tween\",\"property\":\"x.y\",\"to\":1},\"to\":\"a\"}",
      "35: operation 1, field \"property\": \"x.y\" is not a valid property name: "
        + "use 1 to 64 of A-Z a-z 0-9 _ -, without dot or slash"
    ),
    (
      "{\"add\":{\"type\":\"Tween\",\"property\":\"x\",\"to\":\"1\"},\"to\":\"a\"}",
      "44: operation 1, field \"to\": \"1\" is a text, not a number. Write it without quotes."
    ),
    (
      "{\"add\":{\"type\":\"Tween\",\"property\":\"x\",\"to\":null},\"to\":\"a\"}",
      "44: operation 1, field \"to\": null is no value. Leave the field out to get its default."
    ),
    (
      "{\"add\":{\"type\":\"Tween\",\"property\":\"x\",\"to\":[1,2,3,4,5]},\"to\":\"a\"}",
      "44: operation 1, field \"to\": an array is not accepted here. Use a number or a vector of 2 to 4 numbers."
    ),
    (
      "{\"add\":{\"type\":\"Tween\",\"property\":\"x\",\"values\":[1,\"a\"]},\"to\":\"a\"}",
      "51: operation 1, field \"values\": the text \"a\" is not accepted here. "
        + "Use a number or a vector of 2 to 4 numbers."
    ),
    (
      "{\"add\":{\"type\":\"Tween\",\"property\":\"x\",\"to\":1,\"values\":[1]},\"to\":\"a\"}",
      "55: operation 1, field \"values\": \"to\" and \"values\" exclude each other. Leave one of them out."
    ),
    (
      "{\"add\":{\"type\":\"Tween\",\"property\":\"x\"},\"to\":\"a\"}",
      "8: operation 1, field \"to\": one of \"to\", \"values\" is required. "
        + "Add one of them; the description of Tween explains them."
    ),
    (
      "{\"add\":{\"type\":\"Draggable\",\"axis\":\"z\"},\"to\":\"a\"}",
      "35: operation 1, field \"axis\": \"z\" is no choice. Known choices: both, x, y."
    ),
    (
      "{\"add\":{\"type\":\"Draggable\"},\"named\":\"a\\u0007\",\"to\":\"a\"}",
      "37: operation 1, field \"named\": \"a\u{7}\" is not a valid intention name: "
        + "use 1 to 128 bytes without control characters"
    ),
  ])
  func `errors in an operation have their place and remedy`(_ operation: String, _ message: String) {
    let text = "{\"transaction\": [\n{\"forget\": \"x\"},\n\(operation)]}"
    #expect(firstError(text)?.description == "show.json:3:\(message)")
  }

  @Test func collectsErrorsUpToALimit() {
    let wrong = "{\"add\":{\"type\":\"Tween\",\"too\":1,\"durtion\":1,\"from\":true},\"to\":\"\"}"
    #expect(errors("{\"transaction\":[\(wrong)]}").map(\.field) == ["to", "too", "durtion", "from"])
    // Three errors each, so that the limit falls within an operation.
    let three = "{\"add\":{\"type\":\"Tween\",\"too\":1,\"durtion\":1},\"to\":\"\"}"
    let many = Array(repeating: three, count: 100).joined(separator: ",")
    #expect(errors("{\"transaction\":[\(many)]}").count == Limits.fileErrors)
  }

  @Test func `a property's first value fixes its lanes until its target is forgotten`() throws {
    func add(_ destination: String, to target: String) -> String {
      "{\"add\":{\"type\":\"SpringTo\",\"property\":\"zog\",\"destination\":\(destination)},\"to\":\"\(target)\"}"
    }
    let (two, three) = (add("[1,2]", to: "ball"), add("[1,2,3]", to: "ball"))
    #expect(
      errors("{\"transaction\":[\(two),\n\(three)]}").map(\.description) == [
        """
        show.json:2:58: operation 1, field "destination": zog of ball has 2 lanes by an operation before, the value has \
        3. Give a list of 2 numbers.
        """
      ])
    #expect(errors("{\"transaction\":[\(two),\(add("[1,2,3]", to: "other"))]}") == [])
    #expect(errors("{\"transaction\":[\(two),{\"forget\":\"ball\"},\(three)]}") == [])
  }

  @Test func `a refusal of the daemon is located in the file`() throws {
    let text = """
      {"transaction": [
        {"forget": "x"},
        {"add": {"type": "SpringTo", "property": "zog", "destination": [1, 2, 3]}, "named": "n", "to": "ball"}
      ]}
      """
    func place(_ operation: Int?, _ field: String?) -> String? {
      let refusal = Refusal(.lanes, operation: operation, field: field, "it has 2 lanes", remedy: "Give 2.")
      return TransactionFile.error(for: refusal, in: Array(text.utf8), named: "show.json")?.description
    }
    #expect(
      place(1, "destination") == "show.json:3:66: operation 1, field \"destination\": it has 2 lanes. Give 2.")
    #expect(place(1, "to")?.hasPrefix("show.json:3:98: operation 1, field \"to\"") == true)
    #expect(place(1, "duration")?.hasPrefix("show.json:3:11: operation 1, field") == true)
    #expect(place(0, nil)?.hasPrefix("show.json:2:3: operation 0: it has") == true)
    #expect(place(2, nil) == nil)
    #expect(place(nil, "at") == nil)
  }

  // Clauses: S11.19
  @Test func `the time of a transaction may be relative`() throws {
    func time(_ text: String) throws -> CommitTime? {
      let file = Array("{\"transaction\": [{\"forget\": \"a\"}], \"at\": \(text)}".utf8)
      return try TransactionFile(file, named: "f", catalog: .builtIn()).at
    }
    #expect(try time("\"+5s\"") == .relative(5))
    #expect(try time("\"+500ms\"") == .relative(0.5))
    #expect(try time("\"+2.5\"") == .relative(2.5))
    #expect(try time("\"90s\"") == .absolute(90))
    #expect(try time("12.5") == .absolute(12.5))
    #expect(CommitTime.relative(5).seconds(from: 100) == 105 && CommitTime.absolute(5).seconds(from: 100) == 5)
    for wrong in ["\"+\"", "\"+-5s\"", "\"+5 apples\"", "-1", "\"+nan\"", "\"+inf\""] {
      #expect(throws: FileErrors.self, "\(wrong)") { try time(wrong) }
    }
    let file = TransactionFile(Transaction(log: [.forget("a")]), at: .relative(2.5))
    #expect(
      try TransactionFile(Array(file.encoded().utf8), named: "f", catalog: .builtIn()) == file)
  }

  @Test func `more operations than a transaction holds are refused`() {
    let operation = "{\"forget\":\"x\"}"
    let many = Array(repeating: operation, count: Limits.operationsPerTransaction + 1).joined(separator: ",")
    #expect(firstError("{\"transaction\":[\(many)]}")?.message == "100001 elements are too many")
  }

  @Test func `references of plugins' fields are parsed`() throws {
    var catalog = IntentionCatalog()
    try catalog.add(.probe, from: .plugin("probe"))
    func reference(_ json: String) throws -> FieldValue? {
      let add = "{\"type\":\"Probe\",\"property\":\"x\",\"note\":\"\",\"other\":\(json)}"
      let file = try TransactionFile(
        Array("{\"transaction\":[{\"add\":\(add),\"to\":\"t\"}]}".utf8), named: "f", catalog: catalog)
      guard case .add(let intention, _, _)? = file.transaction.log.first else { return nil }
      return intention["other"]
    }
    let expected = FieldValue.reference(PropertyReference("room.1", "position"))
    #expect(try reference("\"room.1/position\"") == expected)
    #expect(try reference("{\"target\":\"room.1\",\"property\":\"position\"}") == expected)
    #expect(throws: FileErrors.self) { try reference("{\"target\":\"room.1\"}") }
    #expect(throws: FileErrors.self) { try reference("\"room.1\"") }
    #expect(throws: FileErrors.self) { try reference("\"room 1/position\"") }
  }

  @Test func `a written transaction parses to the same`() throws {
    var transaction = Transaction()
    transaction.add(.springTo("position", [100, 0.1], .perceived(duration: .milliseconds(1500), bounce: 0.2)), to: "a")
    transaction.add(
      .tween("color", values: [[0, 0, 0, 1], [1, 1, 1, 1]], easing: ["ease"], repetition: .forever), named: "ä\"\\",
      to: "room-3.wall:1")
    transaction.add(.tween("opacity", from: 0, to: 1, easing: "cubic-bezier(0.4, 0, 0.2, 1)", carries: false), to: "b")
    transaction.add(.draggable(axis: .y, perimeter: [0, 0, 10, 10]), to: "a")
    transaction.remove(named: "ä\"\\", from: "room-3.wall:1")
    transaction.forget("a")
    let file = TransactionFile(transaction, id: .random(), at: 0.1, whileConnected: true)
    #expect(try read(file.encoded()) == file)
    #expect(file.encoded().split(separator: "\n").count == transaction.log.count + 2)
    #expect(TransactionFile(Transaction()).encoded() == "{\"transaction\": []}\n")
  }

  /// Valid files with random bytes changed, inserted and removed: a file or errors, never a trap.
  @Test func `a random transaction gives a file or errors, never a trap`() throws {
    var random = SeededRandom(seed: SeededRandom.seed(of: "TransactionFile"))
    let catalog = try IntentionCatalog.builtIn()
    let texts = [
      "{\"transaction\":[{\"add\":{\"type\":\"Tween\",\"property\":\"opacity\",\"values\":[[0,1],[1,2]],"
        + "\"duration\":\"300ms\",\"repeat\":\"forever\"},\"to\":\"a\"}],\"at\":1}",
      "{\"transaction\":[{\"add\":{\"type\":\"SpringTo\",\"property\":\"x\",\"destination\":[1,2,3],\"bounce\":0.1},"
        + "\"named\":\"n\",\"to\":\"a\"},{\"remove\":\"n\",\"from\":\"a\"},{\"forget\":\"a\"}],\"at\":\"1.5s\"}",
    ].map { Array($0.utf8) }
    let alphabet = Array("{}[]\",:\\0123456789e-+.msadrtfn".utf8)
    var accepted = 0
    let rounds = SeededRandom.rounds(100_000)
    for round in 0..<rounds {
      var bytes = texts[round % texts.count]
      for _ in 0..<Int.random(in: 1...3, using: &random) { mutate(&bytes, alphabet, &random) }
      do {
        let file = try TransactionFile(bytes, named: "fuzz", catalog: catalog)
        accepted += 1
        #expect(try TransactionFile(Array(file.encoded().utf8), named: "again", catalog: catalog) == file)
      } catch {
        if error.errors.isEmpty { Issue.record("a refusal without an error") }
      }
    }
    #expect(
      accepted > rounds / 100 && accepted < rounds * 99 / 100, "\(accepted): neither everything nor nothing is valid")
  }

  private func errors(_ text: String) -> [FileError] {
    do {
      _ = try read(text)
      return []
    } catch {
      return (error as? FileErrors)?.errors ?? []
    }
  }

  private func firstError(_ text: String) -> FileError? { errors(text).first }

  private func intention(_ fields: String) throws -> Intention? {
    let text = "{\"transaction\":[{\"add\":{\(fields)},\"to\":\"a\"}]}"
    let log = try TransactionFile(Array(text.utf8), named: "test", catalog: .builtIn()).transaction.log
    guard case .add(let intention, _, _)? = log.first else { return nil }
    return intention
  }

  @Test func aNumberIsADurationInSeconds() throws {
    let two = try intention("\"type\":\"Tween\",\"property\":\"x\",\"to\":1,\"duration\":2")
    #expect(two?["duration"] == .duration(.seconds(2)))
    let text = try intention("\"type\":\"Tween\",\"property\":\"x\",\"to\":1,\"delay\":\"0.3\"")
    #expect(text?["delay"] == .duration(.milliseconds(300)))
  }

  @Test func `to and destination are synonyms`() throws {
    #expect(
      try intention("\"type\":\"Tween\",\"property\":\"x\",\"destination\":1")
        == intention("\"type\":\"Tween\",\"property\":\"x\",\"to\":1"))
    #expect(
      try intention("\"type\":\"SpringTo\",\"property\":\"x\",\"to\":1")
        == intention("\"type\":\"SpringTo\",\"property\":\"x\",\"destination\":1"))
    let errors = #expect(throws: FileErrors.self) {
      try intention("\"type\":\"SpringTo\",\"property\":\"x\",\"to\":1,\"destination\":2")
    }
    let message = "the field \"destination\" is given twice: to and destination mean the same here"
    #expect(errors?.errors.first?.message == message)
  }

  @Test func `a colour may be hexadecimal, and is refused with the rule otherwise`() throws {
    let fade = try intention("\"type\":\"Tween\",\"property\":\"color\",\"to\":\"#ff8000\"")
    #expect(fade?["to"]?.lanes == ColorText.lanes(of: "#ff8000"))
    let errors = #expect(throws: FileErrors.self) {
      try intention("\"type\":\"Tween\",\"property\":\"color\",\"to\":\"#ff80\\u0000\"")
    }
    #expect(errors?.errors.first?.remedy == ColorText.rule)
  }
}
