import MotionModel
import MotionWire
import Testing
import ZeroMQ

@testable import MotionGateway

@Suite struct PermissionsTests {
  private static let id = TransactionID(high: 1, low: 2)

  private func commit(_ log: [Transaction.Operation], at: Double? = nil) -> Envelope.Body {
    .commit(Commit(Transaction(log: log), id: Self.id, at: at))
  }

  private func refusal(_ body: Envelope.Body, by permissions: Permissions) -> Refusal? {
    do {
      try permissions.check(body)
      return nil
    } catch {
      return error
    }
  }

  private static let everyRequest: [(Envelope.Body, Permissions.Permission?)] = [
    (.greeting(Greeting(name: "a")), nil), (.alive, nil), (.query(.status), nil), (.query(.graph(nil)), nil),
    (.query(.targets), nil), (.query(.types(nil)), nil), (.query(.waiting), nil), (.cancel(1), .schedule),
    (.query(.why(PropertyReference("ball", "x"))), .why), (.query(.plugins), .plugins), (.restart("tween"), .plugins),
    (.clock(.pause), .clock), (.clock(.step(1)), .clock), (.stop([]), .stop), (.stop(["ball"]), .stop),
    (.input(PointerInput("ball", from: "mouse", [])), .input), (.query(.inputs), nil),
    (.inputValues(InputValues(from: "desk", [InputValue("fader", 1)])), .input),
    (.commit(Commit(Transaction(log: [.forget("ball")]), id: id)), .commit),
  ]

  // Clauses: S22.6
  @Test func `scenes need their permission, and no prefixes`() {
    var recall = Transaction()
    recall.forget("ball")
    recall.recall(SceneRecall("dusk"))
    var save = Transaction()
    save.saveScene("dusk", of: "guest*")
    let every = Set(Permissions.Permission.allCases)
    for transaction in [recall, save] {
      let body = Envelope.Body.commit(Commit(transaction, id: Self.id))
      #expect(refusal(body, by: Permissions(every)) == nil)
      #expect(refusal(body, by: Permissions(every.subtracting([.scenes]))) != nil)
      #expect(refusal(body, by: Permissions(every, prefixes: ["guest", "ball"])) != nil)
    }
    #expect(refusal(.commit(Commit(recall, id: Self.id)), by: Permissions())?.operation == 1)
    #expect(refusal(.query(.scenes(nil)), by: Permissions()) != nil)
    #expect(refusal(.query(.scenes("dusk")), by: Permissions(every)) == nil)
  }

  // Clauses: S23.9
  @Test func `lists of cues need their permission, and what is in them its own`() {
    func list(_ change: (inout Transaction) -> Void) -> Transaction {
      var (content, load) = (Transaction(), Transaction())
      change(&content)
      load.forget("ball")
      load.load(CueList([CueList.Cue("1"), CueList.Cue("2", content)]), as: "main")
      return load
    }
    let spring = list { $0.add(.springTo("x", 1), to: "ball") }
    var go = Transaction()
    go.cue("main", .go)
    let every = Set(Permissions.Permission.allCases)
    for transaction in [spring, go] {
      let body = Envelope.Body.commit(Commit(transaction, id: Self.id))
      #expect(refusal(body, by: Permissions(every)) == nil)
      #expect(refusal(body, by: Permissions(every.subtracting([.cues]))) != nil)
      #expect(refusal(body, by: Permissions(every, prefixes: ["ball"])) != nil)
    }
    func refused(_ transaction: Transaction, without permission: Permissions.Permission) -> Refusal? {
      refusal(.commit(Commit(transaction, id: Self.id)), by: Permissions(every.subtracting([permission])))
    }
    #expect(refused(list { $0.recall(SceneRecall("dusk")) }, without: .scenes)?.operation == 1)
    #expect(refused(list { $0.liftLimits("x", of: "ball") }, without: .limits)?.operation == 1)
    #expect(refused(list { $0.add(.springTo("x", 1).priority(100), to: "ball") }, without: .why)?.operation == 1)
    #expect(refusal(.query(.cues(nil)), by: Permissions()) != nil)
    #expect(refusal(.query(.cues("main")), by: Permissions(every)) == nil)
  }

