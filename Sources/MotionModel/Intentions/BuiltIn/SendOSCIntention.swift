/// Sends where a property is to a program that listens to Open Sound Control, until it is removed.
public struct SendOSCIntention: BuiltInIntention {
  /// The property that is sent, of any target.
  public var property: PropertyReference
  /// The OSC address of its messages.
  public var address: String
  /// The host that they go to: a numeric address, or a name.
  public var host: String
  /// The UDP port that they go to.
  public var port: UInt16
  /// At most so many messages a second.
  public var rate: Double

  /// Messages of `property`; without an address, to `/target/property`.
  public init(
    _ property: PropertyReference, address: String? = nil, host: String = Self.defaultHost,
    port: UInt16 = Self.defaultPort, rate: Double = Self.defaultRate
  ) {
    self.property = property
    self.address = address ?? Self.defaultAddress(of: property)
    self.host = host
    self.port = port
    self.rate = rate
  }

  /// The host if none is given: the same machine, so that nothing leaves it by accident.
  public static let defaultHost = "127.0.0.1"
  /// The port if none is given: where many receivers listen, and what their documents use in examples.
  public static let defaultPort: UInt16 = 9000
  /// The messages a second if no rate is given: one for each picture of a usual screen.
  public static let defaultRate = 60.0

  /// The OSC address of a property if none is given: `/ball/position`.
  public static func defaultAddress(of property: PropertyReference) -> String { "/\(property)" }

  /// What the type is.
  public static let description = IntentionDescription(
    type: "SendOSC", kind: .standing, executor: "OSC",
    fields: [
      FieldDescription("property", .reference, required: true, "The property that is sent, of any target."),
      FieldDescription(
        "address", .text, "The OSC address of the messages; without it, the target and the property: /ball/position."),
      FieldDescription(
        "host", .text, default: .text(defaultHost),
        "The host that the messages go to: a numeric address, or a name that is looked up once."),
      FieldDescription(
        "port", .number, default: .number(Double(defaultPort)), range: 1...65_535,
        "The UDP port that the messages go to, a whole number."),
      FieldDescription(
        "rate", .number, default: .number(defaultRate), range: 1...1000, unit: "1/s",
        "At most so many messages a second; the last value is always sent."),
    ],
    documentation: """
      Sends where a property is by Open Sound Control 1.0 over UDP: a number per lane, now and whenever it changes. \
      While nothing changes nothing is sent.
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
    self.init(
      try reader.reference("property"), address: address, host: host, port: port, rate: try reader.number("rate"))
  }

  /// The plan in the one shape that the runtime knows.
  public var intention: Intention {
    var intention = Intention(Self.description.type, [.init("property", .reference(property))])
    if address != Self.defaultAddress(of: property) { intention["address"] = .text(address) }
    if host != Self.defaultHost { intention["host"] = .text(host) }
    if port != Self.defaultPort { intention["port"] = .number(Double(port)) }
    if rate != Self.defaultRate { intention["rate"] = .number(rate) }
    return intention
  }
}

extension SendOSCIntention {
  /// The longest OSC address, in bytes: longer than the name of any target with that of any property, and one message
  /// with it always fits a packet.
  public static let addressBytes = 255
  /// The longest name of a host, in bytes (RFC 1035, section 2.3.4).
  public static let hostBytes = 255

  /// Refuses what is no address of OSC 1.0: printable ASCII that begins with "/", without what patterns are made of.
  private static func check(address: String) throws(Refusal) {
    let isLegal = address.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"#*,?[]{}".utf8.contains($0) }
    guard isLegal, address.utf8.first == UInt8(ascii: "/"), address.utf8.count <= addressBytes else {
      throw Refusal(
        .value, field: "address", "\"\(address.prefix(64))\" is no OSC address",
        remedy: "Use printable ASCII that begins with / and has no space and none of #*,?[]{}, "
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
  /// Sends where a property is by Open Sound Control. See ``SendOSCIntention``.
  public static func sendOSC(
    _ property: PropertyReference, address: String? = nil, host: String = SendOSCIntention.defaultHost,
    port: UInt16 = SendOSCIntention.defaultPort, rate: Double = SendOSCIntention.defaultRate
  ) -> Intention {
    SendOSCIntention(property, address: address, host: host, port: port, rate: rate).intention
  }
}
