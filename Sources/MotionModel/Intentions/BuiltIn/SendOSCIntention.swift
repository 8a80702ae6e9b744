/// Sends the value of a property to a receiver of Open Sound Control until it is removed.
public struct SendOSCIntention: BuiltInIntention {
  /// The time tag of its bundles.
  public enum TimeTag: String, Hashable, Sendable, CaseIterable {
    /// The time of the frame, by the wall clock of the sending machine. For receivers with the same clock, which can
    /// then compensate for the transit times of packets.
    case frame
    /// No time: the value applies on arrival. For receivers with another clock.
    case immediate
  }

  /// The property that is sent.
  public var property: PropertyName
  /// The target that has it; `nil` for the target of the plan.
  public var target: TargetName?
  /// The OSC address of its messages; `nil` for that of the property.
  public var address: String?
  /// The destination host: a numeric address, or a name.
  public var host: String
  /// The destination UDP port.
  public var port: UInt16
  /// The most values a second.
  public var rate: Double
  /// Whether the velocity, per second, is sent as well, to the address with `/velocity` behind it.
  public var sendsVelocity: Bool
  /// The time tag of its bundles.
  public var timeTag: TimeTag
  /// How long nothing is sent before the last value is resent, so that the receiver knows that the sender lives; zero for
  /// never.
  public var keepAlive: Duration

  /// Creates messages of a property of any target; without an address, to `/target/property`.
  public init(
    _ property: PropertyReference, address: String? = nil, host: String = Self.defaultHost,
    port: UInt16 = Self.defaultPort, rate: Double = Self.defaultRate, sendsVelocity: Bool = false,
    timeTag: TimeTag = .frame, keepAlive: Duration = Self.defaultKeepAlive
  ) {
    self.init(
      property.property, of: property.target, address: address, host: host, port: port, rate: rate,
      sendsVelocity: sendsVelocity, timeTag: timeTag, keepAlive: keepAlive)
  }

  /// Creates messages of a property of `target`, or of the target of the plan; without an address, to
  /// `/target/property`.
  public init(
    _ property: PropertyName, of target: TargetName? = nil, address: String? = nil, host: String = Self.defaultHost,
    port: UInt16 = Self.defaultPort, rate: Double = Self.defaultRate, sendsVelocity: Bool = false,
    timeTag: TimeTag = .frame, keepAlive: Duration = Self.defaultKeepAlive
  ) {
    self.property = property
    self.target = target
    self.address = address
    self.host = host
    self.port = port
    self.rate = rate
    self.sendsVelocity = sendsVelocity
    self.timeTag = timeTag
    self.keepAlive = keepAlive
  }

  /// The host if none is given: the same machine, so that nothing leaves it by accident.
  public static let defaultHost = "127.0.0.1"
  /// The port if none is given: many receivers listen on it, and their documents use it in examples.
  public static let defaultPort: UInt16 = 9000
  /// The values a second if no rate is given: one for each frame of a common screen.
  public static let defaultRate = 60.0
  /// The longest silence if none is given: receivers commonly wait for some seconds.
  public static let defaultKeepAlive = Duration.seconds(1)
  /// The shortest silence, so that no plan floods a receiver with what it has.
  public static let shortestKeepAlive = Duration.milliseconds(100)

  /// Returns the property that is sent by a plan on a target.
  public func reference(on target: TargetName) -> PropertyReference {
    PropertyReference(self.target ?? target, property)
  }

  /// Returns the OSC address of the messages of a plan on a target: `/ball/position` if none is given.
  public func address(on target: TargetName) -> String { address ?? "/\(reference(on: target))" }

  /// The description of the type.
  public static let description = IntentionDescription(
    type: "SendOSC", kind: .output, executor: "OSC",
    fields: [
      FieldDescription(
        "property", .reference, .property, required: true, access: .reads,
        "The property that is sent: of any target, ball/position, or of the plan's own, position."),
      FieldDescription(
        "address", .text, "The OSC address of the messages; without it, the target and the property: /ball/position."),
      FieldDescription(
        "host", .text, default: .text(defaultHost),
        "The host that the messages go to: a numeric address, or a name."),
      FieldDescription(
        "port", .number, default: .number(Double(defaultPort)), range: 1...65_535,
        "The UDP port that the messages go to, a whole number."),
      FieldDescription(
        "rate", .number, default: .number(defaultRate), range: 1...1000, unit: "1/s",
        "The most values that are sent a second; the last value is always sent."),
      FieldDescription(
        "velocity", .flag, default: .flag(false),
        "Whether the velocity per second is sent with each value, to the address with /velocity appended."),
      FieldDescription(
        "timeTag", .choice, default: .choice(TimeTag.frame.rawValue), choices: TimeTag.allCases.map(\.rawValue),
        "The time tag of the bundles: the frame's time, or immediate, for receivers with another clock."),
      FieldDescription(
        "keepAlive", .duration, default: .duration(defaultKeepAlive), range: 0...3600, unit: "s",
        "How long nothing is sent before the last value is resent: from 0.1 s on, or 0 for never."),
    ],
    reachesOutside: true,
    documentation: """
      Sends the value of a property by Open Sound Control 1.0 over UDP: a number per lane, now and whenever it \
      changes. While the value does not change, the last one is sent again at least once a second, so that the \
      receiver tells an idle motiond from a dead one.
      """)

