import LinuxSystem

/// The directory of a coordinator's persistent state, held by a lock until this object is released.
///
/// Two coordinators with one state directory would each take epochs out of one row: a client that met both could take
/// one for the successor of the other.
final class StateDirectory: Sendable {
  /// The path of the directory.
  let path: String
  private let lock: FileLock

  /// Makes the directory and takes the lock.
  ///
  /// The lock has a name of its own, so that the runtime directory may be the same one.
  /// - Throws: ``StartError`` when another coordinator holds the lock, or the directory cannot be made or belongs to
  ///   another user.
  init(_ path: String) throws {
    try PrivateDirectory.makeAtStart(path)
    lock = try FileLock("\(path)/epoch.lock", option: "--state-dir", ifTaken: "keeps its state in this directory")
    self.path = path
  }

  /// Takes the next epoch: it is on disk when this returns.
  ///
  /// - Parameters:
  ///   - others: numbers of starts that other files hold; the epoch is above these, too, so that it grows also if the
  ///     file was lost.
  ///   - seconds: the seconds since 1970, if a damaged file is accepted. They are more than there can have been starts,
  ///     and take the place of the number that cannot be read.
  /// - Returns: the epoch, and the damage that was accepted.
  /// - Throws: ``StartError`` when the file is damaged or cannot be written.
  func nextEpoch(
    above others: UInt64?..., acceptingDamageAt seconds: UInt64? = nil
  ) throws -> (epoch: UInt64, damage: StartError?) {
    let file = EpochFile(path: "\(path)/epoch")
    var (last, damage): (UInt64, StartError?) = (0, nil)
    do {
      last = try file.read() ?? 0
    } catch let error as StartError {
      guard let seconds else { throw error }
      (last, damage) = (seconds, error)
    }
    let epoch = max(last, others.compactMap { $0 }.max() ?? 0) + 1
    try file.write(epoch)
    return (epoch, damage)
  }
}