  // Clauses: S21.9
  @Test func `a gateway that is restricted to prefixes allows selectors of these only`() throws {
    let restricted = Permissions(Set(Permissions.Permission.allCases), prefixes: ["guest", "wall-"])
    func refusal(_ text: String) throws -> Refusal? {
      let selector = try TargetSelector(text)
      var transaction = Transaction()
      transaction.forget("guest")
      transaction.forget(each: selector)
      let refused = self.refusal(.commit(Commit(transaction, id: Self.id)), by: restricted)
      #expect((self.refusal(.stop(StopRequest(each: selector)), by: restricted) == nil) == (refused == nil))
      return refused
    }
    for text in ["guest*", "guest-{1..3}", "wall-?,guest", "guests{,-1}*"] {
      #expect(try refusal(text) == nil, "\(text)")
    }
    for text in ["*", "gues*", "wall*", "guest*,lamp", "@guests", "{guest,wall-}*", "?uest"] {
      #expect(try refusal(text)?.operation == 1, "\(text)")
    }
    var group = Transaction()
    group.group("mine", "guest*")
    #expect(self.refusal(.commit(Commit(group, id: Self.id)), by: restricted) != nil)
    #expect(self.refusal(.commit(Commit(group, id: Self.id)), by: Permissions()) == nil)
    let rows = [GroupRow("a", ["lamp"]), GroupRow("b", ["guest-1", "lamp"])]
    #expect(restricted.filtered(.groups(rows)) == .groups([GroupRow("b", ["guest-1"])]))
    #expect(Permissions().filtered(.groups(rows)) == .groups(rows))
  }

  @Test func `waiting transactions are refused to callers with target prefixes`() {
    let restricted = Permissions(Set(Permissions.Permission.allCases), prefixes: ["guest"])
    #expect(refusal(.query(.waiting), by: restricted) != nil)
    #expect(refusal(.cancel(1), by: restricted) != nil)
  }

  // Clauses: S8.51
  @Test func `an explanation has no plans on targets that the client may not see, and no output of workers`() {
    let row = PropertyRow(
      reference: PropertyReference("guest.ball", "x"), handle: PropertyHandle(1), state: PropertyState(0), driver: nil,
      because: [], waiting: [], changedFrame: 0, isLate: false)
    var explanation = Explanation(frame: 1, time: 0, row)
    explanation.ancestors = (["guest.ball", "stage"] as [TargetName]).map { target in
      IntentionRow(
        identity: IntentionIdentity(sequence: 1, operation: 0), target: target, name: nil,
        intention: Intention("Toss", []), kind: .standing, executor: "Toss", state: .added)
    }
    explanation.worker = .init(WorkerAddress("tween", 0), isServing: false, quarantine: "it printed a secret")
    let restricted = Permissions([.why], prefixes: ["guest."])
    guard case .why(let shown) = restricted.filtered(.why(explanation)) else {
      Issue.record("it is no explanation")
      return
    }
    #expect(shown.ancestors.map(\.target) == ["guest.ball"] && shown.worker?.quarantine.contains("secret") == false)
    #expect(refusal(.query(.why(PropertyReference("stage", "x"))), by: restricted)?.code.rawValue == "forbidden")
    #expect(Permissions([.why, .plugins]).filtered(.why(explanation)) == .why(explanation))
  }

  // Clauses: S16.24
  @Test func `who committed a plan is seen with why or clients only`() {
    let provenance = Provenance(Committer(name: "secret"), wallTime: 0)
    let plan = IntentionRow(
      identity: IntentionIdentity(sequence: 1, operation: 0), target: "ball", name: nil,
      intention: Intention("Toss", []), kind: .standing, executor: "Toss", state: .added,
      provenance: provenance)
    var graph = RuntimeGraph()
    _ = graph.add(.intention(plan))
    let waiting = WaitingRow(sequence: 2, at: 1, operations: 1, summary: "", provenance: provenance)
    for answer in [Answer.intentions([plan]), .graph(graph), .waiting([waiting])] {
      let shown = Permissions([.commit, .history]).filtered(answer)
      #expect(shown != answer && !"\(shown)".contains("secret") && "\(answer)".contains("secret"))
      #expect(Permissions([.why]).filtered(answer) == answer && Permissions([.clients]).filtered(answer) == answer)
    }
  }

