import MotionTestKit
import Testing

@testable import MotionModel

/// Patterns and groups in patches, and the names that replace them.
struct DMXPatchSelectorsTests {
  private func plan(_ text: String) -> Intention { Intention("SendDMX", [.init("patch", .text(text))]) }

  private func resolved(_ text: String, _ names: [[TargetName]]) throws -> String {
    let plan = plan(text)
    return SendDMXIntention.text(of: try #require(DMXPatchSelectors(plan)).resolve(plan, to: names).plan)
  }

  // Clauses: S25.11
  @Test func `words for fixtures are found, and nothing else`() throws {
    let text = """
      source "a * ?" # not @this
      universe 1 sacn *.example
      profile x* level!
      lamp* dimmer 1.1 # and not @that
      wash{1..2} rgb 1.101
      @front,spot "x*" 1.201
      master desk/@m lamp1 lamp?
      blackout desk/dark @front
      """
    let found = try #require(DMXPatchSelectors(plan(text)))
    #expect(found.parts.map(\.selector.text) == ["lamp*", "@front,spot", "lamp?", "@front"])
    #expect(found.parts.map(\.line) == [4, 6, 7, 8])
    #expect(DMXPatchSelectors(plan("universe 1 sacn\nlamp{1..4} dimmer 1.1 # lamp*")) == nil)
    #expect(DMXPatchSelectors(Intention("SpringTo", [.init("patch", .text("lamp* dimmer 1.1"))])) == nil)
  }

  // Clauses: S25.11
  @Test func `they become names, and a master is only over fixtures of the patch`() throws {
    let text = """
      universe 1 sacn
      lamp* dimmer 1.1
      wash{1..2} rgb 1.101
      master desk/m  @all wash1
      """
    let patch = try resolved(text, [["lamp2", "lamp10"], ["lamp10", "desk", "wash2"]])
    // Fixtures of the patch need not be targets yet.
    let early = try resolved("universe 1 sacn\nlamp{1..3} dimmer 1.1\nmaster desk/m l*,x*", [[]])
    #expect(early.split(separator: "\n")[2] == "master desk/m lamp1,lamp2,lamp3")
    #expect(patch.split(separator: "\n")[1] == "lamp2,lamp10 dimmer 1.1")
    #expect(patch.split(separator: "\n")[3] == "master desk/m  lamp10,wash2 wash1")
    let outputs = try DMXPatch(patch).outputs
    #expect(outputs.count == 8 && outputs.prefix(2).map(\.channel) == [0, 1])
    let refusal = #expect(throws: Refusal.self) { try resolved(text, [["lamp2"], ["desk"]]) }
    #expect(refusal?.field == "patch" && refusal?.message == "line 4: no fixture matches \"@all\"")
  }

  // Clauses: S25.4, S25.11
  @Test func `more fixtures than a line has room for are refused with their line`() throws {
    let names = (1...3000).map { TargetName(stringLiteral: "lamp\($0)") }
    let lines = (1...6).map { "universe \($0) sacn\nlamp{\($0 * 500 - 499)..\($0 * 500)} dimmer \($0).1" }
    let patch = lines.joined(separator: "\n")
    let master = #expect(throws: Refusal.self) { try resolved(patch + "\nmaster desk/m l*", [names]) }
    #expect(
      master?.message.hasPrefix("line 13: too many fixtures") == true && master?.remedy.contains("no names") == true)
    let fixtures = #expect(throws: Refusal.self) { try resolved("universe 1 sacn\nl* dimmer 1.1", [names]) }
    #expect(fixtures?.message.hasPrefix("line 2: too many fixtures") == true)
    let some = try resolved(patch + "\nmaster desk/m lamp1???", [[]])
    #expect(try DMXPatch(some).references.contains(PropertyReference("desk", "m")))
  }

  // Clauses: S25.1, S25.11
  @Test func `fixtures of a list take their channels as they are written, each once`() throws {
    let patch = try DMXPatch("universe 1 sacn\nleft,center,lamp{2..1},right,left dimmer 1.1")
    #expect(patch.references.map(\.target.text) == ["left", "center", "lamp1", "lamp2", "right"])
    // A name that would be the first word of another line.
    let text = try resolved("universe 1 sacn\nrat* dimmer 1.1", [["rate"]])
    #expect(try DMXPatch(text).references.map(\.target.text) == ["rate"])
    let many = #expect(throws: DMXPatchError.self) { try DMXPatch("universe 1 sacn\nlamp{1..1000000} dimmer 1.1") }
    #expect(many?.problem.contains("more fixtures than a patch has channels") == true)
    let file = #expect(throws: DMXPatchError.self) { try DMXPatch.check("@rig.patch") }
    #expect(file?.remedy.contains("patch=@FILE") == true)
  }

  // Clauses: S25.4, S25.11
  @Test func `a patch is checked before its patterns are replaced, as far as that can be`() throws {
    func refusal(_ text: String) -> Refusal? {
      do {
        try IntentionCatalog.builtIn().check(plan("universe 1 sacn\n" + text))
        return nil
      } catch {
        return error as? Refusal
      }
    }
    #expect(refusal("lamp* dimmer 1.1\nmaster desk/m @front\nmaster desk/n lamp9") == nil)
    #expect(refusal("lamp* dimer 1.1")?.message.contains("line 2: \"dimer\" is no profile") == true)
    #expect(refusal("@front dimmer 2.1")?.message == "line 2: there is no universe 2")
    #expect(refusal("lamp* dimmer 1.1\na rgb 1.1\nb rgb 1.2")?.message.contains("overlap") == true)
    #expect(refusal("univers 2 sacn")?.remedy == "Did you mean \"universe\"?")
    // An executor gets names alone.
    #expect(throws: Refusal.self) { try SendDMXIntention(plan("universe 1 sacn\nlamp* dimmer 1.1")) }
    #expect(try Intention.sendDMX("universe 1 sacn\nlamp* dimmer 1.1")["patch"] != nil)
  }

  // Clauses: S25.11
  @Test func `random patches with names in place of words read as if they were written so`() throws {
    var random = SeededRandom(seed: SeededRandom.seed(of: "patch selectors"))
    let words = ["lamp*", "@front", "lamp?", "lamp1", "lamp{1..2}", "x,lamp*", "  ", "\"lamp*\"", "# @no", "é"]
    for _ in 0..<SeededRandom.rounds(5000) {
      var (open, written): ([String], [String]) = (["universe 1 sacn"], ["universe 1 sacn"])
      var names: [[TargetName]] = []
      for line in 0..<Int.random(in: 1...6, using: &random) {
        let word = words.randomElement(using: &random) ?? ""
        let rest = " dimmer 1.\(1 + 50 * line)\(Bool.random(using: &random) ? "" : " # lamp*")"
        open.append(word + rest)
        let isOpen = word.contains("*") || word.contains("?") || word == "@front"
        let found = (1...Int.random(in: 1...4, using: &random)).map { TargetName(stringLiteral: "t\(line)-\($0)") }
        if isOpen { names.append(found) }
        let list = found.map(\.text).joined(separator: ",")
        written.append((isOpen ? word.hasPrefix("\"") ? "\"\(list)\"" : list : word) + rest)
      }
      let text = open.joined(separator: "\n")
      guard DMXPatchSelectors(plan(text)) != nil else {
        #expect(names.isEmpty, "\(text)")
        continue
      }
      #expect(try resolved(text, names) == written.joined(separator: "\n"), "\(text)")
    }
  }
}
