import Glibc
import LinuxSystem
import ZeroMQ

/// The key by which peers from other machines identify this motiond.
enum ServerKey {
  /// Reads the key pair. Without a configured path it is made at the first start, beside the epoch.
  ///
  /// - Throws: ``KeyFileError``.
  static func pair(at path: String?, stateDirectory: String) throws -> CurveKeyFile {
    if let path { return try CurveKeyFile(reading: path) }
    let (own, publicPath) = (defaultPath(in: stateDirectory), "\(stateDirectory)/motiond.pub")
    guard access(own, F_OK) == 0 else {
      return try CurveKeyFile.make(at: own, publicPath: publicPath, name: "motiond")
    }
    do {
      return try CurveKeyFile(reading: own)
    } catch let error as KeyFileError {
      guard error.isContent else { throw error }
      let (pair, key) = (ShellWord.quoting(own), ShellWord.quoting(publicPath))
      throw KeyFileError(
        own, error.problem,
        remedy: "Put the original back. If it is lost, move the file away: mv \(pair) \(pair).damaged; rm -f \(key). "
          + "The next start makes a new pair, whose motiond.pub every client and worker on another machine then needs")
    }
  }

  /// The path without a configured one.
  static func defaultPath(in stateDirectory: String) -> String { "\(stateDirectory)/motiond.key" }
}
