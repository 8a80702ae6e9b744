import Testing

/// The sources and documents use the words of the field: these words of an earlier dialect do not come back.
struct VocabularyTests {
  /// A private word and the field's word. A tilde in a word keeps this file from containing it.
  struct Term: Sendable {
    enum Rule: Sendable {
      /// The whole word, as it is written.
      case word
      /// The beginning of a word, in lower case.
      case beginning
      /// Any part of a name, as it is written.
      case part
      /// Several words.
      case phrase
    }

    let text: String
    let rule: Rule
    let instead: String

    init(_ text: String, _ rule: Rule, _ instead: String) {
      (self.text, self.rule, self.instead) = (text.replacing("~", with: ""), rule, instead)
    }

    func isFound(in word: String, _ lowercased: String) -> Bool {
      switch rule {
      case .word: word == text
      case .beginning: lowercased.hasPrefix(text)
      case .part: word.contains(text)
      case .phrase: false
      }
    }
  }

  static let words = [
    Term("letter~box", .beginning, "mailbox"), Term("Letter~Box", .part, "mailbox"),
    Term("se~at", .word, "worker slot, assignment"), Term("se~ats", .word, "worker slots, assignments"),
    Term("se~ated", .word, "assigned"), Term("Se~at", .part, "WorkerSlot, Assignment"),
    Term("say~Again", .part, "resend"), Term("said~ again", .phrase, "resent"), Term("says~ again", .phrase, "resends"),
    Term("say~ again", .phrase, "resend"), Term("saying~ again", .phrase, "resending"),
    Term("keep~House", .part, "runMaintenance"), Term("house~Timer", .part, "maintenanceTimer"),
    Term("house~Wake", .part, "maintenanceWakeUps"), Term("house~_wake", .part, "maintenance_wake_ups"),
    Term("house~-wake", .phrase, "maintenance-wake-ups"), Term("vi~gil", .beginning, "liveness monitor"),
    Term("Ab~sence", .part, "not found"), Term("mis~trust", .beginning, "permission problem"),
    Term("mis~fit", .beginning, "incompatible plans"), Term("ask~er", .beginning, "requester"),
    Term("con~demn", .beginning, "quarantine"), Term("repr~iev", .beginning, "release"),
    Term("pat~ience", .word, "timeout"), Term("pat~ient", .word, "timeout"), Term("Process~News", .part, "events"),
    Term("ne~ws", .word, "events"), Term("cro~wd", .beginning, "connection limit, batch"),
    Term("wit~ness", .beginning, "generation check, observer"), Term("first~Term", .part, "first sample"),
    Term("isOf~NewPlan", .part, "isFromNewPlan"),
  ]

  /// The changelog names removed things.
  private static let texts: [(path: String, text: String)] = Repository.files.compactMap { path in
    let endings = [
      ".swift", ".md", ".proto", ".c", ".h", ".yaml", ".service", ".json", ".txt", ".py", ".sh", "Makefile",
    ]
    guard path != "CHANGELOG.md", endings.contains(where: path.hasSuffix) else { return nil }
    return Repository.text(of: path).map { (path, $0) }
  }

  /// The words of the list that a text contains.
  private static func found(in text: String) -> [Term] {
    var seen: Set<Substring> = []
    for word in split(text) { seen.insert(word) }
    let words = seen.map { (String($0), $0.lowercased()) }
    return Self.words.filter { word in
      guard word.rule == .phrase else { return words.contains { word.isFound(in: $0, $1) } }
      // A look at the words is cheap, and a search through the text is not.
      return split(word.text).dropFirst().allSatisfy { last in seen.contains { $0.hasPrefix(last) } }
        && text.contains(word.text)
    }
  }

  /// The words of a text: letters, digits and `_`. Every byte that is not ASCII counts as a letter.
  private static func split(_ text: String) -> [Substring] {
    text.utf8.split { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
        false
      default: true
      }
    }.map { Substring($0) }
  }

  @Test func `private words are not used`() {
    // A word occurs in many files, so one look at all of them together comes first.
    guard !Self.found(in: Self.texts.map(\.text).joined(separator: "\n")).isEmpty else { return }
    for (path, text) in Self.texts {
      for word in Self.found(in: text) { Issue.record("\(path) has \"\(word.text)\": use \(word.instead)") }
    }
  }

  @Test(arguments: [
    "final class Letter~Box", "the se~at of a worker", "makeSe~at(", "it is said~ again", "a cro~wd", "its pat~ience",
  ])
  func `an example of each private word is found`(text: String) {
    #expect(Self.found(in: text.replacing("~", with: "")).isEmpty == false)
  }
}
