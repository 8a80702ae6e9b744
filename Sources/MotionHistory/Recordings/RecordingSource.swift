/// Where the bytes of a recording are.
public enum RecordingSource: Sendable {
  /// In the file at this path.
  case file(String)
  /// In memory; errors use the name.
  case bytes([UInt8], named: String)

  /// The path or the name.
  public var name: String {
    switch self {
    case .file(let path): path
    case .bytes(_, let name): name
    }
  }
}
