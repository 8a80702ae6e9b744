import Glibc
import ZeroMQ

/// The key by which peers from other machines identify this motiond.
enum ServerKey {
  /// Reads the key pair. Without a configured path it is made at the first start, beside the epoch.
  ///
  /// - Throws: ``KeyFileError``.
  static func pair(at path: String?, stateDirectory: String) throws -> CurveKeyFile {
    if let path { return try CurveKeyFile(reading: path) }
    let own = defaultPath(in: stateDirectory)
    guard access(own, F_OK) != 0 else { return try CurveKeyFile(reading: own) }
    return try CurveKeyFile.make(at: own, publicPath: "\(stateDirectory)/motiond.pub", name: "motiond")
  }

  /// The path without a configured one.
  static func defaultPath(in stateDirectory: String) -> String { "\(stateDirectory)/motiond.key" }
}
