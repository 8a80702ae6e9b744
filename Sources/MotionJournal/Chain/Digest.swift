import CSodium

/// A 32-byte digest: BLAKE2b-256, as `b2sum -l 256` computes it.
///
/// It detects accidents, not an attacker: a user who can write the journal can also write its digests. BLAKE2b,
/// because libsodium contains it, which libzmq loads into this process anyway, and because it takes two thirds of the
/// time of libsodium's SHA-256.
package struct Digest: Sendable, Hashable {
  private var words: (UInt64, UInt64, UInt64, UInt64)

  package static let byteCount = 32

  /// 32 zero bytes: stands for the link before the first one, and for a link that is missing.
  static let zero = Digest(words: (0, 0, 0, 0))

  private init(words: (UInt64, UInt64, UInt64, UInt64)) {
    self.words = words
  }

  /// The digest of `bytes`; about 300 ns for 100 bytes, 2 ms for a megabyte.
  package init(of bytes: [UInt8]) {
    self = bytes.withUnsafeBytes { Digest(of: $0) }
  }

  init(of bytes: UnsafeRawBufferPointer) {
    precondition(Self.library, "libsodium cannot be used")
    words = (0, 0, 0, 0)
    withUnsafeMutableBytes(of: &words) { result in
      guard let result = result.bindMemory(to: UInt8.self).baseAddress else { return }
      // This fails only for unsupported lengths, and 32 is a supported one.
      _ = crypto_generichash(
        result, Self.byteCount, bytes.bindMemory(to: UInt8.self).baseAddress, UInt64(bytes.count), nil, 0)
    }
  }

  /// A digest that was stored; `nil` unless it has 32 bytes.
  init?(stored bytes: some Collection<UInt8>) {
    guard bytes.count == Self.byteCount else { return nil }
    words = (0, 0, 0, 0)
    withUnsafeMutableBytes(of: &words) { $0.copyBytes(from: bytes) }
  }

  /// The bytes to store.
  package var bytes: [UInt8] { withUnsafeBytes(of: words, Array.init) }

  /// The first 8 bytes in hexadecimal, enough for a person to compare two digests.
  var text: String { bytes.prefix(8).hexText }

  package static func == (one: Digest, other: Digest) -> Bool { one.words == other.words }

  package func hash(into hasher: inout Hasher) { hasher.combine(words.0) }

  /// Selects the fastest implementation for this processor, once.
  private static let library = sodium_init() >= 0
}

extension Sequence<UInt8> {
  /// The bytes in hexadecimal, two digits each.
  package var hexText: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
