/// A kind of fixture: what each of its channels shows.
///
///     profile spot  level!  pan:16=-270..270  tilt:16=-135..135  255  color.r color.g color.b
///
/// A word stands for a channel, one with `:16` for two:
///
/// - `255`: always this value. `-`: always 0.
/// - `pan`: a property, from 0 to 1. `pan=-270..270` has its values at both ends; `270..-270` turns it round.
/// - `pan:16`: coarse and fine, one after the other. `pan:fine`: the fine part of a `pan` elsewhere.
/// - `position.x`, `color.r`: a lane. `color.white`: the white in a color, which `color.r`, `.g` and `.b` are then without.
/// - `level~square`: a curve. `shutter@1`: the value where the property does not exist.
/// - `color.r*level`: times another property, a virtual dimmer. `level!`: masters act on it.
struct DMXProfile: Hashable {
  /// What a channel of a fixture shows.
  enum Item: Hashable {
    case constant(UInt8)
    case property(Property)
    /// The fine part of a property of the profile.
    case fine(PropertyName, lane: String?)
  }

  /// A property of a fixture, and how it becomes a level.
  struct Property: Hashable {
    var name: PropertyName
    var lane: String?
    var isWide = false
    var low = 0.0
    var high = 1.0
    var curve = DMXCurve.linear
    var fallback: Double?
    var dimmer: PropertyName?
    var isIntensity = false
  }

  var items: [Item]

  /// How many channels a fixture has.
  var size: Int {
    items.reduce(0) { size, item in
      if case .property(let property) = item, property.isWide { size + 2 } else { size + 1 }
    }
  }

  /// The properties that its fixtures show.
  var properties: [PropertyName] {
    items.compactMap { if case .property(let property) = $0 { property.name } else { nil } }
  }

  /// Whether it has a property on which masters act.
  var hasIntensity: Bool {
    items.contains { if case .property(let property) = $0 { property.isIntensity } else { false } }
  }

  /// Whether it shows the white of a colour by a channel of its own.
  func showsWhite(of name: PropertyName) -> Bool {
    items.contains {
      if case .property(let property) = $0 { property.name == name && property.lane == "white" } else { false }
    }
  }

  /// Reads the words of a profile.
  init(_ words: some Sequence<Substring>, line: Int) throws(DMXPatchError) {
    items = []
    for word in words { items.append(try Self.item(word, line: line)) }
    var fine: Set<String> = []
    for case .fine(let name, let lane) in items {
      let part = "\(name).\(lane ?? "")"
      guard fine.insert(part).inserted else {
        throw DMXPatchError(line: line, "\(name) has two fine parts", remedy: "Leave one of them out.")
      }
      let isThere = items.contains { item in
        if case .property(let property) = item {
          property.name == name && property.lane == lane && !property.isWide
        } else {
          false
        }
      }
      let word = name.text + (lane.map { "." + $0 } ?? "")
      guard isThere else {
        let isWide = items.contains { item in
          if case .property(let property) = item { property.name == name && property.lane == lane } else { false }
        }
        guard !isWide else {
          throw DMXPatchError(
            line: line, "\"\(word):16\" has its fine part already",
            remedy: "Leave \(word):fine out, or write \(word) for the coarse part.")
        }
        throw DMXPatchError(
          line: line, "\"\(word):fine\" has no coarse part",
          remedy: "Add a channel \(word), or write \(word):16 for both.")
      }
    }
    guard (1...512).contains(size) else {
      throw DMXPatchError(line: line, "a profile has \(size) channels", remedy: "Give it 1 to 512.")
    }
  }

  private static func item(_ word: Substring, line: Int) throws(DMXPatchError) -> Item {
    if word == "-" { return .constant(0) }
    // A number of any length, so that no property is called so by mistake.
    if word.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }) {
      guard let level = UInt8(word) else {
        throw DMXPatchError(line: line, "\(word.prefix(64)) is no value of a channel", remedy: "Use 0 to 255.")
      }
      return .constant(level)
    }
    var reader = DMXWordReader(word, line: line)
    var property = Property(name: try reader.propertyName())
    if reader.skip(".") { property.lane = try reader.lane() }
    var marks: Set<Character> = []
    while let mark = reader.mark() {
      guard marks.insert(mark).inserted else { throw reader.error("Write \(mark) once for a channel.") }
      switch mark {
      case ":":
        switch reader.letters() {
        case "16": property.isWide = true
        case "8": break
        case "fine" where reader.isAtEnd: return .fine(property.name, lane: property.lane)
        default: throw reader.error("Write :16 for a coarse and a fine channel, or :fine for the fine one alone.")
        }
      case "=": (property.low, property.high) = try reader.range()
      case "~":
        let name = reader.letters()
        guard let curve = DMXCurve(rawValue: name) else {
          throw reader.error(NearestName.remedy(for: name, among: DMXCurve.allCases.map(\.rawValue), plural: "curves"))
        }
        property.curve = curve
      case "@": property.fallback = try reader.number()
      case "*": property.dimmer = try reader.propertyName()
      default: property.isIntensity = true
      }
    }
    guard reader.isAtEnd else {
      throw reader.error("Behind a property may be .lane, :16, =0..1, ~square, @1, *level and !.")
    }
    return .property(property)
  }
}

extension DMXProfile {
  /// The profiles that every patch knows.
  ///
  /// They are generic: a fixture whose channels are in another order has a `profile` line of its own.
  static let shipped: [String: DMXProfile] = {
    let texts: KeyValuePairs = [
      "dimmer": "level!",
      "dimmer16": "level:16!",
      "switch": "level~step",
      "rgb": "color.r! color.g! color.b!",
      "rgb-dimmer": "color.r*level! color.g*level! color.b*level!",
      "rgbw": "color.r! color.g! color.b! color.white!",
      "rgbw-dimmer": "color.r*level! color.g*level! color.b*level! color.white*level!",
      "dimmer-rgb": "level! color.r color.g color.b",
      "dimmer-rgbw": "level! color.r color.g color.b color.white",
      "tunable-white": "warm*level! cool*level!",
      "par": "level! color.r color.g color.b strobe",
      "strobe": "level! strobe",
      "fog": "level fan",
      "scanner": "pan=-90..90 tilt=-45..45 shutter@1 level!",
      "moving-head": "pan=-270..270 tilt=-135..135 shutter@1 level! color.r color.g color.b zoom",
      "moving-head16": "pan:16=-270..270 tilt:16=-135..135 shutter@1 level! color.r color.g color.b zoom",
    ]
    var profiles: [String: DMXProfile] = [:]
    for (name, text) in texts {
      do {
        profiles[name] = try DMXProfile(text.split(separator: " "), line: 0)
      } catch {
        preconditionFailure("the profile \(name) is well-formed: \(error)")
      }
    }
    return profiles
  }()
}
