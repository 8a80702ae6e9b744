import MotionArguments
import MotionFiles
import MotionModel

/// Finds what can follow a line: commands, options, and what they complete with; names and fields of short forms.
struct Completion {
  /// The program, with its commands.
  let program: CommandDescription
  /// Runs the program's own completion of an argument, as the completion scripts of other shells do.
  let custom: ([String]) -> [String]

  /// The candidates for the word that ends a text.
  func candidates(for text: String) -> LineEditor.Candidates {
    if JSONBalance.begins(text.utf8) { return json(text) }
    if let head = ShortFormHead(text), let form = ShortForm.Operator(rawValue: head.operator) {
      return shortForm(form, head)
    }
    let split = ShellWords(completing: text)
    guard !split.endsInComment else { return LineEditor.Candidates(prefix: "", words: []) }
    let words = split.words.map(\.text)
    let found = words.isEmpty ? beginnings(split.last.text) : arguments(words, split.last.text)
    return matches(found, split.last.text, isQuoted: split.endsInQuotes)
  }

  private func matches(_ words: [String], _ prefix: String, isQuoted: Bool) -> LineEditor.Candidates {
    // Names of files can have any characters; those that a terminal would act on are not offered.
    let fitting = Set(words.filter { $0.hasPrefix(prefix) && ShownText.escaping($0) == $0 })
      .sorted(by: NaturalOrder.isBefore)
    return LineEditor.Candidates(prefix: prefix, words: fitting, isQuoted: isQuoted)
  }

  // MARK: JSON

  /// The members of a transaction file and its operations.
  private static let members = [
    "transaction", "add", "remove", "forget", "limit", "group", "targets", "type", "named", "to", "from", "on", "at",
    "comment", "property",
    "whileConnected",
  ]

  /// The candidates for the string that a line of JSON ends in.
  func json(_ text: String) -> LineEditor.Candidates {
    guard let place = JSONStringPosition(endOf: text.utf8) else { return LineEditor.Candidates(prefix: "", words: []) }
    let type = place.type.flatMap { try? IntentionType($0) }
    let found: [String]
    switch place.key {
    case "type": found = Candidates.types([], 0, place.prefix)
    case "to", "from", "on", "forget", "targets": found = Candidates.targets([], 0, place.prefix)
    case nil: found = Self.members + (type.map { Candidates.fields(of: $0, "").map { String($0.dropLast()) } } ?? [])
    case let key?:
      found = type.map { Candidates.fields(of: $0, key + "=").map { String($0.dropFirst(key.count + 1)) } } ?? []
    }
    return matches(found, place.prefix, isQuoted: true)
  }

  // MARK: Short forms

  private func shortForm(_ form: ShortForm.Operator, _ head: ShortFormHead) -> LineEditor.Candidates {
    let split = ShellWords(completing: head.rest)
    let words = split.words.map(\.text)
    guard !words.isEmpty, words.last != "in" else { return LineEditor.Candidates(prefix: "", words: []) }
    // The value and the property are written already.
    let written = ["property=", form.destination + "="] + (form == .tween ? ["values="] : [])
    var found = Candidates.fields(of: form.type, split.last.text).filter { !written.contains($0) }
    if form == .tween, words.count == 1 { found.append("in") }
    return matches(found, split.last.text, isQuoted: split.endsInQuotes)
  }

  /// The candidates for the first word: commands, and targets with their properties.
  private func beginnings(_ prefix: String) -> [String] {
    let commands = (program.subcommands ?? []).map(\.commandName) + ["at", "help", "exit"]
    guard !prefix.isEmpty else { return commands }
    let targets = Candidates.targets([], 0, prefix)
    guard let separator = prefix.firstIndex(of: "/") ?? prefix.lastIndex(of: "."),
      let target = try? TargetName(String(prefix[..<separator])), targets.contains(target.text)
    else { return commands + targets.map { $0 + "." } }
    return Candidates.properties(of: target).map { prefix[...separator] + $0 } + targets.map { $0 + "." }
  }

  // MARK: Commands

  private func arguments(_ words: [String], _ prefix: String) -> [String] {
    if words[0] == "at" { return words.count == 1 ? FileNames.matching(prefix, extensions: []) + ["now"] : [] }
    if words[0] == "help" { return words.count == 1 ? (program.subcommands ?? []).map(\.commandName) : [] }
    guard var command = program.subcommand(words[0]) else {
      return words.count == 1 ? ShortForm.Operator.allCases.map(\.rawValue) : []
    }
    var path = [command.commandName]
    var alternatives: [String] = []
    if let usual = command.defaultSubcommand.flatMap(command.subcommand),
      !words.dropFirst().contains(where: { command.subcommand($0) != nil })
    {
      // Without a subcommand, this one is meant.
      if words.count == 1 { alternatives = (command.subcommands ?? []).map(\.commandName) }
      alternatives.removeAll { $0 == usual.commandName }
      command = usual
      path.append(usual.commandName)
    }
    var positionals = 0
    var option: ArgumentDescription?
    var isBehindOptions = false
    for word in words.dropFirst() {
      if option != nil {
        option = nil
      } else if word == "--" {
        isBehindOptions = true
      } else if word.hasPrefix("-"), !isBehindOptions {
        option = word.contains("=") ? nil : command.option(word)
      } else if positionals == 0, let next = command.subcommand(word) {
        command = next
        path.append(next.commandName)
      } else {
        positionals += 1
      }
    }
    if let option { return values(of: option, named: option.texts[0], path, words, prefix) }
    if prefix.hasPrefix("-"), !isBehindOptions {
      return (command.arguments ?? []).filter { $0.kind != "positional" && $0.shouldDisplay }.flatMap(\.texts)
    }
    let subcommands = alternatives + (command.subcommands ?? []).map(\.commandName)
    let places = (command.arguments ?? []).filter { $0.kind == "positional" }
    guard let last = places.indices.last, positionals <= last || places[last].isRepeating else { return subcommands }
    let index = min(positionals, last)
    return subcommands + values(of: places[index], named: "positional@\(index)", path, words, prefix)
  }

  private func values(
    of argument: ArgumentDescription, named name: String, _ path: [String], _ words: [String], _ prefix: String
  ) -> [String] {
    if let values = argument.allValues, !values.isEmpty { return values }
    guard let kind = argument.completionKind else { return [] }
    if let file = kind.file { return FileNames.matching(prefix, extensions: file.extensions) }
    if kind.directory != nil { return FileNames.matching(prefix, extensions: nil) }
    guard kind.custom != nil else { return [] }
    let all = ["motionctl"] + words + [prefix]
    return custom(["---completion"] + path + ["--", name, "\(all.count - 1)", "\(prefix.count)"] + all)
  }
}
