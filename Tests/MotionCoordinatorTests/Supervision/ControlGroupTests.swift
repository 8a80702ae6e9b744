import Foundation
import Glibc
import MotionModel
import MotionTestKit
import Testing

@testable import MotionCoordinator

@Suite(.timeLimit(.minutes(1)))
struct ControlGroupTests {
  /// Files like those of a group that a service manager gave to motiond, but without effect.
  private struct Tree {
    let folder: TemporaryFolder
    var path: String { folder.path }

    init(processes: String, controllers: String = "cpu memory", membership: String = "0::/motiond.service") throws {
      folder = try TemporaryFolder()
      let own = "\(path)/motiond.service/motiond"
      try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
      try write("cpu memory io", to: "cgroup.controllers")
      try write("12:cpu:/elsewhere\n\(membership)\n", to: "membership")
      try write(processes, to: "motiond.service/cgroup.procs")
      try write(controllers, to: "motiond.service/cgroup.controllers")
      try write("", to: "motiond.service/cgroup.subtree_control")
      try write("", to: "motiond.service/motiond/cgroup.procs")
    }

    func write(_ text: String, to name: String) throws {
      try text.write(toFile: "\(path)/\(name)", atomically: false, encoding: .utf8)
    }

    func text(of name: String) throws -> String { try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8) }

    func take() throws(ControlGroupError) -> ControlGroup {
      try ControlGroup.take(tree: path, membership: "\(path)/membership")
    }
  }

  // Clauses: S15.5
  @Test func `a group that holds motiond alone is taken, and motiond moves into one of its own`() throws {
    let tree = try Tree(processes: "\(getpid())\n")
    let group = try tree.take()
    #expect(group.path == "\(tree.path)/motiond.service")
    #expect(try tree.text(of: "motiond.service/motiond/cgroup.procs") == "\(getpid())")
    #expect(try tree.text(of: "motiond.service/cgroup.subtree_control") == "+cpu")
  }

  @Test func `a group with other processes or without the cpu controller is not changed`() throws {
    func problem(_ tree: Tree) throws -> String {
      let error = #expect(throws: ControlGroupError.self) { try tree.take() }
      #expect(try tree.text(of: "motiond.service/motiond/cgroup.procs") == "")
      #expect(try tree.text(of: "motiond.service/cgroup.subtree_control") == "")
      return error?.description ?? ""
    }
    #expect(try problem(Tree(processes: "1\n\(getpid())\n")).contains("contains processes other than motiond"))
    #expect(try problem(Tree(processes: "")).contains("contains processes other than motiond"))
    #expect(try problem(Tree(processes: "\(getpid())\n", controllers: "memory")).contains("no controller cpu"))
    // A machine with a tree for each controller.
    #expect(
      try problem(Tree(processes: "\(getpid())\n", membership: "1:name=systemd:/")).contains("no unified control group")
    )
    let gone = try Tree(processes: "\(getpid())\n")
    unlink("\(gone.path)/cgroup.controllers")
    #expect(try problem(gone).contains("no unified control group"))
  }

  @Test func `a share has its weight before a process joins it, and its file is not inherited`() throws {
    let folder = try TemporaryFolder()
    let share = ControlGroup(path: folder.path).share(20, of: "tween.0", incarnation: 7)
    #expect(share.path == "\(folder.path)/worker-tween.0.7")
    #expect(throws: ControlGroupError.self) { try share.open() }
    for name in ["cpu.weight", "cgroup.procs"] {
      try "".write(toFile: "\(share.path)/\(name)", atomically: false, encoding: .utf8)
    }
    let file = try share.open()
    defer { close(file) }
    #expect(file > 2)
    #expect(fcntl(file, F_GETFD) & FD_CLOEXEC != 0)
    #expect(try String(contentsOfFile: "\(share.path)/cpu.weight", encoding: .utf8) == "20")
  }
}
