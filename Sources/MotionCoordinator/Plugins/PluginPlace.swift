import CLinux
import Glibc
import LinuxSystem
import ZeroMQ

/// A plugin's folder, held open and checked: only trusted users can change it.
///
/// A user who can change a plugin's files runs programs as motiond's user. So the folder, all folders on the path to a
/// file in it, and the file must belong to root or to motiond's user. No other user may be able to write them, and none
/// may be a symbolic link: no path leads out of the folder. A checked file is used through its descriptor. To be
/// executed, it is compared again at the last moment (`motion_launch`); only the two trusted users could change it in
/// between.
final class PluginPlace {
  let path: String
  /// The descriptor of the folder.
  let descriptor: Int32

  /// Opens and checks a plugin's folder.
  init(_ path: String) throws(PluginFault) {
    descriptor = motion_open_place(AT_FDCWD, path, 0)
    self.path = path
    guard descriptor >= 0 else { throw PluginFault(path, errno) }
    try Self.check(descriptor, path, isFolder: true)
  }

  deinit { close(descriptor) }

  /// Checks a folder in which plugins are found, and that no other user could replace it. Symbolic links on the path to
  /// it are followed, each in a directory that only trusted users may change.
  static func checkSearched(_ path: String) throws(PluginFault) {
    let descriptor = motion_open_place(AT_FDCWD, path, 1)
    guard descriptor >= 0 else { throw PluginFault(path, errno) }
    defer { close(descriptor) }
    try check(descriptor, path, isFolder: true)
    if let way = PermissionProblem(onTheWayTo: path) { throw PluginFault(path, way.problem, remedy: way.remedy) }
  }

  /// The contents of a file of the folder, at most `limit` bytes.
  func bytes(of name: String, limit: Int) throws -> [UInt8] {
    let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else {
      if errno == ELOOP { throw PluginFault.link("\(path)/\(name)") }
      throw PluginFault("\(path)/\(name)", errno)
    }
    defer { close(file) }
    try Self.check(file, "\(path)/\(name)", isFolder: false)
    return try FileBytes.read(file, named: "\(path)/\(name)", limit: limit)
  }

  /// Checks a program of the folder and returns its identity.
  ///
  /// - Parameter relative: its path from the folder on, as in its manifest.
  func program(_ relative: String) throws(PluginFault) -> FileIdentity {
    var parts = relative.split(separator: "/").filter { $0 != "." }.map(String.init)
    guard !relative.hasPrefix("/"), !parts.contains(".."), let last = parts.popLast() else {
      throw PluginFault(
        "\(path)/\(relative)", "it lies outside the plugin's folder", remedy: "Name a program within the folder")
    }
    var folder = descriptor
    var way = path
    defer { if folder != descriptor { close(folder) } }
    for part in parts {
      way += "/\(part)"
      let next = try Self.step(from: folder, to: part, way, isFolder: true)
      if folder != descriptor { close(folder) }
      folder = next
    }
    way += "/\(last)"
    let file = try Self.step(from: folder, to: last, way, isFolder: false)
    defer { close(file) }
    guard faccessat(folder, last, X_OK, AT_EACCESS) == 0 else {
      throw PluginFault(
        way, "it cannot be executed: \(String(cString: strerror(errno)))",
        remedy: "Make it executable: chmod 755 \(way)")
    }
    try Self.checkInterpreter(of: last, in: folder, way)
    return FileIdentity(try Self.status(file, way))
  }

  /// Checks that only trusted users can change the program that runs a script.
  private static func checkInterpreter(of name: String, in folder: Int32, _ path: String) throws(PluginFault) {
    let script = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    // A script that cannot be read cannot be run.
    guard script >= 0 else { return }
    // As much as Linux reads.
    var bytes = [UInt8](repeating: 0, count: 256)
    defer { close(script) }
    let count = pread(script, &bytes, bytes.count, 0)
    guard count > 2, bytes.starts(with: Array("#!".utf8)) else { return }
    let line = bytes[2..<count].prefix { $0 != UInt8(ascii: "\n") && $0 != 0 }.drop { $0 == UInt8(ascii: " ") }
    let interpreter = String(
      decoding: line.prefix { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }, as: UTF8.self)
    guard interpreter.hasPrefix("/") else {
      throw PluginFault(
        path, "its interpreter \"\(interpreter)\" is no absolute path",
        remedy: "Begin it with one, such as #!/usr/bin/python3")
    }
    if let problem = PermissionProblem(ofCode: interpreter) {
      throw PluginFault(path, "its interpreter \(interpreter): \(problem.problem)", remedy: problem.remedy)
    }
  }

  /// Checks folders outside of the plugin's from which its program takes code.
  static func checkLibraries(_ paths: [String], of plugin: String) throws(PluginFault) {
    for path in paths {
      guard access(path, F_OK) == 0 else {
        throw PluginFault(
          plugin, "its library \(path): \(String(cString: strerror(errno)))",
          remedy: "Leave it out of \"libraries\" in plugin.json, or put it there")
      }
      if let problem = PermissionProblem(ofCode: path) {
        throw PluginFault(plugin, "its library \(path): \(problem.problem)", remedy: problem.remedy)
      }
    }
  }

  /// Opens and checks the entry of a folder with this name.
  private static func step(
    from folder: Int32, to name: String, _ way: String, isFolder: Bool
  ) throws(PluginFault) -> Int32 {
    let next = motion_open_place(folder, name, 0)
    guard next >= 0 else { throw PluginFault(way, errno) }
    do throws(PluginFault) {
      try check(next, way, isFolder: isFolder)
    } catch {
      close(next)
      throw error
    }
    return next
  }

  private static func status(_ descriptor: Int32, _ path: String) throws(PluginFault) -> stat {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw PluginFault(path, errno) }
    return status
  }

  private static func check(_ descriptor: Int32, _ path: String, isFolder: Bool) throws(PluginFault) {
    let status = try status(descriptor, path)
    let kind = status.st_mode & S_IFMT
    if kind == S_IFLNK { throw .link(path) }
    guard kind == (isFolder ? S_IFDIR : S_IFREG) else {
      throw PluginFault(path, isFolder ? "it is not a folder" : "it is not a file", remedy: "Put one in its place")
    }
    if let permissionProblem = PermissionProblem(status, of: path) {
      throw PluginFault(path, permissionProblem.problem, remedy: permissionProblem.remedy)
    }
  }
}

/// The problem of a plugin's file, and the remedy.
struct PluginFault: Error, CustomStringConvertible, Equatable {
  let path: String
  let problem: String
  let remedy: String

  /// The file, the problem and the remedy, in sentences.
  var description: String { "\(path): \(problem). \(remedy)" }

  init(_ path: String, _ problem: String, remedy: String) {
    self.path = path
    self.problem = problem
    self.remedy = remedy
  }

  fileprivate init(_ path: String, _ code: Int32) {
    self.init(path, "it cannot be opened: \(String(cString: strerror(code)))", remedy: "Correct its path or its mode")
  }

  fileprivate static func link(_ path: String) -> PluginFault {
    PluginFault(
      path, "it is a link, which may lead out of the plugin's folder",
      remedy: "Put the file or folder itself in its place, or name the folder it lies in with --plugin-path")
  }
}
