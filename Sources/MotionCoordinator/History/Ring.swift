import CLinux
import Glibc
import LinuxSystem
import MotionModel
import MotionWire

/// The file to which the loop appends each frame before the frame has any effect outside.
///
/// It is in memory (the runtime directory), so that the loop waits for no disk, and mapped, so that a frame allocates no
/// memory of the kernel. What was written survives the end of the process, and not that of the machine.
struct Ring {
  /// How much is appended to a file at most, after the state that it begins with: memory of the machine.
  static let mostBytes = 64 << 20
  /// By how much a file grows that is full before the next is there: as little as delays no frame.
  private static let step = 256 << 10

  private let folder: RingFolder
  private let descriptor: Int32
  let number: UInt64
  /// The file, with zeros after the last record.
  private var place: UnsafeMutableRawBufferPointer
  /// Where the state in it ends, and the last record.
  private let state: Int
  private var end: Int
  /// Up to where the pages are mapped: many at once cost less than a fault for each.
  private var mapped = 0

  /// The room in a new file after a state of so many bytes: all of it is allocated, as a mapped file whose device is full
  /// ends the process.
  static func room(after state: Int) -> Int { min(mostBytes / 4, max(4 << 20, 8 * state)) }

  /// Continues a file, with a mark.
  ///
  /// - Parameter parts: the size of the state, and where to continue. Without them nothing follows the state yet.
  /// - Throws: ``SystemError``.
  init(
    _ number: UInt64, in folder: RingFolder, after parts: (state: Int, length: Int)? = nil, _ mark: RingFile.Mark
  ) throws(SystemError) {
    (self.folder, self.number) = (folder, number)
    let path = folder.path(of: number)
    descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw SystemError(code: errno, operation: "open \(path)") }
    do {
      // What follows the last whole record is no zeros if a record was cut off.
      if let parts {
        _ = ftruncate(descriptor, parts.length)
        try Self.allocate(Self.room(after: parts.state), of: descriptor, after: parts.length)
      }
      place = try Self.map(descriptor)
    } catch {
      close(descriptor)
      throw error
    }
    end = parts?.length ?? RingFile.end(of: UnsafeRawBufferPointer(place))
    state = parts?.state ?? end
    if let problem = append(RingFile.bytes(of: mark)) {
      letGo()
      throw SystemError(code: problem, operation: "write \(path)")
    }
  }

  /// Whether the next file should follow.
  var isLarge: Bool { end - state >= Self.room(after: state) / 4 * 3 }

  /// Appends a record.
  ///
  /// - Returns: the number of the error, if it cannot be written. The ring is of no use then.
  mutating func append(_ record: [UInt8]) -> Int32? {
    guard end - state + record.count <= Self.mostBytes else { return EFBIG }
    if end + record.count > place.count, let problem = grow(by: max(Self.step, record.count)) { return problem }
    // What is written beyond the end of a file that another process has cut off ends this one.
    guard (try? Self.size(of: descriptor)) == place.count else { return ESTALE }
    if end + record.count > mapped { mapPages(to: end + record.count + Self.step) }
    record.withUnsafeBytes { bytes in
      guard let bytes = bytes.baseAddress, let place = place.baseAddress else { return }
      motion_append_record(place + end, bytes, record.count)
    }
    end += record.count
    return nil
  }

  /// Maps the pages before they are written. Linux before 5.14 maps each when it is.
  private mutating func mapPages(to limit: Int) {
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    let first = max(mapped, end) / page * page
    mapped = min(limit, place.count)
    guard let start = place.baseAddress, mapped > first else { return }
    _ = madvise(start + first, mapped - first, MADV_POPULATE_WRITE)
  }

  private mutating func grow(by count: Int) -> Int32? {
    do {
      try Self.allocate(count, of: descriptor, after: place.count)
      let former = place
      place = try Self.map(descriptor)
      mapped = 0
      munmap(former.baseAddress, former.count)
      return nil
    } catch {
      return error.code
    }
  }

  /// Gives a file zeros at its end.
  private static func allocate(_ count: Int, of descriptor: Int32, after length: Int) throws(SystemError) {
    let status = posix_fallocate(descriptor, length, count)
    guard status == 0 else { throw SystemError(code: status, operation: "allocate \(count) bytes") }
  }

  private static func map(_ descriptor: Int32) throws(SystemError) -> UnsafeMutableRawBufferPointer {
    let count = try size(of: descriptor)
    guard let place = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0), place != MAP_FAILED else {
      throw SystemError(code: errno, operation: "mmap")
    }
    return UnsafeMutableRawBufferPointer(start: place, count: count)
  }

  private static func size(of descriptor: Int32) throws(SystemError) -> Int {
    var facts = stat()
    guard fstat(descriptor, &facts) == 0 else { throw SystemError(code: errno, operation: "fstat") }
    return Int(facts.st_size)
  }

  private func letGo() {
    munmap(place.baseAddress, place.count)
    close(descriptor)
  }

  /// Nothing is appended any more; the files before this one are removed, as the next does not need them.
  ///
  /// - Parameter isKept: whether the next file needs this one.
  func end(isKept: Bool) {
    letGo()
    folder.remove(folder.numbers.filter { isKept ? $0 < number : $0 <= number })
  }
}
