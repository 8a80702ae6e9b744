import Glibc
import MotionModel

/// Random values that follow the rules of the wire, from a seed that can be repeated.
struct Generator {
  /// The seed of this run: that of MOTION_TEST_SEED, or a new one.
  static let seed: UInt64 = {
    if let text = getenv("MOTION_TEST_SEED"), let seed = UInt64(String(cString: text)) { return seed }
    return .random(in: .min ... .max)
  }()

  private var seed: UInt64

  /// Prints the seed, so that a failure can be repeated.
  init(_ test: String = #function) {
    print("\(test): MOTION_TEST_SEED=\(Self.seed)")
    seed = Self.seed
  }

  /// SplitMix64 (Steele, Lea and Flood).
  mutating func word() -> UInt64 {
    seed &+= 0x9E37_79B9_7F4A_7C15
    var z = seed
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func int(_ range: ClosedRange<Int>) -> Int { range.lowerBound + Int(word() % UInt64(range.count)) }
  mutating func flag() -> Bool { word() & 1 == 0 }
  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[int(0...elements.count - 1)] }

  /// A number of any size: small ones and the extremes are as likely as large ones.
  mutating func number() -> UInt64 { flag() ? UInt64(int(0...300)) : word() >> UInt64(int(0...63)) }
  mutating func short() -> UInt32 { UInt32(truncatingIfNeeded: number()) }
  mutating func count() -> Int { Int(short()) }

  mutating func double() -> Double {
    let special: [Double] = [0, -0.0, 1, -1, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 1.0 / 3]
    if int(0...9) == 0 { return pick(special) }
    let any = Double(bitPattern: word())
    return any.isFinite ? any : 0.5
  }
  mutating func seconds() -> Double { Double(int(0...1_000_000)) / 1024 }

  mutating func optional<Result>(_ make: (inout Generator) -> Result) -> Result? { flag() ? make(&self) : nil }
  mutating func list<Result>(_ most: Int = 3, _ make: (inout Generator) -> Result) -> [Result] {
    (0..<int(0...most)).map { _ in make(&self) }
  }

  /// Text of letters of all widths in UTF-8.
  mutating func text() -> String { String((0..<int(0...12)).map { _ in pick(Array("aZ0 _-.:/äß€漢😀\n")) }) }

  mutating func name<Rule>() -> Name<Rule> {
    // Starts with a letter and continues with characters that the strictest rule (of plugins and properties) allows.
    let text = String((0..<int(0...9)).map { _ in pick(Array("abcxyz019_-")) })
    do {
      return try Name("a" + text)
    } catch {
      preconditionFailure(error.description)
    }
  }

  mutating func lanes(_ count: Int) -> Lanes {
    var lanes = Lanes.zero(count: count)
    for lane in 0..<count { lanes[lane] = double() }
    return lanes
  }
  mutating func state() -> PropertyState {
    let count = int(1...4)
    return PropertyState(lanes(count), velocity: lanes(count))
  }
  mutating func reference() -> PropertyReference { PropertyReference(name(), name()) }
  mutating func handle() -> PropertyHandle { PropertyHandle(short()) }
  mutating func executor() -> ExecutorHandle { ExecutorHandle(short()) }
  mutating func key() -> ExecutorKey { ExecutorKey(name(), name()) }
  mutating func frame() -> Frame { Frame(number: number() >> 2, time: double(), dt: seconds()) }
  mutating func address() -> WorkerAddress { WorkerAddress(name(), int(0...15)) }
  mutating func clock() -> ClockState {
    ClockState(time: double(), speed: Double(int(1...999)), isPaused: flag(), hold: flag() ? hold() : nil)
  }
  mutating func hold() -> ClockHold {
    ClockHold(refuses: flag(), since: Int64(int(0...1_000_000)), by: Committer(user: UInt32(int(0...9)), process: 1))
  }
  mutating func versions() -> ClosedRange<Int> {
    let lowest = int(1...9)
    return lowest...lowest + int(0...9)
  }
  mutating func identity() -> IntentionIdentity {
    IntentionIdentity(sequence: number(), operation: short(), path: list { $0.short() })
  }
  mutating func duration() -> Duration {
    Duration(
      attoseconds: Int128(Int64(bitPattern: word()) % 3_000_000_000_000_000_000) * Int128(int(1...1_000_000_000)))
  }

