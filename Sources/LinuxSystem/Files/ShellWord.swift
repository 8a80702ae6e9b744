/// Words of a command line that a reader may copy into a shell.
package enum ShellWord {
  /// The text as one word of a POSIX shell: in single quotes, unless it contains only characters without a meaning.
  package static func quoting(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: ":"), UInt8(ascii: ","), UInt8(ascii: "@"):
        true
      default: false
      }
    }
    if isPlain, !text.isEmpty, !text.hasPrefix("-") { return text }
    let inner = text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#)
    return "'\(inner)'"
  }
}
