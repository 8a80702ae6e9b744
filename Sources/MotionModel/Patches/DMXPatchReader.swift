/// Reads the lines of a patch.
struct DMXPatchReader {
  private struct Master {
    var property: PropertyReference
    /// The fixtures on which it acts; `nil` for all.
    var fixtures: Set<TargetName>?
    var isBlackout: Bool
    var line: Int
  }

  private struct Fixture {
    var target: TargetName
    var profile: DMXProfile
    var universe: Int
    var channel: Int
    var line: Int
  }

  private var universes: [DMXPatch.Universe] = []
  /// The line by which each channel is taken, for each universe.
  private var taken: [[Int: (line: Int, target: TargetName)]] = []
  private var profiles: [String: DMXProfile] = [:]
  private var masters: [Master] = []
  private var fixtures: [Fixture] = []
  private var source: (name: String, identity: [UInt8]?)?
  private var rate: Double?
  private var line = 0
  /// Whether patterns and groups are allowed, whose targets are not known yet; otherwise they are refused.
  private let allowsOpen: Bool
  /// Whether there were any.
  private var isOpen = false

  init(allowingOpen: Bool = false) { allowsOpen = allowingOpen }

  /// Reads a line.
  mutating func read(_ text: Substring, number: Int) throws(DMXPatchError) {
    line = number
    guard let words = DMXPatch.words(of: text) else {
      throw error("a quote is not closed", "Add a quote at the end.")
    }
    guard let first = words.first else { return }
    let rest = words.dropFirst()
    switch first {
    case "universe": try readUniverse(Array(rest))
    case "profile": try readProfile(Array(rest))
    case "master": try readMaster(Array(rest), isBlackout: false)
    case "blackout": try readMaster(Array(rest), isBlackout: true)
    case "source": try readSource(Array(rest))
    case "rate": try readRate(Array(rest))
    default: try readFixtures(first, Array(rest))
    }
  }

  private func error(_ problem: String, _ remedy: String) -> DMXPatchError {
    DMXPatchError(line: line, problem, remedy: remedy)
  }

  // MARK: Universes

  private mutating func readUniverse(_ words: [Substring]) throws(DMXPatchError) {
    let form = "Write a number and sacn or artnet: universe 1 sacn."
    guard words.count >= 2 else { throw error("a universe needs a number and a protocol", form) }
    guard let number = words[0].wholeNumber, (1...63_999).contains(number) else {
      throw error("\"\(words[0].prefix(64))\" is no number of a universe", "Use 1 to 63999.")
    }
    guard !universes.contains(where: { $0.number == number }) else {
      throw error("universe \(number) is there already", "Give it another number, and as=\(number) for the network.")
    }
    guard universes.count < DMXPatch.mostUniverses else {
      throw error("there are more than \(DMXPatch.mostUniverses) universes", "Use several patches.")
    }
    guard let carrier = DMXPatch.Carrier(rawValue: String(words[1])) else {
      throw error("\"\(words[1].prefix(64))\" is no protocol", form)
    }
    var universe = DMXPatch.Universe(number: number, carrier: carrier, address: number)
    for word in words.dropFirst(2) { try read(word, of: &universe) }
    let addresses = carrier == .sacn ? 1...63_999 : 0...32_767
    guard addresses.contains(universe.address) else {
      throw error(
        "universe \(universe.address) cannot be sent by \(carrier.rawValue)",
        "Use as=\(addresses.lowerBound) to as=\(addresses.upperBound).")
    }
    if let twin = universes.first(where: { $0.overlaps(universe) }) {
      throw error(
        "universe \(number) is sent as \(universe.address), and so is universe \(twin.number)",
        "Give them different numbers with as=, or other hosts.")
    }
    universes.append(universe)
    taken.append([:])
  }

