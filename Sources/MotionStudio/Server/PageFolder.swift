import Glibc

/// The files of the page, in a folder that nobody but an administrator changes. It is not watched: each request reads
/// its file.
struct PageFolder {
  /// The longest file: a picture of some megabytes.
  private static let mostBytes = 8 << 20
  private static let types = [
    "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8",
    "json": "application/json", "svg": "image/svg+xml", "png": "image/png", "ico": "image/x-icon",
    "woff2": "font/woff2", "map": "application/json",
  ]

  /// A file with its type.
  struct File: Hashable {
    let bytes: [UInt8]
    let type: String
  }

  /// The path; `nil` if there is no folder.
  let path: String?

  /// A file by its path in the folder, of plain names; `nil` if there is none, or one of an unknown type.
  func file(_ name: String) -> File? {
    guard let ending = name.split(separator: ".").last, let type = Self.types[String(ending)] else { return nil }
    if let path, let bytes = Self.read("\(path)/\(name)") { return File(bytes: bytes, type: type) }
    return name == "index.html" ? File(bytes: Array(Self.builtIn.utf8), type: type) : nil
  }

  private static func read(_ path: String) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= mostBytes else {
      return nil
    }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var offset = 0
    while offset < bytes.count {
      let count = bytes.withUnsafeMutableBytes { buffer in
        let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[offset...])
        return Glibc.read(descriptor, rest.baseAddress, rest.count)
      }
      guard count > 0 else { return nil }
      offset += count
    }
    return bytes
  }

  /// Without a folder: how to connect a viewer.
  private static let builtIn = """
    <!doctype html>
    <html lang="en">
    <meta charset="utf-8">
    <title>motion-studio</title>
    <h1>motion-studio</h1>
    <p>Viewers connect to <code>/live</code> of this address by WebSocket, in the protocol of Foxglove, with a token:
    <code>motion-studio viewer add NAME</code> makes one.</p>
    </html>

    """
}
