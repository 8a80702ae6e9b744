import Glibc

/// A file that is written in pieces, or standard output if it is called `-`.
///
/// An existing file is replaced when there are first bytes: an input that cannot be read replaces nothing.
struct OutputFile {
  private let name: String
  private var descriptor: Int32?

  /// Prepares a file.
  init(_ name: String) { self.name = name }

  /// Prepares a file with a content that is made from the file `input`.
  ///
  /// - Throws: when it is that file.
  init(_ name: String, from input: String) throws(Failure) {
    self.name = name
    guard name != "-" else { return }
    var (source, target) = (stat(), stat())
    if stat(input, &source) == 0, stat(name, &target) == 0, source.st_dev == target.st_dev,
      source.st_ino == target.st_ino
    {
      throw Failure(.usage, "\(name) is the recording itself", remedy: "name another file")
    }
  }

  /// Appends bytes. Only the owner may read the file.
  mutating func write(_ bytes: [UInt8]) throws(Failure) {
    var rest = bytes[...]
    guard !rest.isEmpty else { return }
    let descriptor =
      self.descriptor ?? (name == "-" ? STDOUT_FILENO : open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600))
    guard descriptor >= 0 else { throw FileBytes.unwritable(name) }
    self.descriptor = descriptor
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if written > 0 {
        rest.removeFirst(written)
      } else if errno != EINTR {
        throw FileBytes.unwritable(name)
      }
    }
  }

  /// Closes the file.
  func close() throws(Failure) {
    guard let descriptor, name != "-" else { return }
    guard Glibc.close(descriptor) == 0 else { throw FileBytes.unwritable(name) }
  }
}
