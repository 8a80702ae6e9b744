/// The string that the end of a line of JSON is in, for completion.
public struct JSONStringPosition: Hashable, Sendable {
  /// The part of the string that is written.
  public let prefix: String
  /// The key whose value the string is; `nil` if the string is a key, or an element of an array.
  public let key: String?
  /// The value of the last "type" before it in the line.
  public let type: String?

  /// Reads a line up to the cursor; `nil` if its end is in no string.
  public init?(endOf line: some Sequence<UInt8>) {
    var (last, key, type): (String?, String?, String?)
    var string: [UInt8]?
    var isEscaped = false
    for byte in line {
      guard let text = string else {
        switch byte {
        case UInt8(ascii: "\""): string = []
        case UInt8(ascii: ":"): key = last
        case UInt8(ascii: ","), UInt8(ascii: "{"), UInt8(ascii: "["): (key, last) = (nil, nil)
        default: break
        }
        continue
      }
      guard isEscaped || byte != UInt8(ascii: "\"") else {
        last = String(decoding: text, as: UTF8.self)
        if key == "type" { type = last }
        string = nil
        continue
      }
      isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
      string?.append(byte)
    }
    guard let string else { return nil }
    (prefix, self.key, self.type) = (String(decoding: string, as: UTF8.self), key, type)
  }
}
