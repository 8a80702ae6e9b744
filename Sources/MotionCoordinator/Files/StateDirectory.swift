/// The directory of a coordinator's persistent state, held by a lock until this object is released.
///
/// Two coordinators with one state directory would each take epochs out of one row: a client that met both could take
/// one for the successor of the other.
final class StateDirectory {
  /// The path of the directory.
  let path: String
  private let lock: FileLock

  /// Makes the directory and takes the lock.
  ///
  /// The lock has a name of its own, so that the runtime directory may be the same one.
  /// - Throws: ``StartError`` when another coordinator holds the lock, or the directory cannot be made or belongs to
  ///   another user.
  init(_ path: String) throws {
    try RuntimeDirectory.makePrivate(path)
    lock = try FileLock("\(path)/epoch.lock", option: "--state-dir", ifTaken: "keeps its state in this directory")
    self.path = path
  }

  /// Takes the next epoch: it is on disk when this returns.
  ///
  /// - Parameter others: numbers of starts that are stored elsewhere; the epoch is above these, too, so that it grows
  ///   also if the file was lost.
  /// - Throws: ``StartError`` when the file is damaged or cannot be written.
  func nextEpoch(above others: UInt64?...) throws -> UInt64 {
    let file = EpochFile(path: "\(path)/epoch")
    let epoch = max(try file.read() ?? 0, others.compactMap { $0 }.max() ?? 0) + 1
    try file.write(epoch)
    return epoch
  }

  /// Checks that the last epoch can be read.
  ///
  /// - Throws: ``StartError`` when the file is damaged.
  func checkEpoch() throws { _ = try EpochFile(path: "\(path)/epoch").read() }
}
