/// A patch: which channels of which universes show which properties.
///
/// Its text has a line for each universe, profile, master and fixture:
///
///     universe 1 sacn
///     lamp{1..12} dimmer 1.1
///     head moving-head16 1.101 pan=-180..180
///     master desk/master
///
/// Words are separated by spaces, and `#` begins a comment. See docs/dmx.md.
public struct DMXPatch: Hashable, Sendable {
  /// How a universe is sent.
  public enum Carrier: String, Hashable, Sendable, CaseIterable {
    /// Streaming ACN, ANSI E1.31.
    case sacn
    /// Art-Net 4.
    case artnet
  }

  /// A universe: 512 channels, and where they are sent.
  public struct Universe: Hashable, Sendable {
    /// Its number in the patch.
    public var number: Int
    /// How it is sent.
    public var carrier: Carrier
    /// Its number on the network: from 1 with sACN, a Port-Address from 0 with Art-Net.
    public var address: Int
    /// The hosts to which it is sent; without one by multicast, or to the Art-Net nodes that answer a poll.
    public var hosts: [String] = []
    /// Its priority with sACN, up to 200: receivers take the highest.
    public var priority = Self.defaultPriority
    /// The address of the network interface that sends it; `nil` for the one that the system chooses.
    public var via: String?

    /// Whether a receiver may get both as one universe: they have one number on the network, and are sent to one host, or
    /// one of them to all. Multicasts by two stated interfaces stay apart.
    package func overlaps(_ other: Universe) -> Bool {
      guard carrier == other.carrier, address == other.address else { return false }
      if hosts.isEmpty, other.hosts.isEmpty { return via == nil || other.via == nil || via == other.via }
      return hosts.isEmpty || other.hosts.isEmpty || !Set(hosts).isDisjoint(with: other.hosts)
    }

    /// The priority of a source that states none (ANSI E1.31, section 6.2.3).
    public static let defaultPriority = 100
  }

  /// A value that one channel shows, or two that are its coarse and its fine part.
  public struct Output: Hashable, Sendable {
    /// The place of its universe in ``DMXPatch/universes``.
    public var universe: Int
    /// The channel, from 0; the coarse one of two.
    public var channel: Int
    /// The channel of the fine part, from 0; `nil` for a value of 8 bits.
    public var fine: Int?
    /// What it shows.
    public var level: Level
  }

  /// What a channel shows.
  public enum Level: Hashable, Sendable {
    /// Always the same.
    case constant(UInt8)
    /// The value of a property.
    case reading(Reading)
  }

  /// How a property becomes a level from 0 to 1.
  public struct Reading: Hashable, Sendable {
    /// The part of the property's value that counts.
    public enum Part: Hashable, Sendable {
      /// A lane.
      case lane(Int)
      /// A lane of a colour, times its alpha; less its white, if the fixture shows that by a channel of its own.
      case colour(Int, withoutWhite: Bool)
      /// The least of red, green and blue, times the alpha.
      case white
    }

    /// The property.
    public var property: PropertyReference
    /// The part of its value.
    public var part: Part
    /// The value at the level 0.
    public var low: Double
    /// The value at the level 1.
    public var high: Double
    /// The course of the level between.
    public var curve: DMXCurve
    /// The value where the property does not exist; `nil` for the initial one of its name.
    public var fallback: Double?
    /// Properties, from 0 to 1, by which the level is multiplied: a virtual dimmer, and masters. Without a value they are 1.
    public var dimmers: [PropertyReference] = []
    /// Properties that make it dark from 0.5 on.
    public var blackouts: [PropertyReference] = []
  }

  /// Its universes, in the order of their lines.
  public private(set) var universes: [Universe]
  /// Its outputs, in the order of their lines.
  public private(set) var outputs: [Output]
  /// The name under which it is sent; `nil` for that of the machine.
  public private(set) var source: String?
  /// The identity under which it is sent with sACN; `nil` for one that follows from the machine.
  public private(set) var identity: [UInt8]?
  /// The most times a second that it is sent.
  public private(set) var rate: Double

