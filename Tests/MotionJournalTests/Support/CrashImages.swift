import MotionTestKit
import PowerLossVFS

/// What happened to the files of a journal, step by step, as the layer below SQLite wrote it down.
struct FileStep {
  var kind: motion_file_step_kind
  var path: String
  var offset: Int
  var bytes: [UInt8]

  /// All steps of the recording.
  static func recorded() -> [FileStep] {
    (0..<motion_recording_count()).map { index in
      let step = motion_recording_step(index)
      return FileStep(
        kind: step.kind, path: String(cString: step.path), offset: Int(step.offset),
        bytes: step.bytes.map { Array(UnsafeBufferPointer(start: $0, count: step.count)) } ?? [])
    }
  }
}

/// What may be on a disk after the power went: all that was synced, and any part of what was not.
struct CrashImages {
  /// A file, as far as it is certain, and what was done to it since.
  private struct File {
    var durable: [UInt8] = []
    var pending: [FileStep] = []
    /// Whether the name is certain to be there.
    var isNamed = false
    /// Whether the file was removed, which is not certain yet.
    var isRemoved = false
  }

  private var files: [String: File] = [:]
  /// The number of the last mark.
  private(set) var mark = 0

  /// Up to so many steps that are not synced every subset is tried; of more, as many at random.
  static let exhaustive = 4

  mutating func apply(_ step: FileStep) {
    switch step.kind {
    case MOTION_MARK: mark = step.offset
    case MOTION_FILE_CREATE: files[step.path] = File()
    case MOTION_FILE_WRITE, MOTION_FILE_TRUNCATE: files[step.path, default: File()].pending.append(step)
    case MOTION_FILE_SYNC:
      guard var file = files[step.path] else { return }
      for step in file.pending { Self.apply(step, to: &file.durable) }
      file.pending = []
      files[step.path] = file
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
  func images(random: inout SeededRandom) -> [[String: [UInt8]]] {
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
          for part in isTorn ? Self.torn(step, &random) : [step] { Self.apply(part, to: &bytes) }
        }
        number += 1
      }
      if isPresent { image[path] = bytes }
    }
    return image
  }

  private static func apply(_ step: FileStep, to bytes: inout [UInt8]) {
    guard step.kind == MOTION_FILE_WRITE else {
      if step.offset < bytes.count { bytes.removeLast(bytes.count - step.offset) }
      bytes += [UInt8](repeating: 0, count: max(0, step.offset - bytes.count))
      return
    }
    let end = step.offset + step.bytes.count
    if bytes.count < end { bytes += [UInt8](repeating: 0, count: end - bytes.count) }
    bytes.replaceSubrange(step.offset..<end, with: step.bytes)
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
}
