import MotionTestKit
import Testing

@testable import MotionModel

/// Patches: from their text to channels.
struct DMXPatchTests {
  private func patch(_ text: String) throws -> DMXPatch { try DMXPatch(text) }

  private func error(_ text: String) -> String {
    do {
      _ = try DMXPatch(text)
      return "none"
    } catch {
      return error.description
    }
  }

  // Clauses: S25.1, S25.2
  @Test func `universes, fixtures and their places are read`() throws {
    let patch = try patch(
      """
      # The rig of the tests.
      source "Main rack" cid=6b1f0b2c-0001-4002-8003-0123456789ab
      rate 30
      universe 1 sacn priority=150   # by multicast
      universe 2 sacn 10.0.0.7,console.local as=20 via=10.0.0.2
      universe 3 artnet as=0

      lamp{1..3} rgb 1.10
      left,right dimmer 2.511
      """)
    #expect(
      patch.source == "Main rack" && patch.identity?.count == 16 && patch.identity?[15] == 0xAB && patch.rate == 30)
    #expect(
      patch.universes == [
        .init(number: 1, carrier: .sacn, address: 1, priority: 150),
        .init(number: 2, carrier: .sacn, address: 20, hosts: ["10.0.0.7", "console.local"], via: "10.0.0.2"),
        .init(number: 3, carrier: .artnet, address: 0),
      ])
    #expect(patch.outputs.count == 11)
    #expect(patch.outputs.prefix(9).map(\.channel) == Array(9...17))
    #expect(patch.outputs.suffix(2).map(\.channel) == [510, 511] && patch.outputs.last?.universe == 1)
    #expect(
      patch.references == ["lamp1/color", "lamp2/color", "lamp3/color", "left/level", "right/level"].map(reference))
  }

  private func reference(_ text: String) -> PropertyReference {
    let parts = text.split(separator: "/").map(String.init)
    return PropertyReference(TargetName(stringLiteral: parts[0]), PropertyName(stringLiteral: parts[1]))
  }

  // Clauses: S25.2
  @Test func `a profile has constants, wide and split values, ranges, curves, defaults and dimmers`() throws {
    let patch = try patch(
      """
      universe 1 sacn
      profile head pan tilt 255 - pan:fine zoom:16=10..50~soft iris@1 color.r*level! color.white tilt:fine
      spot head 1.1 pan=270..-270 iris@0.5
      """)
    let outputs = patch.outputs
    #expect(outputs.map(\.channel) == [0, 1, 2, 3, 5, 7, 8, 9])
    #expect(outputs.map(\.fine) == [4, 10, nil, nil, 6, nil, nil, nil])
    #expect(outputs[2].level == .constant(255) && outputs[3].level == .constant(0))
    func reading(_ index: Int) -> DMXPatch.Reading? {
      if case .reading(let reading) = outputs[index].level { reading } else { nil }
    }
    #expect(reading(0)?.low == 270 && reading(0)?.high == -270 && reading(1)?.low == 0)
    #expect(reading(4)?.curve == .soft && reading(4)?.low == 10 && reading(4)?.high == 50)
    #expect(reading(5)?.fallback == 0.5)
    #expect(reading(6)?.part == .colour(0, withoutWhite: true) && reading(6)?.dimmers == [reference("spot/level")])
    #expect(reading(7)?.part == .white)
  }

  // Clauses: S25.3
  @Test func `masters act on intensity channels, of all fixtures or of some`() throws {
    let patch = try patch(
      """
      master desk/master
      blackout desk/dark lamp1
      universe 1 sacn
      lamp{1..2} par 1.1
      master desk/front lamp2
      """)
    let readings = patch.outputs.compactMap { if case .reading(let reading) = $0.level { reading } else { nil } }
    #expect(readings[0].dimmers == [reference("desk/master")] && readings[0].blackouts == [reference("desk/dark")])
    #expect(readings[1].dimmers.isEmpty && readings[1].blackouts.isEmpty, "its colour is no intensity")
    #expect(
      readings[5].dimmers == [reference("desk/master"), reference("desk/front")] && readings[5].blackouts.isEmpty)
  }

  // Clauses: S25.2, S25.4
  @Test(arguments: [
    ("universe 1 sacn\nlamp1 dimmer 1.1\nlamp2 rgb 1.513", "line 3: \"1.513\" is no place"),
    ("universe 1 sacn\nlamp1 rgb 1.1\nlamp2 dimmer 1.3", "line 3: lamp2 and lamp1 of line 2 overlap in 1.3"),
    ("universe 1 sacn\nlamp{1..2} rgb 1.508", "line 2: lamp2 needs channels 1.511 to 513, of 512"),
    ("profile p level*zoom*iris", "line 1: \"level*zoom*iris\" is not understood. Write * once"),
    ("profile p level@1@0", "line 1: \"level@1@0\" is not understood. Write @ once"),
    ("profile p -1", "line 1: -1 is no value of a channel. Use 0 to 255."),
    ("profile p 99999999999999999999", "line 1: 99999999999999999999 is no value of a channel. Use 0 to 255."),
    ("profile p -99999999999999999999", "line 1: -99999999999999999999 is no value of a channel. Use 0 to 255."),
    ("lamp1 dimmer 1.1", "line 1: there is no universe 1"),
    ("universe 1 sacn\nlamp1 dimer 1.1", "line 2: \"dimer\" is no profile. Did you mean \"dimmer\"?"),
    ("universe 1 sacn\nlamp1 dimmer 1.1 levl=0..2", "line 2: the profile has no property levl. Did you mean"),
    ("universe 1 sacn\nlamp* dimmer 1.1", "line 2: \"lamp*\" is no list of names"),
    ("universe 1 sacn\n@front dimmer 1.1", "line 2: \"@front\" is no list of names"),
    ("universe 1 sacn\nlamp1 dimmer", "line 2: a fixture needs a profile and a place"),
    ("universe 0 sacn", "line 1: \"0\" is no number of a universe"),
    ("universe 1 dmx", "line 1: \"dmx\" is no protocol"),
    ("universe 1 sacn\nuniverse 1 artnet", "line 2: universe 1 is there already"),
    ("universe 1 sacn\nuniverse 2 sacn as=1", "line 2: universe 2 is sent as 1, and so is universe 1"),
    ("universe 1 sacn via=10.0.0.1\nuniverse 2 sacn as=1", "line 2: universe 2 is sent as 1, and so is universe 1"),
    ("universe 1 sacn\nuniverse 2 sacn 10.0.0.7 as=1", "line 2: universe 2 is sent as 1, and so is universe 1"),
    ("universe 1 artnet a,b\nuniverse 2 artnet b,c as=1 via=10.0.0.1", "line 2: universe 2 is sent as 1, and so is"),
    ("universe 40000 artnet", "line 1: universe 40000 cannot be sent by artnet. Use as=0 to as=32767"),
    ("universe 1 sacn prio=3", "line 1: \"prio\" is nothing that a universe of sacn has. Known words: as,"),
    ("universe 1 artnet priority=3", "line 1: \"priority\" is nothing that a universe of artnet has"),
    ("universe 1 sacn priority=201", "line 1: \"201\" is no priority. Use 0 to 200"),
    ("profile x pan:12", "line 1: \"pan:12\" is not understood"),
    ("profile x pan=1..1", "line 1: \"pan=1..1\" is not understood. Give two different values"),
    ("profile x pan~wide", "line 1: \"pan~wide\" is not understood"),
    ("profile x pan:fine", "line 1: \"pan:fine\" has no coarse part"),
    ("profile x 256", "line 1: 256 is no value of a channel"),
    ("profile x level.q", "line 1: \"level.q\" is not understood. Use a lane"),
    ("profile x level! level\nprofile x level", "line 2: the profile x is there already"),
    ("universe 1 sacn\nprofile x color\nlamp x 1.1", "line 3: color has 4 lanes. Name one of them"),
    ("universe 1 sacn\nprofile x opacity.y\nlamp x 1.1", "line 3: opacity has no lane y"),
    (
      "universe 1 sacn\nlamp1 dimmer 1.1\nmaster desk/m lamp3",
      "line 3: there is no fixture lamp3. Did you mean \"lamp1\"?"
    ),
    ("master desk", "line 1: a master is a property of a target"),
    (
      "universe 1 sacn\nlamp1 dimmer 1.1\nmaster desk/m\nmaster desk/m lamp1",
      "line 4: desk/m acts on some of these by line 3 already"
    ),
    ("universe 1 sacn a,b,a", "line 1: host a is there already"),
    ("source \"a", "line 1: a quote is not closed"),
    ("source a cid=12", "line 1: \"cid=12\" is no cid"),
    ("", "line 1: there is no universe. Add a line"), ("# nothing", "line 1: there is no universe"),
    ("universe 1 sacn via=foo", "line 1: \"foo\" is no address"), ("universe 1 sacn a,,b", "line 1: \"\" is no host"),
    ("universe 1 sacn 300.1.1.1", "line 1: \"300.1.1.1\" is no host"),
    (
      "universe 1 sacn 10.0.0.1:99",
      "line 1: \"10.0.0.1:99\" is no host. Use a numeric address, or a host's name, without"
    ),
    ("profile x pan:16 pan:fine", "line 1: \"pan:16\" has its fine part already. Leave pan:fine out"),
    ("my.patch", "line 1: a fixture needs a profile and a place. Write: my.patch dimmer 1.1. A file is read"),
    ("universe 1 sacn\nlamp1 dimmer +1.+1", "line 2: \"+1.+1\" is no place"),
    ("profile x pan pan:fine pan:fine", "line 1: pan has two fine parts"),
    ("universe 1 sacn\nlamp1 dimmer 1.1 level@2", "line 2: level@2.0 is not from 0.0 to 1.0. Give a value between"),
    ("universe 1 sacn\nlamp1 switch 1.1\nmaster desk/a", "line 3: no fixture of desk/a has an intensity. Mark"),
    (
      "universe 1 sacn\nlamp1 dimmer 1.1\nlamp2 rgb 1.2\nprofile s zoom\nlamp3 s 1.9\nblackout desk/b lamp3",
      "line 6: no fixture of desk/b has an intensity"
    ),
    ("rate 0", "line 1: a rate is a number a second"),
  ])
  func `a mistake is refused with its line`(text: String, start: String) {
    #expect(error(text).hasPrefix(start), "\(error(text))")
  }

  // Clauses: S25.1
  @Test func `lines may end as elsewhere, and the text begin with a mark`() throws {
    let lines = ["universe 1 sacn", "lamp1 dimmer 1.1", ""]
    let expected = try patch(lines.joined(separator: "\n"))
    #expect(try patch("\u{FEFF}" + lines.joined(separator: "\r\n")) == expected)
    #expect(error("universe 1 sacn\r\n\r\nlamp1 dimmer 2.1\r\n").hasPrefix("line 3: there is no universe 2"))
  }

  // Clauses: S25.2
  @Test func `every shipped profile fits a universe`() throws {
    let names = [
      "dimmer", "dimmer16", "switch", "rgb", "rgb-dimmer", "rgbw", "rgbw-dimmer", "dimmer-rgb", "dimmer-rgbw",
      "tunable-white",
      "par", "strobe", "fog", "scanner", "moving-head", "moving-head16",
    ]
    let lines = names.enumerated().map { "lamp\($0) \($1) 1.\(1 + 20 * $0)" }
    #expect(try patch("universe 1 sacn\n" + lines.joined(separator: "\n")).outputs.count > 40)
  }

  // Clauses: S25.1, S25.4
  @Test func `as an intention it is checked when it is committed, and refers to its properties`() throws {
    let intention = try Intention.sendDMX("universe 1 sacn\nlamp{1..2} dimmer 1.1\nmaster desk/master")
    let description = SendDMXIntention.description
    #expect(description.references(of: intention).map(\.description) == ["lamp1/level", "desk/master", "lamp2/level"])
    #expect(try SendDMXIntention(intention).intention == intention)
    var wrong = intention
    wrong["patch"] = .text("universe 1 sacn\nlamp1 dimmer 2.1")
    let refusal = #expect(throws: Refusal.self) { try IntentionCatalog.builtIn().check(wrong) }
    #expect(refusal?.field == "patch" && refusal?.message == "line 2: there is no universe 2")
    #expect(
      error(String(repeating: "# a line of a comment\n", count: 4000)).contains("Use at most 65536"))
  }

  // Clauses: S25.4
  @Test func `random text is read or refused, and never traps`() {
    var random = SeededRandom(seed: SeededRandom.seed(of: "patches"))
    let words = [
      "universe", "1", "2", "sacn", "artnet", "lamp{1..3}", "lamp1", "dimmer", "rgbw", "1.1", "2.500", "profile", "x",
      "pan:16=-1..1", "pan:fine", "color.r*level!", "master", "desk/m", "blackout", "as=5", "priority=9", "via=1.2.3.4",
      "\"", "#", "\n", "\n", "\n", "..", "=", "é", "255", "-", "rate", "44", "source", "cid=", "{1..99999}",
      "a{1..2}{1..2}",
    ]
    var read = 0
    for _ in 0..<SeededRandom.rounds(20_000) {
      let count = Int.random(in: 1...14, using: &random)
      let text =
        (Bool.random(using: &random) ? "universe 1 sacn \n " : "")
        + (0..<count).map { _ in words.randomElement(using: &random) ?? "" }.joined(separator: " ")
      if (try? DMXPatch(text)) != nil { read += 1 }
    }
    #expect(read > 10)
  }
}