  mutating func fieldValue(depth: Int = 0) -> FieldValue {
    switch int(0...(depth < Limits.nesting ? 8 : 7)) {
    case 0: .number(double())
    case 1: .vector(lanes(int(2...4)))
    case 2: .text(text())
    case 3: .flag(flag())
    case 4: .duration(duration())
    case 5: .property(name())
    case 6: .choice(text())
    case 7: .reference(reference())
    default: .list(list { $0.fieldValue(depth: depth + 1) })
    }
  }
  mutating func intention() -> Intention {
    let fields = list(5) { Intention.Field("f" + $0.text(), $0.fieldValue()) }
    return Intention(name(), fields, priority: flag() ? 0 : priority(), after: flag() ? 0 : double())
  }
  mutating func priority() -> Int32 { pick(Array(Limits.priority)) }
  mutating func planned() -> PlannedIntention {
    PlannedIntention(
      identity: identity(), intention: intention(), name: optional { $0.name() }, startFrame: number(),
      startTime: double(), starts: list { $0.start() })
  }
  mutating func start() -> PlannedIntention.Start {
    let state = state()
    return PlannedIntention.Start(
      name(), handle: handle(), state: state, acceleration: flag() ? state.velocity : nil)
  }
  /// - Parameter isCue: whether it is what a cue does, which commands no list of cues.
  mutating func operation(ofCue isCue: Bool = false) -> Transaction.Operation {
    switch int(0...(isCue ? 6 : 7)) {
    case 7: .cues(name(), flag() ? .list(cueList()) : .position(cuePosition()))
    case 6: .scene(name(), scene())
    case 5: .group(name(), list(3) { $0.name() })
    case 0: .add(intention(), named: optional { $0.name() }, to: name())
    case 3: .removePlan(identity(), from: name())
    case 4: .limit(name(), of: name(), limits())
    case 1: .remove(named: name(), from: name())
    default: .forget(name())
    }
  }
  mutating func limits() -> LimitSetting {
    guard flag() else { return .none }
    return .limits(
      PropertyLimits(
        range: optional { .init($0.lanes($0.int(1...4)), $0.lanes($0.int(1...4))) },
        velocity: optional { $0.lanes($0.int(1...4)) }, acceleration: optional { $0.lanes($0.int(1...4)) },
        jerk: optional { $0.lanes($0.int(1...4)) },
        onLost: optional { $0.flag() ? .hold : .ramp($0.lanes($0.int(1...4)), in: $0.seconds()) }))
  }
  mutating func transaction() -> Transaction { Transaction(log: list(6) { $0.operation() }) }
  mutating func cueList() -> CueList {
    CueList(
      list(3) { generator in
        var content = Transaction(log: generator.list(2) { $0.operation(ofCue: true) })
        if generator.flag() { generator.ask(&content) }
        return CueList.Cue(
          generator.name(), content, wait: generator.double(), follow: generator.optional { $0.double() },
          at: generator.optional { $0.double() })
      }, timeline: optional { $0.reference() })
  }
  mutating func cuePosition() -> CuePosition {
    CuePosition(
      step: number(), current: optional { $0.count() }, went: optional { $0.double() }, waits: flag(),
      due: optional { $0.double() }, passed: optional { $0.double() }, leftOut: optional { $0.text() })
  }
  mutating func scene() -> Scene {
    Scene(
      list(3) { generator in
        Scene.Target(
          generator.name(), values: generator.list(3) { Scene.Value($0.name(), $0.lanes($0.int(1...4))) },
          plans: generator.list(2) { Scene.Plan($0.intention(), named: $0.optional { $0.name() }) })
      })
  }
  mutating func spread() -> Spread {
    let fields = list(3) { $0.fieldValue() }.enumerated().map { Intention.Field("f\($0.offset)", $0.element) }
    let order = optional { SpreadOrder($0.name(), lane: $0.optional { $0.int(0...3) }, isDescending: $0.flag()) }
    return Spread(to: fields, stagger: double(), by: order)
  }
  /// A transaction as clients commit it.
  mutating func request() -> Transaction {
    var transaction = transaction()
    guard flag() else { return transaction }
    ask(&transaction)
    for _ in 0..<int(0...2) { transaction.cue(name(), pick([.go, .back, .goto(name()), .stop])) }
    return transaction
  }
  private mutating func ask(_ transaction: inout Transaction) {
    let texts = ["lamp*", "@front", "lamp{1..12},spot", "{a,b}-?"]
    for _ in 0..<int(1...3) {
      guard let selector = try? TargetSelector(pick(texts)) else { continue }
      switch int(0...6) {
      case 5: transaction.saveScene(name(), of: selector)
      case 6: transaction.recall(SceneRecall(name(), flag() ? .spring : .fade(double())))
      case 0:
        transaction.add(
          intention(), named: optional { $0.name() }, toEach: selector, spread: optional { $0.spread() })
      case 1: transaction.remove(named: name(), fromEach: selector)
      case 2: transaction.forget(each: selector)
      case 3: transaction.limit(name(), ofEach: selector, limits())
      default: transaction.group(name(), selector)
      }
    }
  }
}
