/// The bytes of ZMTP, version 3.1 (RFC 37) and before, correct or wrong as a test requires.
enum ZMTP {
  /// A greeting, correct by default.
  static func greeting(
    signature: [UInt8] = [0xFF, 0, 0, 0, 0, 0, 0, 0, 0, 0x7F], version: [UInt8] = [3, 1],
    mechanism: [UInt8] = Array("NULL".utf8), asServer: UInt8 = 0
  ) -> [UInt8] {
    let name = Array((mechanism + Array(repeating: 0, count: 20)).prefix(20))
    return signature + version + name + [asServer] + Array(repeating: 0, count: 31)
  }

  /// A greeting of ZMTP 2.0: signature, revision 1, socket type, an empty identity.
  static func greeting2(socketType: UInt8) -> [UInt8] {
    [0xFF, 0, 0, 0, 0, 0, 0, 0, 1, 0x7F, 1, socketType, 0, 0]
  }

  /// The first bytes of a ZMTP 1.0 peer: its identity as a message, here an empty one.
  static let greeting1: [UInt8] = [1, 0]

  /// A frame of a message.
  static func frame(_ body: [UInt8], more: Bool = false) -> [UInt8] { framed(body, flags: more ? 1 : 0) }

  /// The beginning of a frame that announces this length.
  static func beginning(ofFrame length: UInt64, flags: UInt8 = 0) -> [UInt8] { [flags | 2] + bigEndian(length) }

  /// A command.
  static func command(_ name: String, _ body: [UInt8] = []) -> [UInt8] {
    framed([UInt8(name.utf8.count)] + Array(name.utf8) + body, flags: 4)
  }

  /// The command that ends a handshake, correct by default.
  static func ready(_ socketType: String, _ properties: [(String, [UInt8])] = []) -> [UInt8] {
    command("READY", ([("Socket-Type", Array(socketType.utf8))] + properties).flatMap { property($0.0, $0.1) })
  }

  /// A property of a handshake.
  static func property(_ name: String, _ value: [UInt8]) -> [UInt8] {
    [UInt8(truncatingIfNeeded: name.utf8.count)] + Array(name.utf8) + bigEndian(UInt32(value.count)) + value
  }

  private static func framed(_ body: [UInt8], flags: UInt8) -> [UInt8] {
    body.count < 256
      ? [flags, UInt8(body.count)] + body : beginning(ofFrame: UInt64(body.count), flags: flags) + body
  }

  private static func bigEndian(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }
}

extension Stranger {
  /// Connects and performs the handshake of a peer of this type.
  convenience init(
    to path: String, as socketType: String, _ properties: [(String, [UInt8])] = []
  ) throws {
    try self.init(to: path)
    say(ZMTP.greeting() + ZMTP.ready(socketType, properties))
    // Its greeting, and the head of its READY: a peer that is not admitted receives neither completely.
    let head = hear(exactly: 64 + 2)
    if head.count == 66 { _ = hear(exactly: Int(head[65])) }
  }
}
