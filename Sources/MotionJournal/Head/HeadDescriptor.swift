import Glibc

/// The file of the head on a real disk.
final class HeadDescriptor: HeadStorage {
  private let path: String
  private let directory: String
  private var descriptor: Int32 = -1

  init(_ path: String, in directory: String) {
    self.path = path
    self.directory = directory
  }

  deinit { close() }

  func close() {
    if descriptor >= 0 { Glibc.close(descriptor) }
    descriptor = -1
  }

  func read() throws(JournalError) -> [UInt8]? {
    descriptor = open(path, O_RDWR | Folder.openFlags)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw .system("open", path)
    }
    // Drops the kernel's cached pages, so that the contents come from the disk and not from a write that failed.
    _ = posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
    var bytes = [UInt8](repeating: 0, count: HeadSlot.fileBytes)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    guard count >= 0 else { throw .system("read", path) }
    return Array(bytes.prefix(count))
  }

  func create() throws(JournalError) {
    if descriptor < 0 { descriptor = open(path, O_RDWR | O_CREAT | Folder.openFlags, 0o600) }
    guard descriptor >= 0 else { throw .system("make", path) }
    try Folder.sync(directory)
  }

  func write(_ bytes: [UInt8], at offset: Int) throws(JournalError) {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes {
        pwrite(descriptor, $0.baseAddress?.advanced(by: written), bytes.count - written, offset + written)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .system("write", path, as: .broken) }
      written += count
    }
    // Only once: after a failed sync, the next one would report success without having written anything.
    guard fdatasync(descriptor) == 0 else { throw .system("sync", path, as: .broken) }
  }
}