  private func read(_ word: Substring, of universe: inout DMXPatch.Universe) throws(DMXPatchError) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else {
      for host in word.split(separator: ",", omittingEmptySubsequences: false) {
        let isNumeric = host.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
        guard (1...255).contains(host.utf8.count), host.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
          !isNumeric || host.isAddress, host.count(where: { $0 == ":" }) != 1
        else {
          throw error("\"\(host.prefix(64))\" is no host", "Use a numeric address, or a host's name, without a port.")
        }
        guard !universe.hosts.contains(String(host)) else {
          throw error("host \(host) is there already", "Name each host once.")
        }
        universe.hosts.append(String(host))
      }
      guard universe.hosts.count <= 16 else { throw error("more than 16 hosts", "Use multicast, or fewer hosts.") }
      return
    }
    let (key, value) = (String(parts[0]), String(parts[1]))
    switch key {
    case "as":
      guard let address = value.wholeNumber else { throw error("\"\(value.prefix(64))\" is no number", "Use as=1.") }
      universe.address = address
    case "priority" where universe.carrier == .sacn:
      guard let priority = value.wholeNumber, (0...200).contains(priority) else {
        throw error("\"\(value.prefix(64))\" is no priority", "Use 0 to 200.")
      }
      universe.priority = priority
    case "via":
      guard value.isAddress else {
        throw error(
          "\"\(value.prefix(64))\" is no address", "Use the address of this machine in that network: via=192.168.1.5.")
      }
      universe.via = value
    default:
      throw error(
        "\"\(key.prefix(64))\" is nothing that a universe of \(universe.carrier.rawValue) has",
        NearestName.remedy(
          for: key, among: universe.carrier == .sacn ? ["as", "priority", "via"] : ["as", "via"], plural: "words"))
    }
  }

  private mutating func readSource(_ words: [Substring]) throws(DMXPatchError) {
    guard source == nil else { throw error("there are two sources", "Leave one of them out.") }
    guard (1...2).contains(words.count), (1...63).contains(words[0].utf8.count) else {
      throw error(
        "a source has a name of at most 63 bytes, and perhaps a cid",
        "Write: source \"Main rack\", or with a UUID: cid=6b1f0b2c-….")
    }
    var identity: [UInt8]?
    if words.count == 2 {
      let digits = words[1].dropFirst(4).filter { $0 != "-" }
      let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap { place in
        UInt8(digits.dropFirst(place).prefix(2), radix: 16)
      }
      guard words[1].hasPrefix("cid="), digits.count == 32, bytes.count == 16 else {
        throw error("\"\(words[1].prefix(64))\" is no cid", "Write a UUID: cid=6b1f0b2c-….")
      }
      identity = bytes
    }
    source = (String(words[0]), identity)
  }

  private mutating func readRate(_ words: [Substring]) throws(DMXPatchError) {
    guard rate == nil else { throw error("there are two rates", "Leave one of them out.") }
    guard words.count == 1, let number = Double(words[0]), (1...1000).contains(number) else {
      throw error("a rate is a number a second", "Write 1 to 1000: rate 40.")
    }
    rate = number
  }

  private mutating func readProfile(_ words: [Substring]) throws(DMXPatchError) {
    guard words.count >= 2 else {
      throw error("a profile has a name and channels", "Write: profile spot level! pan:16=-270..270.")
    }
    let name = String(words[0])
    guard profiles.updateValue(try DMXProfile(words.dropFirst(), line: line), forKey: name) == nil else {
      throw error("the profile \(name) is there already", "Give it another name.")
    }
  }

  // MARK: Fixtures

  private mutating func readMaster(_ words: [Substring], isBlackout: Bool) throws(DMXPatchError) {
    let parts = words.first?.split(separator: "/", omittingEmptySubsequences: false) ?? []
    guard parts.count == 2, let target = try? TargetName(String(parts[0])),
      let property = try? PropertyName(String(parts[1]))
    else { throw error("a master is a property of a target", "Write: master desk/master.") }
    var fixtures: Set<TargetName>?
    if words.count > 1 { fixtures = Set(try names(words.dropFirst().joined(separator: ","))) }
    let master = PropertyReference(target, property)
    let twin = masters.first { other in
      guard other.property == master else { return false }
      guard let fixtures, let others = other.fixtures else { return true }
      return !fixtures.isDisjoint(with: others)
    }
    if let twin {
      throw error("\(master) acts on some of these by line \(twin.line) already", "Name each fixture once.")
    }
    masters.append(
      Master(property: master, fixtures: fixtures, isBlackout: isBlackout, line: line))
  }

  /// The targets for which a selector stands; none for one with patterns or groups.
  private mutating func names(_ text: String) throws(DMXPatchError) -> [TargetName] {
    let selector: TargetSelector
    do {
      selector = try TargetSelector(text)
    } catch {
      throw self.error("\(error)", "Write names: lamp1, lamp{1..12}.")
    }
    if allowsOpen, !selector.isFixed {
      isOpen = true
      return []
    }
    guard selector.isFixed else {
      throw error("\"\(text.prefix(64))\" is no list of names", "Write names: lamp1, lamp{1..12}.")
    }
    guard selector.mostTargets(existing: 0) <= DMXPatch.mostFixtures, let names = selector.namesAsWritten else {
      throw error("\"\(text.prefix(64))\" stands for more fixtures than a patch has channels", "Name fewer of them.")
    }
    return names
  }

  /// The remedy for a profile that there is not: another one, or a line of another kind.
  private func remedy(forProfile name: String, ofLine first: String) -> String {
    let known = Set(profiles.keys).union(DMXProfile.shipped.keys).sorted()
    if NearestName.suggestion(for: name, among: known) == nil,
      let verb = NearestName.suggestion(for: first, among: Self.verbs)
    {
      return "Did you mean \"\(verb)\"?"
    }
    return NearestName.remedy(for: name, among: known, plural: "profiles")
  }

  /// The words with which lines begin that are no fixtures.
  static let verbs = ["universe", "profile", "master", "blackout", "source", "rate"]

  private mutating func readFixtures(_ first: Substring, _ words: [Substring]) throws(DMXPatchError) {
    let targets = try names(String(first))
    guard words.count >= 2 else {
      let mayBeFile = first.first == "@" || words.isEmpty && (first.contains(".") || first.contains("/"))
      throw error(
        "a fixture needs a profile and a place",
        "Write: \(first.prefix(64)) dimmer 1.1."
          + (mayBeFile ? " A file is read on the command line alone: patch=@FILE." : ""))
    }
    let name = String(words[0])
    guard var profile = profiles[name] ?? DMXProfile.shipped[name] else {
      throw error(
        "\"\(name.prefix(64))\" is no profile",
        remedy(forProfile: name, ofLine: String(first)))
    }
    for word in words.dropFirst(2) { try change(&profile, by: word) }
    var (universe, channel) = try place(words[1])
    for target in targets {
      guard channel + profile.size <= 512 else {
        throw error(
          "\(target) needs channels \(universes[universe].number).\(channel + 1) to \(channel + profile.size), of 512",
          "Begin another line for it, in another universe.")
      }
      for slot in channel..<channel + profile.size {
        if let other = taken[universe][slot] {
          throw error(
            "\(target) and \(other.target) of line \(other.line) overlap in \(universes[universe].number).\(slot + 1)",
            "Give one of them another place.")
        }
        taken[universe][slot] = (line, target)
      }
      fixtures.append(Fixture(target: target, profile: profile, universe: universe, channel: channel, line: line))
      channel += profile.size
    }
  }

  /// A universe, by its place in the list, and a channel from 0: `1.101`.
  private func place(_ word: Substring) throws(DMXPatchError) -> (universe: Int, channel: Int) {
    let parts = word.split(separator: ".", omittingEmptySubsequences: false).map(\.wholeNumber)
    guard parts.count == 2, let number = parts[0], let channel = parts[1], (1...512).contains(channel) else {
      throw error("\"\(word.prefix(64))\" is no place", "Write a universe and a channel from 1 to 512: 1.101.")
    }
    guard let universe = universes.firstIndex(where: { $0.number == number }) else {
      throw error("there is no universe \(number)", "Add a line before: universe \(number) sacn.")
    }
    return (universe, channel - 1)
  }

  /// Changes the range or the fallback of a property of a profile: `pan=-180..180`, `shutter@1`.
  private func change(_ profile: inout DMXProfile, by word: Substring) throws(DMXPatchError) {
    guard case .property(let change) = try DMXProfile([word], line: line).items[0], !change.isWide else {
      throw error("\"\(word.prefix(64))\" changes no property of the profile", "Write: pan=-180..180.")
    }
    guard profile.properties.contains(change.name) else {
      let names = Set(profile.properties.map(\.text)).sorted()
      throw error(
        "the profile has no property \(change.name)",
        NearestName.remedy(for: change.name.text, among: names, plural: "properties"))
    }
    for index in profile.items.indices {
      guard case .property(var property) = profile.items[index], property.name == change.name,
        change.lane == nil || change.lane == property.lane
      else { continue }
      if word.contains("=") { (property.low, property.high) = (change.low, change.high) }
      if word.contains("~") { property.curve = change.curve }
      property.fallback = change.fallback ?? property.fallback
      profile.items[index] = .property(property)
    }
  }

  // MARK: All together

  /// The patch, once all lines are read.
  func patch() throws(DMXPatchError) -> DMXPatch {
    guard !universes.isEmpty else {
      throw DMXPatchError(
        line: 1, "there is no universe", remedy: "Add a line: universe 1 sacn. To send nothing, remove the plan.")
    }
    let targets = Set(fixtures.map(\.target))
    let dimmed = Set(fixtures.lazy.filter { $0.profile.hasIntensity }.map(\.target))
    for master in masters where !isOpen {
      if let stranger = master.fixtures?.subtracting(targets).min() {
        throw DMXPatchError(
          line: master.line, "there is no fixture \(stranger)",
          remedy: NearestName.remedy(for: stranger.text, among: targets.map(\.text).sorted(), plural: "fixtures"))
      }
      if (master.fixtures ?? targets).isDisjoint(with: dimmed), !targets.isEmpty {
        throw DMXPatchError(
          line: master.line, "no fixture of \(master.property) has an intensity",
          remedy: "Mark the intensity in their profile: level!. Or leave this line out.")
      }
    }
    var outputs: [DMXPatch.Output] = []
    for fixture in fixtures { try add(fixture, to: &outputs) }
    return DMXPatch(
      universes: universes, outputs: outputs, source: source?.name, identity: source?.identity,
      rate: rate ?? DMXPatch.defaultRate)
  }

  private func add(_ fixture: Fixture, to outputs: inout [DMXPatch.Output]) throws(DMXPatchError) {
    var channel = fixture.channel
    var coarse: [String: Int] = [:]
    for item in fixture.profile.items {
      switch item {
      case .constant(let level):
        outputs.append(.init(universe: fixture.universe, channel: channel, level: .constant(level)))
      case .property(let property):
        let reading = try reading(property, of: fixture)
        coarse[property.name.text + "." + (property.lane ?? "")] = outputs.count
        outputs.append(
          .init(
            universe: fixture.universe, channel: channel, fine: property.isWide ? channel + 1 : nil,
            level: .reading(reading)))
        if property.isWide { channel += 1 }
      case .fine: break
      }
      channel += 1
    }
    // The coarse part may come behind the fine one.
    channel = fixture.channel
    for item in fixture.profile.items {
      if case .fine(let name, let lane) = item, let index = coarse[name.text + "." + (lane ?? "")] {
        outputs[index].fine = channel
      }
      if case .property(let property) = item, property.isWide { channel += 1 }
      channel += 1
    }
  }

  private func reading(_ property: DMXProfile.Property, of fixture: Fixture) throws(DMXPatchError) -> DMXPatch.Reading {
    let known = KnownProperty.named(property.name)
    var part = DMXPatch.Reading.Part.lane(0)
    if let lane = property.lane {
      if lane == "white" {
        part = .white
      } else if let number = DMXWordReader.lanes[lane] {
        guard number < known.lanes.upperBound else {
          throw DMXPatchError(
            line: fixture.line, "\(property.name) has no lane \(lane)", remedy: "It has \(known.lanes.upperBound).")
        }
        let isColour = number < 3 && "rgb".contains(lane)
        part =
          isColour
          ? .colour(number, withoutWhite: fixture.profile.showsWhite(of: property.name)) : .lane(number)
      }
    } else if known.lanes.lowerBound > 1 {
      throw DMXPatchError(
        line: fixture.line, "\(property.name) has \(known.lanes.lowerBound) lanes",
        remedy: "Name one of them: \(property.name).x, or .r of a color.")
    }
    let range = min(property.low, property.high)...max(property.low, property.high)
    if let fallback = property.fallback, !range.contains(fallback) {
      throw DMXPatchError(
        line: fixture.line, "\(property.name)@\(fallback) is not from \(property.low) to \(property.high)",
        remedy: "Give a value between these, or another range.")
    }
    var reading = DMXPatch.Reading(
      property: PropertyReference(fixture.target, property.name), part: part, low: property.low, high: property.high,
      curve: property.curve, fallback: property.fallback)
    if let dimmer = property.dimmer { reading.dimmers.append(PropertyReference(fixture.target, dimmer)) }
    guard property.isIntensity else { return reading }
    for master in masters where master.fixtures?.contains(fixture.target) ?? true {
      if master.isBlackout {
        reading.blackouts.append(master.property)
      } else {
        reading.dimmers.append(master.property)
      }
    }
    return reading
  }
}
