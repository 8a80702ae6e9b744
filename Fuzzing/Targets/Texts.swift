import MotionCoordinator
import MotionHistory
import MotionModel
import MotionPhysics
import MotionWire
import ZeroMQ

/// Short texts that people, or files, or peers, write: names, addresses, durations, easings, topics.
enum Texts {
  static func run(_ bytes: [UInt8]) throws {
    guard let first = bytes.first else { return }
    let text = String(decoding: bytes.dropFirst(), as: UTF8.self)
    switch first % 9 {
    case 7: try selector(text)
    case 0: try duration(text)
    case 1: try timing(text)
    case 2: try topic(text)
    case 3: try endpoint(text)
    case 4: try addresses(text)
    case 5: try names(text)
    case 6: shown(text)
    default: lines(bytes.dropFirst())
    }
  }

  private static func duration(_ text: String) throws {
    if let moment = RecordedMoment(parsing: text) {
      // A recording of a clock that was set back, and one without wall times.
      for walls in [[86_400_000_000_000, 172_800_000_000_000, 90_000_000_000_000], [nil, nil, nil]] as [[Int64?]] {
        let times = RecordedTimes(
          "show.mcap",
          walls.enumerated().map { .init(number: UInt64($0) + 1, time: Double($0), wallTime: $1) })
        for side in [RecordedMoment.Side.before, .after] {
          let frame: UInt64
          do throws(HistoryError) {
            frame = try moment.frame(in: times, side)
          } catch {
            try require(!error.message.isEmpty && !error.remedy.isEmpty, "a moment is refused without words")
            continue
          }
          try require((1...3).contains(frame), "\(text) is frame \(frame)")
        }
      }
    }
    guard let duration = DurationText.duration(of: text) else { return }
    let written = DurationText.text(of: duration)
    try require(DurationText.duration(of: written) == duration, "\(text) is written as \(written)")
  }

  private static func selector(_ text: String) throws {
    let selector: TargetSelector
    do throws(TargetSelectorError) {
      selector = try TargetSelector(text)
    } catch {
      return try require(!error.rule.isEmpty, "a selector is refused without words")
    }
    try require((try? TargetSelector(selector.text)) == selector, "\(selector) is read as another")
    let targets: [TargetName] = ["lamp1", "lamp2", "lamp10", "a", "b-2", "spot.x"]
    let groups = [GroupRow("front", ["lamp1", "gone"])]
    guard let names = selector.names(among: targets, groups: groups) else { return }
    try require(Set(names).count == names.count, "\(selector) stands for a target twice")
    for name in names.prefix(1000) {
      let isMember = selector.contains(name) { group in groups.first { $0.group == group }?.members }
      try require(isMember, "\(selector) stands for \(name) and does not match it")
    }
  }

  private static func timing(_ text: String) throws {
    let function: TimingFunction
    do throws(TimingFunctionError) {
      function = try TimingFunction(parsing: text)
    } catch {
      return try require(!error.problem.isEmpty && !error.remedy.isEmpty, "an easing is refused without words")
    }
    for share in stride(from: -0.5, through: 1.5, by: 0.125) {
      try require(function.value(at: share).isFinite, "\(function) is \(function.value(at: share)) at \(share)")
    }
    let written = function.description
    try require((try? TimingFunction(parsing: written)) != nil, "\(text) is written as \(written), which is none")
  }

  private static func topic(_ text: String) throws {
    do {
      let interest = try Interest(topic: text)
      try require(interest.topic == text, "\(text) is written as \(interest.topic)")
    } catch let error as WireError {
      try Told.check(error)
    }
  }

  private static func endpoint(_ text: String) throws {
    do throws(EndpointError) {
      _ = try Endpoint(text)
    } catch {
      try require(!error.problem.isEmpty && !error.remedy.isEmpty, "an address is refused without words")
    }
  }

  private static func addresses(_ text: String) throws {
    for read in [
      { _ = try RemoteListener(text, ports: 4) }, { _ = try MetricsAddress(text) }, { _ = try Affinity(text) },
      { _ = try AllowedClients(users: text, group: nil, own: 0) },
    ] as [() throws -> Void] {
      do {
        try read()
      } catch let error as StartError {
        try require(!error.problem.isEmpty && !error.remedy.isEmpty, "\(text) is refused without words")
      }
    }
  }

  private static func names(_ text: String) throws {
    try name(TargetName.self, text)
    try name(PropertyName.self, text)
    try name(IntentionName.self, text)
    try name(IntentionType.self, text)
    try name(PluginName.self, text)
    try name(DeviceName.self, text)
    _ = NearestName.suggestion(for: text, among: ["position", "opacity", text + "a"])
  }

  private static func name<Rule>(_ type: Name<Rule>.Type, _ text: String) throws {
    do {
      let name = try Name<Rule>(text)
      try require(name.text == text && !text.isEmpty, "\(text) is called \(name)")
    } catch let error as NameError {
      try require(!error.rule.isEmpty && error.text.count <= 65, "a name is refused without words")
    }
  }

  private static func shown(_ text: String) {
    _ = ShownText.escaping(text)
    _ = ShownText.cut(text, toBytes: 16)
    _ = GraphVizText.label(text)
  }

  /// What workers print.
  private static func lines(_ bytes: ArraySlice<UInt8>) {
    var splitter = LineSplitter(limit: 16)
    for piece in [bytes.prefix(bytes.count / 3), bytes.dropFirst(bytes.count / 3)] {
      _ = Array(piece).withUnsafeBytes { splitter.add($0) }
    }
    _ = splitter.finish()
  }
}