  // Clauses: S20.8
  @Test func `prefixes apply to the names of inputs, and held values need schedule`() {
    let restricted = Permissions([.commit, .input], prefixes: ["guest."])
    func send(_ name: InputName, held: Bool = false) -> Envelope.Body {
      .inputValues(InputValues(from: "desk", [InputValue(name, 1, isHeld: held)]))
    }
    func follow(_ input: InputName) -> Envelope.Body {
      var transaction = Transaction()
      transaction.add(.follow("x", input), to: "guest.ball")
      return .commit(Commit(transaction, id: Self.id))
    }
    #expect(refusal(send("guest.fader"), by: restricted) == nil)
    #expect(refusal(send("fader"), by: restricted)?.code.rawValue == "forbidden")
    #expect(refusal(send("guest.fader", held: true), by: restricted)?.remedy.contains("schedule") == true)
    #expect(refusal(send("guest.fader", held: true), by: Permissions([.input, .schedule])) == nil)
    #expect(refusal(follow("guest.fader"), by: restricted) == nil)
    #expect(refusal(follow("fader"), by: restricted)?.field == "input")
    let rows = [
      InputRow("fader", 1, time: 0, device: "desk"), InputRow("guest.fader", 2, time: 0, device: "desk"),
    ]
    #expect(restricted.filtered(.inputs(rows)) == .inputs([rows[1]]))
    #expect(Permissions().filtered(.inputs(rows)) == .inputs(rows))
  }

  // Clauses: S16.23
  @Test func `a priority above that of the gateway is refused with its place`() {
    var transaction = Transaction()
    transaction.add(.springTo("x", 1).priority(-100), to: "ball")
    transaction.add(.springTo("x", 1).priority(1), to: "ball")
    let body = Envelope.Body.commit(Commit(transaction, id: Self.id))
    let refused = refusal(body, by: Permissions())
    #expect(refused?.code.rawValue == "forbidden" && refused?.operation == 1 && refused?.field == "priority")
    var permissions = Permissions()
    permissions.highestPriority = 1
    #expect(refusal(body, by: permissions) == nil)
  }

  // Clauses: S8.39
  @Test func `a commit is signed with its caller, whatever it contains`() throws {
    var commit = Commit(Transaction(log: [.forget("ball")]), id: Self.id)
    commit.client = "desk"
    commit.onBehalfOf = Committer(name: "root", user: 0)
    let caller = Caller(
      name: PeerName(.process(LocalPeer(userID: 1000, groupID: 100, processID: 4711)), serial: 1))
    guard case .commit(let signed) = caller.signed(.commit(commit)) else {
      Issue.record("not a commit")
      return
    }
    #expect(signed.client == Caller.gatewayName)
    #expect(signed.onBehalfOf == Committer(name: "desk", user: 1000, process: 4711))
    #expect(signed.digest == commit.digest, "to motiond it is the same body")
  }

