/// A dictionary as an argument, in the order of its keys' texts, so that it is the same at each run.
struct RewriteTable: Inspectable {
  /// The values of the table.
  let values: [Any]
  let inspected: String

  init<Key, Value>(_ table: [Key: Value]) {
    let entries = table.map { (key: ArgumentText.text(of: $0.key), value: $0.value) }.sorted { $0.key < $1.key }
    values = entries.map(\.value)
    inspected = "[" + entries.map { "\($0.key): \(ArgumentText.text(of: $0.value))" }.joined(separator: ", ") + "]"
  }

  /// Whether streams are among its values.
  var hasStreams: Bool { values.contains { $0 is any StreamArgument } }
}
