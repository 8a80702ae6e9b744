package import MotionTestKit
import PowerLossVFS

/// The possible content of a disk after a loss of power: all synced data, and any part of the unsynced data.
package struct CrashImages {
  /// A file's certain content, and the steps since then.
  private struct File {
    var durable: [UInt8] = []
    var pending: [FileStep] = []
    /// Whether a sync failed, so that a process that opens the file may see other content than the one that wrote it.
    var hasFailed = false
    /// Whether the name is certain to exist.
    var isNamed = false
    /// Whether the file was removed, which is not certain yet.
    var isRemoved = false

    /// Whether it exists after a loss of power.
    func isThere(_ random: inout SeededRandom) -> Bool {
      (isNamed || Bool.random(using: &random)) && !(isRemoved && Bool.random(using: &random))
    }

    /// Unsynced data is kept as a whole, in part, torn, or not at all; the result is certain from now on.
    mutating func settle(_ random: inout SeededRandom) {
      let share = [0, 0.5, 0.9, 1][Int.random(in: 0..<4, using: &random)]
      let isTorn = random.chance(0.3)
      for step in pending where random.chance(share) {
        for part in isTorn ? step.torn(&random) : [step] { part.apply(to: &durable) }
      }
      pending = []
    }
  }

  private var files: [String: File] = [:]
  /// The number of the last mark.
  package private(set) var mark = 0

  /// Up to so many unsynced steps, every subset is tried; of more, as many at random.
  static let exhaustive = 4

  package init() {}

  package mutating func apply(_ step: FileStep, _ random: inout SeededRandom) {
    switch step.kind {
    case MOTION_MARK: mark = step.offset
    case MOTION_FILE_CREATE: files[step.path] = File()
    case MOTION_FILE_WRITE, MOTION_FILE_TRUNCATE: files[step.path, default: File()].pending.append(step)
    case MOTION_FILE_SYNC:
      guard var file = files[step.path] else { return }
      for step in file.pending { step.apply(to: &file.durable) }
      file.pending = []
      files[step.path] = file
    case MOTION_FILE_SYNC_FAILED:
      files[step.path]?.settle(&random)
      files[step.path]?.hasFailed = true
    case MOTION_FILE_DELETE: files[step.path]?.isRemoved = true
    case MOTION_NAMES_SYNC:
      for (path, file) in files {
        if file.isRemoved { files[path] = nil } else { files[path]?.isNamed = true }
      }
    default: break
    }
  }

  private var pending: Int { files.values.reduce(0) { $0 + $1.pending.count } }

  /// Images of this moment: with no unsynced data, with all of it, and with parts of it.
  package func images(random: inout SeededRandom) -> [[String: [UInt8]]] {
    let count = pending
    var images: [[String: [UInt8]]] = []
    if count <= Self.exhaustive {
      for subset in 0..<(1 << count) { images.append(image(random: &random) { (subset >> $0) & 1 == 1 }) }
    } else {
      images.append(image(random: &random) { _ in false })
      images.append(image(random: &random) { _ in true })
      for _ in 0..<4 {
        let chosen = (0..<count).map { _ in Bool.random(using: &random) }
        images.append(image(random: &random) { chosen[$0] })
      }
      // All but one: a checksum over many has to detect this.
      let missing = Int.random(in: 0..<count, using: &random)
      images.append(image(random: &random) { $0 != missing })
    }
    if count > 0 { images.append(image(random: &random, isTorn: true) { _ in true }) }
    return images
  }

  /// One image: the unsynced steps are numbered file by file. Torn writes arrive in part, in sectors.
  private func image(
    random: inout SeededRandom, isTorn: Bool = false, _ isThere: (Int) -> Bool
  ) -> [String: [UInt8]] {
    var image: [String: [UInt8]] = [:]
    var number = 0
    for (path, file) in files.sorted(by: { $0.key < $1.key }) {
      let isPresent = file.isThere(&random)
      var bytes = file.durable
      for step in file.pending {
        if isThere(number) {
          for part in isTorn ? step.torn(&random) : [step] { part.apply(to: &bytes) }
        }
        number += 1
      }
      if isPresent { image[path] = bytes }
    }
    return image
  }

  // MARK: Results

  /// The files of which a part could not be synced, as a process that opens them sees them.
  mutating func afterFailures() -> [(path: String, bytes: [UInt8]?)] {
    let failed = files.filter(\.value.hasFailed).sorted { $0.key < $1.key }
    return failed.map { path, file in
      files[path]?.hasFailed = false
      var visible = file.durable
      for step in file.pending { step.apply(to: &visible) }
      return (path, file.isRemoved ? nil : visible)
    }
  }

  /// Reduces the files to the content on disk, which is certain from now on.
  ///
  /// - Returns: all files; one without bytes does not exist.
  mutating func afterLossOfPower(_ random: inout SeededRandom) -> [(path: String, bytes: [UInt8]?)] {
    files.sorted { $0.key < $1.key }.map { path, file in
      var file = file
      let isThere = file.isThere(&random)
      file.settle(&random)
      files[path] = isThere ? File(durable: file.durable, isNamed: true) : nil
      return (path, files[path]?.durable)
    }
  }
}
