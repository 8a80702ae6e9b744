import MotionFiles

/// Lines of the shell: a mistake has a column of the line and words; valid JSON ends where it is balanced, and not before.
enum Lines {
  static func run(_ bytes: [UInt8]) throws {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for line in lines {
      _ = JSONStringPosition(endOf: line)
      try read(String(decoding: line, as: UTF8.self))
    }
    guard JSONBalance.begins(bytes), bytes.first != UInt8(ascii: "\n") else { return }
    var balance = JSONBalance()
    var end = 0
    for line in lines where !balance.isComplete {
      balance.take(line: line)
      end += line.count + 1
    }
    guard (try? JSONDocument(bytes)) != nil else { return }
    let rest = bytes.dropFirst(min(end, bytes.count))
    try require(balance.isComplete, "valid JSON does not end")
    try require(rest.allSatisfy { $0 <= 0x20 }, "valid JSON ends before its end")
  }

  private static func read(_ line: String) throws {
    let end = line.unicodeScalars.count + 1
    switch Result(catching: { () throws(ShellLineError) in try ShellLine(line) }) {
    case .success(.shortForm(let form)):
      for field in form.fields {
        try require((1...end).contains(field.column), "\(field.name) stands at column \(field.column)")
      }
    case .success: break
    case .failure(let error):
      try require((1...end).contains(error.column), "\(error) is behind the line")
      try require(!error.message.isEmpty, "a line is refused without words")
    }
    let split = ShellWords(completing: line)
    try require((1...end).contains(split.last.column), "the last word begins behind the line")
  }
}
