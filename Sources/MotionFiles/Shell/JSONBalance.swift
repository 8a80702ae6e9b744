/// Finds the end of a JSON text that is typed over several lines: where its brackets are balanced outside of strings.
///
/// The text also ends where it can only be an error: at a bracket that does not fit, and at the end of a line within a
/// string. The reader of JSON then reports the error with its place.
public struct JSONBalance: Hashable, Sendable {
  /// The closing brackets that are expected, the innermost last.
  private var expected: [UInt8] = []
  private var isInString = false
  private var isEscaped = false
  /// Whether the text has ended.
  public private(set) var isComplete = false

  /// The state before the first line.
  public init() {}

  /// Whether a line begins a JSON text.
  public static func begins(_ line: some Sequence<UInt8>) -> Bool {
    let first = line.first { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }

  /// Takes the next line, without its end; ``isComplete`` then holds whether the text has ended.
  public mutating func take(line: some Sequence<UInt8>) {
    guard !isComplete else { return }
    for byte in line where !isComplete { take(byte) }
    if isInString { isComplete = true }
  }

  private mutating func take(_ byte: UInt8) {
    guard !isInString else {
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isInString = false
      }
      return
    }
    switch byte {
    case UInt8(ascii: "\""): isInString = true
    case UInt8(ascii: "{"): expected.append(UInt8(ascii: "}"))
    case UInt8(ascii: "["): expected.append(UInt8(ascii: "]"))
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      isComplete = expected.popLast() != byte || expected.isEmpty
    default: break
    }
  }
}