  /// The most times a second without another rate: what gateways to DMX can pass on with full universes.
  public static let defaultRate = 44.0
  /// The most universes of a patch.
  public static let mostUniverses = 128
  /// The most bytes of its text.
  public static let mostBytes = 65_536
  /// The most fixtures: one for each channel.
  static let mostFixtures = 512 * mostUniverses

  init(
    universes: [Universe], outputs: [Output], source: String? = nil, identity: [UInt8]? = nil,
    rate: Double = defaultRate
  ) {
    self.universes = universes
    self.outputs = outputs
    self.source = source
    self.identity = identity
    self.rate = rate
  }

  /// Reads a patch.
  ///
  /// - Throws: ``DMXPatchError`` with the line, the mistake and its remedy: a word that is not known, channels that
  ///   overlap or do not fit, a universe that is not there.
  public init(_ text: String) throws(DMXPatchError) { try self.init(text, DMXPatchReader()) }

  /// Rejects a patch that cannot be right, whatever its patterns and groups stand for when it is committed.
  static func check(_ text: String) throws(DMXPatchError) { _ = try Self(text, DMXPatchReader(allowingOpen: true)) }

  private init(_ text: String, _ reader: DMXPatchReader) throws(DMXPatchError) {
    guard text.utf8.count <= Self.mostBytes else {
      throw DMXPatchError(
        line: 1, "the patch has \(text.utf8.count) bytes", remedy: "Use at most \(Self.mostBytes), or several patches.")
    }
    var reader = reader
    for (index, line) in Self.lines(of: text).enumerated() {
      try reader.read(line, number: index + 1)
    }
    self = try reader.patch()
  }

  /// The lines of a text. Editors of other systems begin with a mark of the encoding, and end lines in their way.
  static func lines(of text: String) -> [Substring] {
    let content = text.first == "\u{FEFF}" ? text.dropFirst() : text[...]
    return content.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
  }

  /// The words of a line, without its comment; quotes hold a word together. `nil` if a quote is not closed.
  static func words(of line: Substring) -> [Substring]? {
    var words: [Substring] = []
    var rest = line
    while true {
      rest = rest.drop { $0 == " " || $0 == "\t" || $0 == "\r" }
      guard let first = rest.first, first != "#" else { return words }
      if first == "\"" {
        rest.removeFirst()
        guard let end = rest.firstIndex(of: "\"") else { return nil }
        words.append(rest[..<end])
        rest = rest[rest.index(after: end)...]
      } else {
        let word = rest.prefix { $0 != " " && $0 != "\t" && $0 != "\r" }
        words.append(word)
        rest = rest[word.endIndex...]
      }
    }
  }

  /// The properties that it shows, and those that dim them, each once, in the order of their first mention.
  public var references: [PropertyReference] {
    var (found, known): ([PropertyReference], Set<PropertyReference>) = ([], [])
    for case .reading(let reading) in outputs.lazy.map(\.level) {
      for reference in [reading.property] + reading.dimmers + reading.blackouts where known.insert(reference).inserted {
        found.append(reference)
      }
    }
    return found
  }
}

/// The course of a level between two channels' values.
public enum DMXCurve: String, Hashable, Sendable, CaseIterable {
  /// The level itself.
  case linear
  /// Its square: even to the eye where the lamp is even to the meter.
  case square
  /// Its root, which undoes ``square``.
  case root
  /// Slow at both ends.
  case soft
  /// Off, and on from a half.
  case step

  /// Returns the level that is sent for a level from 0 to 1.
  public func callAsFunction(_ level: Double) -> Double {
    switch self {
    case .linear: level
    case .square: level * level
    case .root: level.squareRoot()
    case .soft: level * level * (3 - 2 * level)
    case .step: level >= 0.5 ? 1 : 0
    }
  }
}

/// A mistake in the text of a ``DMXPatch``.
public struct DMXPatchError: Error, Hashable, CustomStringConvertible {
  /// The line, from 1.
  public var line: Int
  /// What is wrong.
  public var problem: String
  /// What to do.
  public var remedy: String

  init(line: Int, _ problem: String, remedy: String) {
    (self.line, self.problem, self.remedy) = (line, problem, remedy)
  }

  /// `line 3: "lamp1" and "lamp2" overlap. …`
  public var description: String { "line \(line): \(problem). \(remedy)" }
}
