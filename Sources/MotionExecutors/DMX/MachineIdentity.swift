import Glibc
import MotionModel

/// What identifies this machine.
enum MachineIdentity {
  /// An identity in the form of a UUID, which is the same over restarts of the machine (machine-id(5)).
  ///
  /// - Parameter instance: what tells several of the machine apart.
  static func identity(of instance: String) -> [UInt8] {
    let machine = read("/etc/machine-id") ?? read("/var/lib/dbus/machine-id") ?? hostName
    var bytes: [UInt8] = []
    for seed in [UInt64(1), 2] {
      var hasher = StableHasher(seed: seed)
      for text in ["motiond DMX", machine, instance] { hasher.combine(text) }
      bytes.append(number: Int(bitPattern: UInt(hasher.finish())), bytes: 8)
    }
    // A UUID of version 8, whose bits have a meaning of their own (RFC 9562, section 5.8).
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    return bytes
  }

  /// The name of this machine.
  static var hostName: String {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return "Linux" }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static func read(_ path: String) -> String? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = fread(&bytes, 1, bytes.count, file)
    let text = String(decoding: bytes.prefix(count).filter { $0 > 32 }, as: UTF8.self)
    return text.isEmpty ? nil : text
  }
}
