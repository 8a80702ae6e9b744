import Glibc

/// The storage of the head: the file, or a test's replacement that shows which bytes would survive a power loss.
package protocol HeadStorage: AnyObject {
  /// The contents of the file; `nil` if it does not exist.
  func read() throws(JournalError) -> [UInt8]?
  /// Creates an empty file if none exists, and returns when its name is on disk.
  func create() throws(JournalError)
  /// Writes at an offset, and returns when the bytes are on disk.
  func write(_ bytes: [UInt8], at offset: Int) throws(JournalError)
  /// Closes the file.
  func close()
}

/// The head, in the file `journal.head`.
final class HeadFile {
  private let storage: any HeadStorage
  private var generation: UInt64

  /// The contents of the file when it was opened; `nil` if it did not exist.
  let found: Found?

  /// The contents of an existing file.
  enum Found: Equatable {
    case head(JournalHead)
    /// Neither slot is as it was written.
    case damaged
  }

  init(_ storage: any HeadStorage) throws(JournalError) {
    self.storage = storage
    let bytes = try storage.read() ?? []
    let slot = HeadSlot.newest(in: bytes)
    generation = slot?.generation ?? 0
    // A file of zeros is the result of a power loss between creating the file and the end of the first write.
    found = bytes.allSatisfy { $0 == 0 } ? nil : slot.map { .head($0.head) } ?? .damaged
  }

  /// Creates the file, with the head of a new journal and room for both slots.
  func create(_ head: JournalHead) throws(JournalError) {
    try storage.create()
    generation = 1
    let slot = HeadSlot(generation: generation, head: head)
    var bytes = [UInt8](repeating: 0, count: HeadSlot.fileBytes)
    bytes.replaceSubrange(slot.offset..<slot.offset + HeadSlot.byteCount, with: slot.encoded)
    try storage.write(bytes, at: 0)
  }

  /// Writes a head over the older of the two slots, and returns when it is on disk.
  func write(_ head: JournalHead) throws(JournalError) {
    generation += 1
    let slot = HeadSlot(generation: generation, head: head)
    try storage.write(slot.encoded, at: slot.offset)
  }

  /// Closes the file.
  func close() { storage.close() }
}
