import MotionModel
import MotionTestKit
import Testing

@Suite struct IntentionCheckTests {
  static func probe(_ fields: Intention.Field...) -> Intention {
    Intention("Probe", [.init("property", .property("position")), .init("note", .text(""))] + fields)
  }

  @Test func `intentions that match their description are accepted`() throws {
    let intentions = [
      Self.probe(.init("share", .number(0)), .init("length", .duration(.seconds(10)))),
      Self.probe(.init("mass", .number(1e-300)), .init("word", .choice("left")), .init("loud", .flag(true))),
      Self.probe(.init("share", .vector([0, 1])), .init("other", .reference(PropertyReference("a", "b")))),
      Self.probe(.init("path", .list([.number(5), .vector([1, 2]), .list([.list([])])])), .init("free", .list([]))),
    ]
    for intention in intentions { try IntentionDescription.probe.check(intention) }
  }

  @Test(arguments: [
    ("shar", FieldValue.number(1), Refusal.Code.unknownField, "Probe has no such field. Did you mean \"share\"?"),
    (
      "timeline", .text("t"), .unknownField,
      "Probe cannot be bound to a timeline. Timelines are for tweens in a program that embeds MotionStreams; here, pause "
        + "and step the clock."
    ),
    ("share", .number(1.5), .value, "1.5 is out of range. Use a number from 0 to 1."),
    ("share", .vector([0.5, -1]), .value, "-1 is out of range. Use a number from 0 to 1."),
    ("share", .number(.nan), .value, "nan is not a finite number. Use a finite number."),
    ("share", .text("a"), .value, "a text is not accepted here. Use a number or a vector of 2 to 4 numbers."),
    ("mass", .number(0), .value, "0 is out of range. Use a number above 0."),
    ("length", .duration(.seconds(11)), .value, "11s is out of range. Use a duration from 0s to 10s."),
    ("length", .duration(.milliseconds(-1)), .value, "-1ms is out of range. Use a duration from 0s to 10s."),
    ("length", .number(1), .value, "a number is not accepted here. Use a duration."),
    ("word", .choice("rihgt"), .value, "\"rihgt\" is no choice. Did you mean \"right\"?"),
    (
      "path", .list([.text("a")]), .value,
      "a text is not accepted here. Use a number or a vector of 2 to 4 numbers or a list."
    ),
    ("path", .list([.number(.infinity)]), .value, "inf is not a finite number. Use a finite number."),
    (
      "path", .list([.list([.list([.list([.list([])])])])]), .limit,
      "the list is too long or too deep. Lists hold at most 4096 elements and lie at most 4 deep."
    ),
    (
      "free", .list(Array(repeating: .flag(true), count: 4097)), .limit,
      "the list is too long or too deep. Lists hold at most 4096 elements and lie at most 4 deep."
    ),
    ("mass", .number(1.1e100), .value, "1.1e+100 is too large. Use a number from -1e+100 to 1e+100."),
    ("note", .text(String(repeating: "a", count: 16_385)), .limit, "the text is too long. Use at most 16384 bytes."),
  ])
  func `a wrong field is refused by name`(_ name: String, _ value: FieldValue, _ code: Refusal.Code, _ text: String) {
    let refusal = #expect(throws: Refusal.self) {
      try IntentionDescription.probe.check(Self.probe(.init(name, value)))
    }
    #expect(refusal?.code == code)
    #expect(refusal?.description == "field \"\(name)\": \(text)")
  }

  @Test func `missing and exclusive fields are refused`() {
    func refusal(_ intention: Intention) -> String? {
      #expect(throws: Refusal.self) { try IntentionDescription.probe.check(intention) }?.description
    }
    #expect(
      refusal(Intention("Probe", [.init("note", .text(""))]))
        == "field \"property\": Probe requires this field. Add the name of a property: Where.")
    #expect(
      refusal(Intention("Probe", [.init("property", .property("x"))]))
        == "field \"share\": one of \"share\", \"mass\", \"note\" is required. "
        + "Add one of them; the description of Probe explains them.")
    #expect(
      refusal(Self.probe(.init("mass", .number(1)), .init("share", .number(1))))
        == "field \"mass\": \"share\" and \"mass\" exclude each other. Leave one of them out.")
    let many = (0...Limits.fieldsPerIntention).map { Intention.Field("f\($0)", .flag(true)) }
    #expect(refusal(Intention("Probe", many)) == "65 fields are too many. An intention has at most 64 fields.")
  }

  @Test func `the lanes that properties must have are listed`() {
    let intention = Self.probe(
      .init("path", .list([.number(1), .number(2), .vector([1, 2])])), .init("share", .vector([0, 0, 0])))
    #expect(
      IntentionDescription.probe.laneRequirements(of: intention) == [
        LaneRequirement(field: "share", property: "position", lanes: 3),
        LaneRequirement(field: "path", property: "position", lanes: 1),
        LaneRequirement(field: "path", property: "position", lanes: 2),
      ])
  }

  @Test func `ranges are described in words`() {
    let greatest = Double.greatestFiniteMagnitude
    let cases: [(ClosedRange<Double>?, Bool, String)] = [
      (nil, false, "of any size"), (0...1, false, "from 0 to 1"), (-1...1, true, "above -1, at most 1"),
      (0...greatest, true, "above 0"), (1...greatest, false, "of at least 1"), (-greatest...5, false, "of at most 5"),
      (-greatest...greatest, false, "of any size"),
    ]
    for (range, excludes, words) in cases {
      let field = FieldDescription("f", .number, range: range, excludesLowerBound: excludes, "")
      #expect(field.rangeInWords == words)
    }
  }
}
