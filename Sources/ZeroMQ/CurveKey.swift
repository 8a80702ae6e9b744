import CZeroMQ

/// A public or a secret key of CURVE: 32 bytes, written as 40 characters of Z85.
///
/// `description` hides the key, since it may be a secret one; ``z85`` is the text.
public struct CurveKey: Hashable, Sendable, CustomStringConvertible {
  /// The 32 bytes.
  public let bytes: [UInt8]

  /// Decodes 40 characters of Z85; `nil` for any other text.
  public init?(z85 text: String) {
    // C would end the text at a zero byte, and the rest of the key would be zeros.
    guard text.utf8.count == 40, !text.utf8.contains(0) else { return nil }
    var bytes = [UInt8](repeating: 0, count: 32)
    guard zmq_z85_decode(&bytes, text) != nil else { return nil }
    self.bytes = bytes
  }

  /// The key with these 32 bytes; `nil` for any other number of them.
  package init?(bytes: [UInt8]) {
    guard bytes.count == 32 else { return nil }
    self.bytes = bytes
  }

  /// The key as 40 characters of Z85.
  public var z85: String {
    var text = [CChar](repeating: 0, count: 41)
    guard zmq_z85_encode(&text, bytes, bytes.count) != nil else { return "" }
    return String(decoding: text.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The public key that belongs to this secret one. The corresponding C function is `zmq_curve_public`.
  package var publicKey: CurveKey? {
    var text = [CChar](repeating: 0, count: 41)
    guard zmq_curve_public(&text, z85) == 0 else { return nil }
    return CurveKey(z85: String(decoding: text.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self))
  }

  /// A text without the key.
  public var description: String { "CurveKey(hidden)" }

  /// A new pair of keys.
  public static func generate() throws(ZeroMQError) -> (publicKey: CurveKey, secretKey: CurveKey) {
    var publicText = [CChar](repeating: 0, count: 41)
    var secretText = [CChar](repeating: 0, count: 41)
    guard zmq_curve_keypair(&publicText, &secretText) == 0 else { throw .last("zmq_curve_keypair") }
    let text = { (chars: [CChar]) in String(decoding: chars.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self) }
    guard let publicKey = CurveKey(z85: text(publicText)), let secretKey = CurveKey(z85: text(secretText)) else {
      throw .last("zmq_curve_keypair")
    }
    return (publicKey, secretKey)
  }
}
