import Testing

/// The sources and documents use the words of the field: these words of an earlier dialect do not come back.
struct VocabularyTests {
  /// A private word and the field's word. A tilde in a word keeps this file from containing it.
  struct Word: Sendable {
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
    Word("letter~box", .beginning, "mailbox"), Word("Letter~Box", .part, "mailbox"),
    Word("se~at", .word, "worker slot, assignment"), Word("se~ats", .word, "worker slots, assignments"),
    Word("se~ated", .word, "assigned"), Word("Se~at", .part, "WorkerSlot, Assignment"),
    Word("say~Again", .part, "resend"), Word("said~ again", .phrase, "resent"), Word("says~ again", .phrase, "resends"),
    Word("say~ again", .phrase, "resend"), Word("saying~ again", .phrase, "resending"),
    Word("keep~House", .part, "runMaintenance"), Word("house~Timer", .part, "maintenanceTimer"),
    Word("house~Wake", .part, "maintenanceWakeUps"), Word("house~_wake", .part, "maintenance_wake_ups"),
    Word("house~-wake", .phrase, "maintenance-wake-ups"), Word("vi~gil", .beginning, "liveness monitor"),
    Word("Ab~sence", .part, "not found"), Word("mis~trust", .beginning, "permission problem"),
    Word("mis~fit", .beginning, "incompatible plans"), Word("ask~er", .beginning, "requester"),
    Word("con~demn", .beginning, "quarantine"), Word("repr~iev", .beginning, "release"),
    Word("pat~ience", .word, "timeout"), Word("pat~ient", .word, "timeout"), Word("Process~News", .part, "events"),
    Word("ne~ws", .word, "events"), Word("cro~wd", .beginning, "connection limit, batch"),
    Word("wit~ness", .beginning, "generation check, observer"), Word("first~Word", .part, "first sample"),
    Word("isOf~NewPlan", .part, "isFromNewPlan"),
  ]

  /// The changelog names what is gone.
  private static let texts: [(path: String, text: String)] = Repository.files.compactMap { path in
    let endings = [
      ".swift", ".md", ".proto", ".c", ".h", ".yaml", ".service", ".json", ".txt", ".py", ".sh", "Makefile",
    ]
    guard path != "CHANGELOG.md", endings.contains(where: path.hasSuffix) else { return nil }
    return Repository.text(of: path).map { (path, $0) }
  }

  /// What of the list a text contains.
  private static func found(in text: String) -> [Word] {
    var seen: Set<Substring> = []
    for word in text.split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "_" }) { seen.insert(word) }
    let words = seen.map { (String($0), $0.lowercased()) }
    return Self.words.filter { word in
      word.rule == .phrase ? text.contains(word.text) : words.contains { word.isFound(in: $0, $1) }
    }
  }

  @Test func privateWordsDoNotComeBack() {
    for (path, text) in Self.texts {
      for word in Self.found(in: text) { Issue.record("\(path) has \"\(word.text)\": use \(word.instead)") }
    }
  }

  @Test(arguments: [
    "final class Letter~Box", "the se~at of a worker", "makeSe~at(", "it is said~ again", "a cro~wd", "its pat~ience",
  ])
  func anExampleOfEachKindIsFound(text: String) {
    #expect(Self.found(in: text.replacing("~", with: "")).isEmpty == false)
  }
}
