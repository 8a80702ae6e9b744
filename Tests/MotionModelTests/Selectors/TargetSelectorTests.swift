import Glibc
import MotionTestKit
import Testing

@testable import MotionModel

@Suite struct TargetSelectorTests {
  private static let seed =
    getenv("MOTION_TEST_SEED").flatMap { UInt64(String(cString: $0)) } ?? .random(in: 0...9999)

  private static func names(_ text: String, among targets: [TargetName] = [], groups: [GroupRow] = []) throws
    -> [String]?
  {
    try TargetSelector(text).names(among: targets, groups: groups)?.map(\.text)
  }

  // Clauses: S21.1, S21.2
  @Test(arguments: [
    ("lamp1", ["lamp1"]), ("b,a", ["a", "b"]), ("a, b ,a", ["a", "b"]),
    ("lamp{1..3}", ["lamp1", "lamp2", "lamp3"]), ("lamp{3..1}", ["lamp1", "lamp2", "lamp3"]),
    ("lamp{9..11}", ["lamp9", "lamp10", "lamp11"]), ("lamp{08..11}", ["lamp08", "lamp09", "lamp10", "lamp11"]),
    ("{left,right}-{1..2}", ["left-1", "left-2", "right-1", "right-2"]), ("lamp{,s}", ["lamp", "lamps"]),
    ("{a,b},c", ["a", "b", "c"]), ("{0..0}", ["0"]),
  ])
  func `names and braces stand for names whether they exist or not, each once`(text: String, names: [String]) throws {
    #expect(try Self.names(text) == names)
    #expect(try TargetSelector(text).isFixed)
  }

  // Clauses: S21.1, S21.2
  @Test(arguments: [
    ("lamp*", ["lamp", "lamp1", "lamp2", "lamp10", "lamp10.b"]), ("lamp?", ["lamp1", "lamp2"]),
    ("*1*", ["lamp1", "lamp10", "lamp10.b", "spot1"]),
    ("*", ["lamp", "lamp1", "lamp2", "lamp10", "lamp10.b", "spot1"]),
    ("lamp{2..10}*", ["lamp2", "lamp10", "lamp10.b"]), ("{spot,x}?", ["spot1"]),
    ("?????", ["lamp1", "lamp2", "spot1"]),
    ("nothing*", []), ("nothing*,new", ["new"]), ("@front", ["gone", "spot1"]), ("a*b*c,***x", []),
    ("lamp?,@front", ["gone", "lamp1", "lamp2", "spot1"]),
  ])
  func `patterns stand for targets that exist, and groups for their members`(text: String, names: [String]) throws {
    let targets: [TargetName] = ["lamp10", "spot1", "lamp2", "lamp", "lamp10.b", "lamp1"]
    #expect(try Self.names(text, among: targets, groups: [GroupRow("front", ["gone", "spot1"])]) == names)
    #expect(try !TargetSelector(text).isFixed)
  }

  // Clauses: S21.1
  @Test(arguments: [
    "", ",", "a,", "a,,b", "lamp{", "lamp{1..", "lamp}", "lamp{}", "lamp{a}", "lamp{1..x}", "lamp{1..2..3}",
    "lamp{-1..2}",
    "lamp{1..9999999999}", "lamp{a,ö}", "lamp{a,*}", "lamp{a,{b,c}}", "läm*", "a b", "a/b", "@", "@front*", "@ö",
    "lamp[12]",
    "!a", String(repeating: "a", count: 129), "*" + String(repeating: "a", count: 129),
    String(repeating: "a,", count: 9000) + "a", "\u{9B}*",
  ])
  func `what is no selector is refused with the rule`(text: String) {
    let error = #expect(throws: TargetSelectorError.self) { _ = try TargetSelector(text) }
    #expect(error?.rule.isEmpty == false && error?.text.count ?? 0 <= 65)
  }

  // Clauses: S21.1
  @Test func `patterns match what the C library's fnmatch matches`() throws {
    var random = SeededRandom(seed: Self.seed)
    let letters = Array("ab1.")
    func text(_ count: ClosedRange<Int>, _ alphabet: [Character]) -> String {
      String((0..<Int.random(in: count, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? "a" })
    }
    var matches = 0
    for _ in 0..<20_000 {
      let (pattern, name) = (text(1...8, letters + ["*", "?", "*"]), text(1...8, letters))
      guard pattern.contains(where: { $0 == "*" || $0 == "?" }) else { continue }
      let expected = fnmatch(pattern, name, 0) == 0
      let selector = try TargetSelector(pattern)
      #expect(
        selector.contains(try TargetName(name), members: { _ in nil }) == expected,
        "\(pattern) and \(name), seed \(Self.seed)")
      matches += expected ? 1 : 0
    }
    #expect(matches > 1000)
  }

  // Clauses: S21.1
  @Test func `a name matches braces exactly if they stand for it`() throws {
    var random = SeededRandom(seed: Self.seed)
    for _ in 0..<2000 {
      let low = Int.random(in: 0...12, using: &random)
      let (a, b) = (low, low + Int.random(in: 0...12, using: &random))
      let padded = Bool.random(using: &random)
      let bounds = padded ? ["0\(a)", "\(b)"] : ["\(a)", "\(b)"]
      let selector = try TargetSelector("l{x,y,}\("{\(bounds[0])..\(bounds[1])}")")
      let names = Set(try #require(selector.names(among: [], groups: [])))
      for _ in 0..<20 {
        let digits = String(Int.random(in: 0...30, using: &random))
        let zeros = String(repeating: "0", count: Int.random(in: 0...2, using: &random))
        let middle = ["x", "y", "", "z"].randomElement(using: &random) ?? ""
        let name = try TargetName("l" + middle + zeros + digits)
        #expect(
          selector.contains(name, members: { _ in nil }) == names.contains(name),
          "\(selector) and \(name), seed \(Self.seed)")
      }
    }
  }

  // Clauses: S21.7
  @Test func `many stars cost no more than the product of the lengths`() throws {
    let name = try TargetName(String(repeating: "a", count: 59) + String(repeating: "b", count: 69))
    #expect(!(try TargetSelector(String(repeating: "a*", count: 60)).contains(name, members: { _ in nil })))
    #expect(try TargetSelector("*" + String(repeating: "?", count: 128)).contains(name, members: { _ in nil }))
  }

  // Clauses: S21.7
  @Test func `braces that stand for very many names cost nothing until they are resolved`() throws {
    let selector = try TargetSelector("{0..999999999}{0..999999999}{0..999999999}x")
    #expect(selector.names(among: [], groups: []) == nil)
    #expect(selector.contains("1230x", members: { _ in nil }))
  }

  // Clauses: S8.7, S21.4
  @Test func `the selectors of a transaction are part of its digest`() {
    func digest(_ change: (inout Transaction) -> Void) -> TransactionDigest {
      var transaction = Transaction()
      change(&transaction)
      return Commit(transaction, id: TransactionID(high: 1, low: 2)).digest
    }
    let digests = [
      digest { $0.forget(each: "lamp*") }, digest { $0.forget(each: "lamp?") }, digest { $0.forget("-") },
      digest { $0.forget(each: "lamp") }, digest { $0.group("lamp", "a,b") }, digest { $0.ungroup("lamp") },
      digest { $0.group("lamps", "a,b") },
    ]
    #expect(Set(digests).count == digests.count)
    #expect(digest { $0.forget(each: "lamp") } == digest { $0.forget("lamp") })
  }
}
