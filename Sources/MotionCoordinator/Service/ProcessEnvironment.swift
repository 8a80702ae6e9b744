/// The environment of the process, which may hold secrets: a description or a log shows only variables that are known
/// to hold none.
public struct ProcessEnvironment: Sendable, ExpressibleByDictionaryLiteral {
  /// All variables by their names.
  public let variables: [String: String]

  /// The variables that are shown: those that motiond reads, which hold paths and numbers.
  private static let shown: Set<String> = [
    "HOME", "XDG_RUNTIME_DIR", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "NOTIFY_SOCKET", "WATCHDOG_USEC",
    "WATCHDOG_PID", "JOURNAL_STREAM", "MOTIOND_CONFIG", "MOTIOND_RATE", "MOTIOND_RUNTIME_DIR", "MOTIOND_STATE_DIR",
    "MOTIOND_PLUGIN_PATH", "MOTIOND_LOG_LEVEL",
  ]

  /// These variables.
  public init(_ variables: [String: String]) { self.variables = variables }

  /// These variables, each named once.
  public init(dictionaryLiteral elements: (String, String)...) {
    variables = Dictionary(elements) { $1 }
  }

  /// The value of a variable; `nil` if there is none.
  public subscript(name: String) -> String? { variables[name] }
}

extension ProcessEnvironment: CustomStringConvertible, CustomReflectable {
  /// The variables that may be shown, with their values, and how many others there are.
  public var description: String {
    let shown = variables.filter { Self.shown.contains($0.key) }.sorted { $0.key < $1.key }
    return (shown.map { "\($0.key)=\($0.value)" } + ["\(variables.count - shown.count) others"]).joined(separator: " ")
  }

  /// Nothing more than the description.
  public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
