import MotionClient
import MotionModel
import MotionWire

/// The candidates that a shell offers for completion, queried from the running daemon; none if there is no daemon.
enum Candidates {
  /// The timeout: a user waits at the keyboard, so late candidates are worse than none.
  private static let timeout = Duration.milliseconds(300)

  /// The names of the targets; after `@`, of the groups.
  @Sendable static func targets(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
    asking { client throws(MotionClientError) in
      guard prefix.hasPrefix("@") else { return try client.targets().map(\.target.text) }
      guard case .groups(let rows) = try client.query(.groups) else { return [] }
      return rows.map { "@\($0.group)" }
    }
  }

  /// The names of the targets; after a slash or a dot, the properties of the target before it.
  @Sendable static func places(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
    guard let separator = prefix.firstIndex(of: "/") ?? prefix.lastIndex(of: "."),
      let target = try? TargetName(String(prefix[..<separator]))
    else { return targets(arguments, index, prefix) }
    let found = properties(of: target).map { "\(target)\(prefix[separator])\($0)" }
    // The name of a target may have a dot.
    return prefix[separator] == "/" ? found : found + targets(arguments, index, prefix)
  }

  /// The names of the properties of a target.
  static func properties(of target: TargetName) -> [String] {
    asking { client throws(MotionClientError) in try client.properties(of: target).map(\.reference.property.text) }
  }

  /// The names of the scenes.
  @Sendable static func scenes(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
    asking { client throws(MotionClientError) in
      guard case .scenes(let rows) = try client.query(.scenes(nil)) else { return [] }
      return rows.map(\.scene.text)
    }
  }

  /// The names of the lists of cues.
  @Sendable static func cueLists(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
    asking { client throws(MotionClientError) in
      guard case .cues(let rows) = try client.query(.cues(nil)) else { return [] }
      return rows.map(\.list.text)
    }
  }

  /// The names of the cues of all lists.
  @Sendable static func cues(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
    asking { client throws(MotionClientError) in
      guard case .cues(let lists) = try client.query(.cues(nil)) else { return [] }
      var names: [String] = []
      for list in lists {
        guard case .cues(let rows) = try client.query(.cues(list.list)) else { continue }
        names += rows.first?.content?.cues.map(\.name.text) ?? []
      }
      return names
    }
  }

  /// The types of intentions.
  @Sendable static func types(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
    asking { client throws(MotionClientError) in try client.types().map(\.type.text) }
  }

  /// The fields of the type that an argument names, each as `name=`; after that, the values of the field.
  @Sendable static func fields(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
    asking { client throws(MotionClientError) in
      let words = Set(arguments)
      guard let type = try client.types().first(where: { words.contains($0.type.text) }) else { return [] }
      var properties: [String] = []
      if prefix.contains("="), let target = try client.targets().map(\.target).first(where: { words.contains($0.text) })
      {
        properties = try client.properties(of: target).map(\.reference.property.text)
      }
      return candidates(for: prefix, of: type, properties)
    }
  }

  /// The fields of a type, each as `name=`; after that, the values of the field.
  static func fields(of type: IntentionType, _ prefix: String) -> [String] {
    asking { client throws(MotionClientError) in
      try client.types().first { $0.type == type }.map { candidates(for: prefix, of: $0, []) } ?? []
    }
  }

  /// The names of the plugins.
  @Sendable static func plugins(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
    asking { client throws(MotionClientError) in try client.plugins().map(\.name.text) }
  }

  private static func candidates(
    for prefix: String, of type: IntentionDescription, _ properties: [String]
  ) -> [String] {
    guard let equals = prefix.firstIndex(of: "=") else { return type.fields.map { "\($0.name)=" } }
    let name = String(prefix[..<equals])
    guard let field = type.fields.first(where: { $0.name == name }) else { return [] }
    var values = field.choices
    if field.accepts.contains(.flag) { values += ["true", "false"] }
    if field.accepts.contains(.property) { values += properties }
    return values.map { "\(name)=\($0)" }
  }

  private static func asking(_ question: (MotionClient) throws(MotionClientError) -> [String]) -> [String] {
    do {
      return try question(client())
    } catch {
      return []
    }
  }

  private static func client() throws(MotionClientError) -> MotionClient {
    if let session = ShellSession.current {
      return try session.connection.client(
        named: "motionctl completion", timeout: timeout, interruptedBy: session.descriptor)
    }
    let places = RuntimePaths.candidates(environment: Console.environment)
    return try MotionClient(connectingTo: places, name: "motionctl completion", timeout: timeout)
  }
}
