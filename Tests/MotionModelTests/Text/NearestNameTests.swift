import Testing

@testable import MotionModel

@Suite struct NearestNameTests {
  let fields = ["property", "to", "values", "from", "offsets", "easing", "duration", "delay", "repeat", "carry"]

  @Test(arguments: [
    ("durtion", "duration"), ("Duration", "duration"), ("dealy", "delay"), ("form", "from"), ("valeus", "values"),
    ("eassing", "easing"), ("offset", "offsets"),
  ])
  func `the nearest name is suggested`(_ text: String, _ meant: String) {
    #expect(NearestName.suggestion(for: text, among: fields) == meant)
  }

  @Test(arguments: ["x", "", "destination", String(repeating: "duration", count: 100)])
  func `no name is suggested when none is near`(_ text: String) {
    #expect(NearestName.suggestion(for: text, among: fields) == nil)
  }

  @Test func countsInsertionsDeletionsReplacementsAndSwaps() {
    let cases: [(String, String, Int)] = [
      ("", "", 0), ("", "abc", 3), ("abc", "", 3), ("abc", "abc", 0), ("abc", "abd", 1), ("abc", "acb", 1),
      ("kitten", "sitting", 3), ("ca", "abc", 3),
    ]
    for (a, b, distance) in cases { #expect(NearestName.distance(Array(a.utf8), Array(b.utf8)) == distance) }
  }

  @Test func `known names are listed when none is near`() {
    #expect(NearestName.remedy(for: "durtion", among: fields, plural: "fields") == "Did you mean \"duration\"?")
    #expect(NearestName.remedy(for: "q", among: ["a1", "b1"], plural: "fields") == "Known fields: a1, b1.")
    #expect(NearestName.remedy(for: "q", among: [], plural: "fields") == "There are no fields.")
    let many = (0..<30).map { "name\($0)" }
    #expect(NearestName.remedy(for: "q", among: many, plural: "names").hasSuffix("name23 and 6 more."))
  }
}
