import Testing

@testable import motionctl

@Suite struct TableTests {
  @Test func alignsColumns() {
    var table = Table(.init("NAME"), .init("COUNT", .right), .init("NOTE"))
    table.add("a", "1", "")
    table.add("longer", "1000", "x")
    #expect(
      table.lines(style: .plain) == [
        "NAME    COUNT  NOTE",
        "a           1",
        "longer   1000  x",
      ])
  }

  @Test func colourIsForTerminalsOnly() {
    #expect(Style.suited(isTerminal: true, environment: [:]).isColoured)
    #expect(!Style.suited(isTerminal: false, environment: [:]).isColoured)
    #expect(!Style.suited(isTerminal: true, environment: ["NO_COLOR": "1"]).isColoured)
    #expect(Style.suited(isTerminal: true, environment: ["NO_COLOR": ""]).isColoured)
    #expect(!Style.suited(isTerminal: true, environment: ["TERM": "dumb"]).isColoured)
    #expect(Style.plain.red("x") == "x")
    #expect(Style(isColoured: true).red("x") == "\u{1B}[31mx\u{1B}[0m")
  }

  @Test func fitsText() {
    #expect("abc".fitted(to: 5) == "abc  ")
    #expect("abcdef".fitted(to: 4) == "abc…")
    #expect("1".fittedRight(to: 3) == "  1")
  }

  @Test func breaksTheLastColumnBetweenWords() {
    var table = Table(.init("FIELD"), .init("MEANING"))
    table.add("duration", "How long one run of the movement takes, from its start.")
    #expect(
      table.lines(style: .plain, width: 44) == [
        "FIELD     MEANING", "duration  How long one run of the movement", "          takes, from its start.",
      ])
  }

  @Test func `the first sentence is extracted`() {
    #expect("Moves a\nproperty. It ends.".firstSentence == "Moves a property.")
    #expect("Moves a property.".firstSentence == "Moves a property.")
  }
}
