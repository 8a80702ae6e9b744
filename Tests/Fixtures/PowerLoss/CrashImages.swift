package import MotionTestKit
import PowerLossVFS

/// What may be on a disk after the power went: all that was synced, and any part of what was not.
package struct CrashImages {
  /// A file, as far as it is certain, and what was done to it since.
  private struct File {
    var durable: [UInt8] = []
    /// What could not be synced, and is lost or not.
    var failed: [FileStep] = []
    var pending: [FileStep] = []
    /// Whether the name is certain to be there.
    var isNamed = false
    /// Whether the file was removed, which is not certain yet.
    var isRemoved = false
  }

  private var files: [String: File] = [:]
  /// The number of the last mark.
  package private(set) var mark = 0

  /// Up to so many steps that are not synced every subset is tried; of more, as many at random.
  static let exhaustive = 4

  package init() {}

  package mutating func apply(_ step: FileStep) {
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
      guard let file = files[step.path] else { return }
      files[step.path]?.failed += file.pending
      files[step.path]?.pending = []
    case MOTION_FILE_DELETE: files[step.path]?.isRemoved = true
    case MOTION_NAMES_SYNC:
      for (path, file) in files {
        if file.isRemoved { files[path] = nil } else { files[path]?.isNamed = true }
      }
    default: break
    }
  }

  private var pending: Int { files.values.reduce(0) { $0 + $1.pending.count } }

  /// Images of this moment: with nothing of what is not synced, with everything, and with parts of it.
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
      // All but one: what a checksum over many has to notice.
      let missing = Int.random(in: 0..<count, using: &random)
      images.append(image(random: &random) { $0 != missing })
    }
    if count > 0 { images.append(image(random: &random, isTorn: true) { _ in true }) }
    return images
  }

  /// One image: the steps that are not synced are numbered file by file. Torn writes arrive in part, in sectors.
  private func image(
    random: inout SeededRandom, isTorn: Bool = false, _ isThere: (Int) -> Bool
  ) -> [String: [UInt8]] {
    var image: [String: [UInt8]] = [:]
    var number = 0
    for (path, file) in files.sorted(by: { $0.key < $1.key }) {
      let isPresent =
        (file.isNamed || Bool.random(using: &random)) && !(file.isRemoved && Bool.random(using: &random))
      var bytes = file.durable
      for step in file.pending {
        if isThere(number) {
          for part in isTorn ? Self.torn(step, &random) : [step] { part.apply(to: &bytes) }
        }
        number += 1
      }
      if isPresent { image[path] = bytes }
    }
    return image
  }

  /// Some of the sectors that a write touches, of 512 bytes or of 4096.
  private static func torn(_ step: FileStep, _ random: inout SeededRandom) -> [FileStep] {
    guard step.kind == MOTION_FILE_WRITE else { return Bool.random(using: &random) ? [step] : [] }
    let sector = Bool.random(using: &random) ? 512 : 4096
    var parts: [FileStep] = []
    var start = step.offset
    let end = step.offset + step.bytes.count
    while start < end {
      let next = min(end, (start / sector + 1) * sector)
      if Bool.random(using: &random) {
        var part = step
        part.offset = start
        part.bytes = Array(step.bytes[(start - step.offset)..<(next - step.offset)])
        parts.append(part)
      }
      start = next
    }
    return parts
  }

  // MARK: What comes of it

  /// What could not be synced is on disk or not, which is certain from now on.
  ///
  /// - Returns: the files of which that is so, as whoever opens them sees them.
  mutating func afterFailures(_ random: inout SeededRandom) -> [(path: String, bytes: [UInt8]?)] {
    let doubtful = files.filter { !$0.value.failed.isEmpty }.keys.sorted()
    return doubtful.map { path in
      var file = files[path] ?? File()
      Self.settle(&file.failed, in: &file.durable, &random)
      files[path] = file
      var visible = file.durable
      for step in file.pending { step.apply(to: &visible) }
      return (path, file.isRemoved ? nil : visible)
    }
  }

  /// Nothing but what is on disk is left, which is certain from now on.
  ///
  /// - Returns: all files; one without bytes is not there.
  mutating func afterLossOfPower(_ random: inout SeededRandom) -> [(path: String, bytes: [UInt8]?)] {
    files.keys.sorted().map { path in
      var file = files[path] ?? File()
      let isThere = (file.isNamed || Bool.random(using: &random)) && !(file.isRemoved && Bool.random(using: &random))
      Self.settle(&file.failed, in: &file.durable, &random)
      Self.settle(&file.pending, in: &file.durable, &random)
      (file.isNamed, file.isRemoved) = (true, false)
      files[path] = isThere ? file : nil
      return (path, isThere ? file.durable : nil)
    }
  }

  /// Does some steps, or all of them, or none, or parts.
  private static func settle(_ steps: inout [FileStep], in bytes: inout [UInt8], _ random: inout SeededRandom) {
    let share = [0, 0.5, 0.9, 1][Int.random(in: 0..<4, using: &random)]
    let isTorn = random.chance(0.3)
    for step in steps where random.chance(share) {
      for part in isTorn ? torn(step, &random) : [step] { part.apply(to: &bytes) }
    }
    steps = []
  }
}
