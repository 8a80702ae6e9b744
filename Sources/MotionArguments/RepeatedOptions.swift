public import ArgumentParser

extension ParsableCommand {
  /// Parses as `parseAsRoot` does, and refuses an option that takes one value and is given more than once. The parser
  /// itself keeps the last value and silently drops the others.
  ///
  /// - Parameter arguments: the arguments of the program; `nil` takes those of the process.
  /// - Throws: errors of the parser, and a `ValidationError` that names the option.
  public static func parseOnce(_ arguments: [String]? = nil) throws -> any ParsableCommand {
    let arguments = arguments ?? Array(CommandLine.arguments.dropFirst())
    let command = try parseAsRoot(arguments)
    try checkRepetitions(in: arguments)
    return command
  }

  /// Refuses an option that takes one value and is given more than once.
  ///
  /// - Parameter arguments: arguments that the parser has accepted: each option stands where an option may stand, with
  ///   its value.
  /// - Throws: a `ValidationError` that names the option.
  public static func checkRepetitions(in arguments: [String]) throws {
    // Describing all commands costs milliseconds, so this is done only if an option name occurs twice.
    let words = arguments.prefix { $0 != "--" }.filter { $0.hasPrefix("-") }.map(OptionWord.init)
    guard Set(words.map(\.name)).count < words.count else { return }
    if let name = try described().repeatedOption(in: arguments) {
      throw ValidationError("The option '\(name)' takes one value and is given twice: give it once.")
    }
  }
}

/// An argument that begins with a dash.
private struct OptionWord {
  /// The name, with its dashes.
  let name: String
  /// Whether the same argument holds the value, after "=".
  let holdsValue: Bool

  init(_ word: String) {
    let end = word.firstIndex(of: "=")
    name = String(word[..<(end ?? word.endIndex)])
    holdsValue = end != nil
  }
}

extension CommandDescription {
  /// The first option that takes one value and is given more than once to this command, as it was written.
  fileprivate func repeatedOption(in arguments: [String]) -> String? {
    var command = self
    var given: Set<String> = []
    var index = 0
    while index < arguments.count, arguments[index] != "--" {
      let word = arguments[index]
      index += 1
      guard word.hasPrefix("-") else {
        if let subcommand = command.subcommand(word) { command = subcommand }
        continue
      }
      let option = OptionWord(word)
      if command.option(option.name) == nil, let usual = command.defaultSubcommand.flatMap(command.subcommand) {
        command = usual
      }
      guard let known = command.option(option.name) else { continue }
      // The next argument is its value, even if it looks like an option.
      if !option.holdsValue { index += 1 }
      if !known.isRepeating, !given.insert(known.identity).inserted { return option.name }
    }
    return nil
  }
}