  /// Reads the fields of `intention`; see ``BuiltInIntention``.
  public init(_ intention: Intention) throws(Refusal) {
    let reader = try FieldReader(intention, of: Self.description)
    let address = reader.textIfGiven("address")
    if let address { try Self.check(address: address) }
    let host = try reader.text("host")
    try Self.check(host: host)
    let port = try reader.number("port")
    guard let port = UInt16(exactly: port) else {
      throw Refusal(.value, field: "port", "\(port) is no port", remedy: "Use a whole number from 1 to 65535.")
    }
    let keepAlive = try reader.duration("keepAlive")
    guard keepAlive == .zero || keepAlive >= Self.shortestKeepAlive else {
      throw Refusal(
        .value, field: "keepAlive", "the last value would be resent after less than 0.1 s",
        remedy: "Use 0.1 s or more, or 0 to resend nothing.")
    }
    let isOwn = if case .property? = reader.value("property") { true } else { false }
    self.init(
      isOwn ? try reader.property("property") : try reader.reference("property").property,
      of: isOwn ? nil : try reader.reference("property").target, address: address, host: host, port: port,
      rate: try reader.number("rate"),
      sendsVelocity: try reader.flag("velocity"), timeTag: TimeTag(rawValue: try reader.choice("timeTag")) ?? .frame,
      keepAlive: keepAlive)
  }

  /// The plan in the runtime's generic form.
  public var intention: Intention {
    let source = target.map { FieldValue.reference(PropertyReference($0, property)) } ?? .property(property)
    var intention = Intention(Self.description.type, [.init("property", source)])
    if let address { intention["address"] = .text(address) }
    if host != Self.defaultHost { intention["host"] = .text(host) }
    if port != Self.defaultPort { intention["port"] = .number(Double(port)) }
    if rate != Self.defaultRate { intention["rate"] = .number(rate) }
    if sendsVelocity { intention["velocity"] = .flag(true) }
    if timeTag != .frame { intention["timeTag"] = .choice(timeTag.rawValue) }
    if keepAlive != Self.defaultKeepAlive { intention["keepAlive"] = .duration(keepAlive) }
    return intention
  }
}

extension SendOSCIntention {
  /// The longest OSC address, in bytes: longer than any target's name with any property's name. With it, the messages
  /// that one plan sends at a time always fit a packet.
  public static let addressBytes = 255
  /// The longest name of a host, in bytes (RFC 1035, section 2.3.4).
  public static let hostBytes = 255

  /// Rejects text that is no address of OSC 1.0: names behind slashes, of printable ASCII without the characters of
  /// patterns.
  ///
  /// Two slashes in a row are a pattern in OSC 1.1, and not defined in 1.0.
  private static func check(address: String) throws(Refusal) {
    let parts = address.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let isLegal =
      parts.count > 1 && parts[0].isEmpty
      && parts.dropFirst().allSatisfy { part in
        !part.isEmpty && part.allSatisfy { (0x21...0x7E).contains($0) && !"#*,?[]{}".utf8.contains($0) }
      }
    guard isLegal, address.utf8.count <= addressBytes else {
      throw Refusal(
        .value, field: "address", "\"\(address.prefix(64))\" is no OSC address",
        remedy: "Use names behind slashes, in printable ASCII without space and without #*,?[]{}, "
          + "at most \(addressBytes) bytes: /ball/position.")
    }
  }

  private static func check(host: String) throws(Refusal) {
    guard (1...hostBytes).contains(host.utf8.count), host.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw Refusal(
        .value, field: "host", "\"\(host.prefix(64))\" is no host",
        remedy: "Use a numeric address such as 192.168.1.20, or the name of a host.")
    }
  }
}

extension Intention {
  /// Sends the value of a property by Open Sound Control. See ``SendOSCIntention``.
  public static func sendOSC(
    _ property: PropertyReference, address: String? = nil, host: String = SendOSCIntention.defaultHost,
    port: UInt16 = SendOSCIntention.defaultPort, rate: Double = SendOSCIntention.defaultRate,
    sendsVelocity: Bool = false, timeTag: SendOSCIntention.TimeTag = .frame,
    keepAlive: Duration = SendOSCIntention.defaultKeepAlive
  ) -> Intention {
    SendOSCIntention(
      property, address: address, host: host, port: port, rate: rate, sendsVelocity: sendsVelocity, timeTag: timeTag,
      keepAlive: keepAlive
    ).intention
  }
}