  @Test func eachRequestNeedsItsPermissionAndNoOther() {
    for (body, needed) in Self.everyRequest {
      for permission in Permissions.Permission.allCases {
        let refusal = refusal(body, by: Permissions([permission]))
        #expect((refusal == nil) == (needed == nil || needed == permission), "\(body) with \(permission)")
        if let refusal { #expect(refusal.remedy.contains("--allow \(needed?.rawValue ?? "")"), "\(refusal)") }
      }
    }
  }

  // Clauses: S19.13
  @Test func limitsNeedAPermissionOfTheirOwn() {
    let limits = commit([.add(.springTo("x", 1), named: nil, to: "ball"), .limit("x", of: "ball", .none)], at: nil)
    let refusal = refusal(limits, by: Permissions([.commit]))
    #expect(refusal?.code.rawValue == "forbidden" && refusal?.operation == 1)
    #expect(self.refusal(limits, by: Permissions([.commit, .limits])) == nil)
  }

  @Test func `a commit for a later time needs the schedule permission too`() {
    let later = commit([.forget("ball")], at: 5)
    #expect(refusal(later, by: Permissions([.commit]))?.code.rawValue == "forbidden")
    #expect(refusal(later, by: Permissions([.commit, .schedule])) == nil)
  }

  private static let outside = IntentionDescription(
    type: "SendOSC", kind: .standing, executor: "OSC", fields: [], reachesOutside: true, documentation: "")
  private static let inside = IntentionDescription(
    type: "Glide", kind: .standing, executor: "Glide", fields: [], documentation: "")

  // Clauses: S16.18
  @Test func typesThatReachOutsideAreRefusedUnlessTheyAreNamed() throws {
    var known = KnownTypes()
    let transaction = Transaction(log: [
      .add(Intention("Glide"), named: nil, to: "ball"), .add(Intention("SendOSC"), named: nil, to: "ball"),
    ])
    func allows(_ permissions: Permissions, at now: Duration = .zero) throws -> Bool {
      try permissions.check(transaction, knowing: known, at: now)
    }
    #expect(try !allows(Permissions()), "motiond has not told yet")
    known.update([Self.inside, Self.outside], at: .zero)
    let refusal = #expect(throws: Refusal.self) { try allows(Permissions()) }
    #expect(refusal?.operation == 1 && refusal?.remedy.contains("--allow-outside SendOSC") == true)
    var permissions = Permissions()
    permissions.outside = ["SendOSC"]
    #expect(try allows(permissions))
    // motiond itself refuses a type that it does not have; a type that may have been added since is looked up.
    known.update([Self.inside], at: .zero)
    #expect(try allows(Permissions(), at: .milliseconds(999)))
    #expect(try !allows(Permissions(), at: .seconds(1)))
  }

  @Test func `types are queried at most once a second, and when they are old`() {
    var known = KnownTypes()
    #expect(known.asks(about: [], at: .zero) == true)
    #expect(known.asks(about: [], at: .milliseconds(500)) == false)
    known.update([Self.inside], at: .milliseconds(500))
    #expect(known.asks(about: ["Glide"], at: .seconds(2)) == false)
    #expect(known.asks(about: ["SendOSC"], at: .seconds(2)) == true)
    #expect(known.asks(about: [], at: .seconds(11)) == true)
  }

  @Test func onlyNamedTypesAreAllowedIfSomeAreNamed() {
    var permissions = Permissions()
    permissions.types = ["SpringTo"]
    #expect(refusal(commit([.add(.springTo("position", [1, 2]), named: nil, to: "a")]), by: permissions) == nil)
    let other = refusal(commit([.forget("a"), .add(.draggable(), named: nil, to: "a")]), by: permissions)
    #expect(other?.operation == 1 && other?.code.rawValue == "forbidden")
  }

  @Test func `a message that is no request is refused with every permission`() {
    let all = Permissions(Set(Permissions.Permission.allCases))
    for body in [Envelope.Body.done(ClockState()), .names([]), .resync(commandsApplied: 1), .answer(.targets([]))] {
      #expect(refusal(body, by: all)?.code == .malformed)
    }
  }

  @Test func `requests for targets without an allowed prefix are refused`() {
    let permissions = Permissions(Set(Permissions.Permission.allCases), prefixes: ["visitor-", "guest"])
    let spring = Intention.springTo("position", [1, 2])
    #expect(refusal(commit([.add(spring, named: nil, to: "visitor-1"), .forget("guest")]), by: permissions) == nil)
    let second = refusal(commit([.forget("guest"), .add(spring, named: nil, to: "visitor")]), by: permissions)
    #expect(second?.operation == 1)
    #expect(second?.remedy.contains("visitor- or guest") == true)
    #expect(refusal(commit([.remove(named: "a", from: "ball")]), by: permissions) != nil)
    #expect(refusal(.input(PointerInput("ball", from: "mouse", [])), by: permissions) != nil)
    #expect(refusal(.stop([]), by: permissions) != nil)
    #expect(refusal(.stop(["guest", "ball"]), by: permissions) != nil)
    #expect(refusal(.stop(["guest"]), by: permissions) == nil)
    #expect(refusal(.query(.properties("ball")), by: permissions) != nil)
    #expect(refusal(.query(.properties("guest1")), by: permissions) == nil)
    #expect(refusal(.query(.graph("guest1")), by: permissions) != nil)
  }

  // Clauses: S25.10
  @Test func `a patch that shows or is dimmed by a target without an allowed prefix is refused`() throws {
    let permissions = Permissions(prefixes: ["visitor-"])
    func body(_ patch: String) throws -> Envelope.Body {
      commit([.add(try .sendDMX("universe 1 sacn\n" + patch), named: nil, to: "visitor-rig")])
    }
    #expect(refusal(try body("visitor-lamp dimmer 1.1"), by: permissions) == nil)
    let others = refusal(try body("visitor-lamp dimmer 1.1\nlamp dimmer 1.2"), by: permissions)
    #expect(others?.field == "patch")
    #expect(refusal(try body("visitor-lamp dimmer 1.1\nmaster desk/master"), by: permissions)?.field == "patch")
    for open in [
      "visitor-* dimmer 1.1", "@visitor dimmer 1.1", "visitor-lamp dimmer 1.1\nmaster visitor-desk/master @all",
    ] {
      let refused = refusal(try body(open), by: permissions)
      #expect(refused?.field == "patch" && refused?.remedy.contains("lamp{1..12}") == true, "\(open)")
      #expect(refusal(try body(open), by: Permissions()) == nil)
    }
  }

  @Test func `a plan that reads a target without an allowed prefix is refused`() {
    let permissions = Permissions(prefixes: ["visitor-"])
    let place = FieldValue.list([.list([.reference(PropertyReference("ball", "position"))])])
    let plan = Intention("AttachWithSpring", [Intention.Field("destination", place)])
    let refused = refusal(commit([.add(plan, named: nil, to: "visitor-1")]), by: permissions)
    #expect(refused?.field == "destination")
    #expect(refusal(commit([.add(plan, named: nil, to: "visitor-1")]), by: Permissions()) == nil)
  }

  @Test func `topics are allowed as their targets are`() throws {
    let permissions = Permissions(prefixes: ["visitor-"])
    for topic in ["v/", "m/", "o/", "d/", "v/ball", "m/ball/position", "o/ball", "d/visitor", "d/ball/position"] {
      #expect(try !permissions.allows(Interest(topic: topic)), "\(topic)")
      #expect(try Permissions().allows(Interest(topic: topic)), "\(topic)")
    }
    for topic in ["v/visitor-1", "m/visitor-1/position", "o/visitor-1", "d/visitor-"] {
      #expect(try permissions.allows(Interest(topic: topic)), "\(topic)")
    }
  }

  @Test func `answers are filtered to allowed targets`() {
    func row(_ target: TargetName) -> TargetRow {
      TargetRow(target: target, properties: 1, executors: 1, intentions: 1, isActive: true)
    }
    let answer = Answer.targets([row("ball"), row("visitor-1")])
    #expect(Permissions(prefixes: ["visitor-"]).filtered(answer) == .targets([row("visitor-1")]))
    #expect(Permissions().filtered(answer) == answer)
  }

  // Clauses: S16.19
  @Test func `a refusal names no target of others`() {
    let refusal = Refusal(.notFound, "there is no target \"v2-a\"", remedy: "Did you mean \"v1-a\"?")
    var permissions = Permissions()
    #expect(permissions.filtered(refusal) == refusal)
    permissions.prefixes = ["v2-"]
    let shown = permissions.filtered(refusal)
    #expect(shown.message == refusal.message && !shown.remedy.isEmpty && !shown.remedy.contains("v1-"))
    let other = Refusal(.limit, "too many", remedy: "Retry")
    #expect(permissions.filtered(other) == other)
  }

  // Clauses: S16.19
  @Test func `a refusal shows no folder of motiond's and no output of a worker`() {
    let missing = Refusal(
      .unknownType, "the intention type \"Tween\" belongs to plugin \"tween\", which is not loaded",
      remedy: "motiond looked in /secret. Install it there")
    let unknown = Refusal(.unknownType, "there is no intention type \"Twen\"", remedy: "Did you mean \"Tween\"?")
    let given = Refusal(
      .quarantined, "plugin tween is quarantined: its last log lines: /secret", remedy: "Fix the plugin")
    let permissions = Permissions()
    #expect(permissions.filtered(missing).message == missing.message)
    for refusal in [missing, given] {
      let shown = permissions.filtered(refusal)
      #expect(!shown.description.contains("secret") && !shown.remedy.isEmpty)
      #expect(Permissions([.plugins]).filtered(refusal) == refusal)
    }
    #expect(permissions.filtered(unknown) == unknown)
  }

  @Test func `the status hides logs and paths without the plugins permission`() {
    var status = Status()
    status.frame = Frame(number: 7, time: 1, dt: 1)
    status.plugins = [PluginRow(name: "tween", path: "/secret", problem: "", types: [], workers: [])]
    status.recording = Status.Recording(path: "/secret")
    status.journal = Status.Journal(path: "/secret")
    status.pluginPaths = ["/secret"]
    guard case .status(let shown) = Permissions().filtered(.status(status)) else { return #expect(Bool(false)) }
    #expect(shown.plugins.isEmpty && shown.recording == nil && shown.frame.number == 7)
    #expect(shown.journal == nil && shown.pluginPaths.isEmpty)
    #expect(Permissions([.plugins]).filtered(.status(status)) == .status(status))
  }
}
