import Glibc

/// Where the head lies: the file, or what a test puts in its place to see what would survive a loss of power.
package protocol HeadStorage: AnyObject {
  /// What is there; `nil` if there is no such file.
  func read() throws(JournalError) -> [UInt8]?
  /// Makes an empty file, if there is none, and waits until its name is on disk.
  func create() throws(JournalError)
  /// Writes at an offset, and waits until that is on disk.
  func write(_ bytes: [UInt8], at offset: Int) throws(JournalError)
  /// Lets go of the file.
  func close()
}

/// The head, in the file `journal.head`.
final class HeadFile {
  private let storage: any HeadStorage
  private var generation: UInt64

  /// What was read when it was opened; `nil` if there is no file.
  let found: Found?

  /// What an existing file says.
  enum Found: Equatable {
    case head(JournalHead)
    /// It is not as it was written, in both slots.
    case damaged
  }

  init(_ storage: any HeadStorage) throws(JournalError) {
    self.storage = storage
    let bytes = try storage.read() ?? []
    let slot = HeadSlot.newest(in: bytes)
    generation = slot?.generation ?? 0
    // Nothing but zeros is what a loss of power leaves between making the file and the end of writing to it.
    found = bytes.allSatisfy { $0 == 0 } ? nil : slot.map { .head($0.head) } ?? .damaged
  }

  /// Makes the file, with the head of a new journal and room for every later one.
  func create(_ head: JournalHead) throws(JournalError) {
    try storage.create()
    generation = 1
    let slot = HeadSlot(generation: generation, head: head)
    var bytes = [UInt8](repeating: 0, count: HeadSlot.fileBytes)
    bytes.replaceSubrange(slot.offset..<slot.offset + HeadSlot.byteCount, with: slot.encoded)
    try storage.write(bytes, at: 0)
  }

  /// Writes a head in the place of the one before the last, and waits until it is on disk.
  func write(_ head: JournalHead) throws(JournalError) {
    generation += 1
    let slot = HeadSlot(generation: generation, head: head)
    try storage.write(slot.encoded, at: slot.offset)
  }

  /// Lets go of the file.
  func close() { storage.close() }
}
