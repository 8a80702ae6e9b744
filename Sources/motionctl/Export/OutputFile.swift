import Glibc

/// A file that is written in pieces, or standard output if it is called `-`.
struct OutputFile {
  private let name: String
  private let descriptor: Int32

  /// Empties or makes the file, which only its owner may read.
  ///
  /// - Throws: also when it is the file `input`.
  init(_ name: String, from input: String) throws(Failure) {
    self.name = name
    guard name != "-" else {
      descriptor = STDOUT_FILENO
      return
    }
    var (source, target) = (stat(), stat())
    if stat(input, &source) == 0, stat(name, &target) == 0, source.st_dev == target.st_dev,
      source.st_ino == target.st_ino
    {
      throw Failure(.usage, "\(name) is the recording itself", remedy: "name another file")
    }
    descriptor = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw FileBytes.unwritable(name) }
  }

  /// Appends bytes.
  func write(_ bytes: [UInt8]) throws(Failure) {
    var rest = bytes[...]
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
    guard name == "-" || Glibc.close(descriptor) == 0 else { throw FileBytes.unwritable(name) }
  }
}
