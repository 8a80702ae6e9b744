import Glibc

/// motiond's own part of the tree of control groups, below which workers have their shares of the processors.
///
/// Only a service manager can delegate one (systemd: `Delegate=cpu`): a group that holds no other process and in which
/// motiond may write. A group that holds groups holds no processes itself, so motiond moves into a group of its own
/// below. The rules are those of the kernel's `cgroup-v2.rst`.
struct ControlGroup: Hashable, Sendable {
  /// The mount point of the unified tree of all controllers. Machines with a tree for each controller have no weights
  /// here.
  static let tree = "/sys/fs/cgroup"
  /// More bytes than the paths of all trees take, and than the list of processes of any group that motiond could take.
  private static let longest = 65_536

  /// The folder of the group that was delegated to motiond.
  let path: String

  /// Takes the group of this process, if no other process is in it.
  ///
  /// Called before any worker is started: a process started later begins in the group that motiond has moved to.
  /// - Parameters:
  ///   - tree: the mount point of the tree.
  ///   - membership: the file that names the group of this process.
  ///   - controller: the controller of the shares.
  /// - Throws: ``ControlGroupError`` when there is no group to take; nothing is changed then.
  static func take(
    tree: String = tree, membership: String = "/proc/self/cgroup", controller: String = "cpu"
  ) throws(ControlGroupError) -> ControlGroup {
    let lines = try text(of: membership).split(separator: "\n")
    guard access("\(tree)/cgroup.controllers", R_OK) == 0, let line = lines.first(where: { $0.hasPrefix("0::/") })
    else {
      throw ControlGroupError("the machine has no unified control group hierarchy (cgroup v2)")
    }
    let path = tree + (line == "0::/" ? "" : line.dropFirst(3))
    guard try words(of: "\(path)/cgroup.procs") == ["\(getpid())"] else {
      throw ControlGroupError("\(path) contains processes other than motiond")
    }
    guard try words(of: "\(path)/cgroup.controllers").contains(controller) else {
      throw ControlGroupError("\(path) has no controller \(controller)")
    }
    let own = "\(path)/motiond"
    guard mkdir(own, 0o755) == 0 || errno == EEXIST else { throw ControlGroupError(own, errno) }
    try write("\(getpid())", to: "\(own)/cgroup.procs")
    do throws(ControlGroupError) {
      try write("+\(controller)", to: "\(path)/cgroup.subtree_control")
    } catch {
      try? write("\(getpid())", to: "\(path)/cgroup.procs")
      rmdir(own)
      throw error
    }
    return ControlGroup(path: path)
  }

  /// A share of the processors for one life of a worker.
  struct Share: Hashable, Sendable {
    /// The folder of its group.
    let path: String
    /// The values written into its files before a process joins the group.
    let settings: [String: String]

    /// Makes the group, and opens the file through which a process joins it.
    ///
    /// - Returns: a descriptor above those of the standard streams, which no other process inherits.
    func open() throws(ControlGroupError) -> Int32 {
      guard mkdir(path, 0o755) == 0 || errno == EEXIST else { throw ControlGroupError(path, errno) }
      for (file, text) in settings { try ControlGroup.write(text, to: "\(path)/\(file)") }
      let file = Glibc.open("\(path)/cgroup.procs", O_WRONLY | O_CLOEXEC)
      guard file >= 0 else { throw ControlGroupError("\(path)/cgroup.procs", errno) }
      guard file < 3 else { return file }
      defer { Glibc.close(file) }
      return fcntl(file, F_DUPFD_CLOEXEC, 3)
    }

    /// The worker has ended: kills all remaining processes of its group, and removes the group if it is empty by then.
    func end() {
      // Since Linux 5.14.
      try? ControlGroup.write("1", to: "\(path)/cgroup.kill")
      rmdir(path)
    }
  }

  /// The share of a life of a worker, where motiond and all workers without one have 100 together.
  func share(_ weight: Int, of worker: String, incarnation: UInt64) -> Share {
    Share(path: "\(path)/worker-\(worker).\(incarnation)", settings: ["cpu.weight": "\(weight)"])
  }

  private static func words(of path: String) throws(ControlGroupError) -> [String] {
    try text(of: path).split(whereSeparator: \.isWhitespace).map(String.init)
  }

  private static func text(of path: String) throws(ControlGroupError) -> String {
    do {
      return String(decoding: try FileBytes.read(path, limit: longest), as: UTF8.self)
    } catch {
      throw ControlGroupError("\(error)")
    }
  }

  /// Each write is one order to the kernel.
  private static func write(_ text: String, to path: String) throws(ControlGroupError) {
    let file = Glibc.open(path, O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { throw ControlGroupError(path, errno) }
    defer { Glibc.close(file) }
    guard Glibc.write(file, text, text.utf8.count) == text.utf8.count else {
      throw ControlGroupError("\(text) to \(path)", errno)
    }
  }
}

/// Why workers have no shares of the processors.
struct ControlGroupError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  fileprivate init(_ what: String, _ code: Int32) { self.init("\(what): \(String(cString: strerror(code)))") }
}
