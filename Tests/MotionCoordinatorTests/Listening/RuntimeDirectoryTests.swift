import Glibc
import MotionTestKit
import Testing
import ZeroMQ

@testable import MotionCoordinator

struct RuntimeDirectoryTests {
  @Test func `directories are private to motiond, also if they were open before`() throws {
    let folder = try TemporaryFolder()
    folder.make("run")
    chmod("\(folder.path)/run", 0o755)
    let directory = try RuntimeDirectory("\(folder.path)/run")
    for name in ["run", "run/client", "run/worker"] { #expect(folder.mode(name) == 0o700) }
    #expect(directory.control.path == "\(folder.path)/run/client/control.ipc")
  }

  @Test func `allowed clients can reach the sockets of clients, and no other sockets`() throws {
    for (clients, mode) in [
      (AllowedClients(userIDs: [7], own: geteuid()), 0o711),
      (AllowedClients(groupID: getegid(), own: geteuid()), 0o710),
    ] {
      let folder = try TemporaryFolder()
      let directory = try RuntimeDirectory("\(folder.path)/run", clients: clients)
      #expect(folder.mode("run") == mode && folder.mode("run/client") == mode && folder.mode("run/worker") == 0o700)
      // Independent of the file mode that the mask of the process leads to.
      for (path, name) in [(directory.control, "client/control.ipc"), (directory.link, "worker/link.ipc")] {
        try folder.write("", to: "run/\(name)")
        chmod("\(folder.path)/run/\(name)", 0o777)
        #expect(try directory.listen(at: path)?.path == path.path)
      }
      #expect(folder.mode("run/client/control.ipc") == (mode == 0o711 ? 0o666 : 0o660))
      #expect(folder.mode("run/worker/link.ipc") == 0o600)
    }
  }

  @Test func `a second holder is refused until the first ends`() throws {
    let folder = try TemporaryFolder()
    var first: RuntimeDirectory? = try RuntimeDirectory(folder.path)
    let error = #expect(throws: StartError.self) { try RuntimeDirectory(folder.path) }
    #expect(error?.problem.contains("another motiond") == true)
    #expect(first != nil)
    first = nil
    _ = try RuntimeDirectory(folder.path)
  }

  @Test func `missing entries are created again, and entries of others are left as they are`() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/run"
    let directory = try RuntimeDirectory(path)
    let files = try directory.all.map { try directory.listen(at: $0) }
    #expect(directory.loss.isEmpty)
    unlink("\(path)/client/control.ipc")
    unlink("\(path)/client/values.ipc")
    try folder.write("another's", to: "run/client/values.ipc")
    #expect(directory.loss.sockets == [directory.control] && !directory.loss.isUnlocked)
    unlink("\(path)/lock")
    #expect("\(directory.loss)" == "lock, client/control.ipc")

    var loss = directory.loss
    try directory.restore(loss)
    for endpoint in loss.sockets { _ = try directory.listen(at: endpoint) }
    #expect(directory.loss.isEmpty)
    #expect(throws: StartError.self) { try RuntimeDirectory(path) }
    // Another process takes the lock first.
    unlink("\(path)/lock")
    let other = try FileLock("\(path)/lock", option: "--runtime-dir", ifTaken: "runs in this directory")
    loss = directory.loss
    let error = #expect(throws: StartError.self) { try directory.restore(loss) }
    #expect(error?.isTaken == true)

    directory.removeSockets()
    #expect(folder.mode("run/client/values.ipc") == 0o600)
    #expect(access("\(path)/client/control.ipc", F_OK) != 0)
    withExtendedLifetime((files, other)) {}
  }

  @Test func `a file in place of the directory, and a directory open to all users, are refused`() throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "file")
    #expect(throws: StartError.self) { try RuntimeDirectory("\(folder.path)/file") }
    folder.make("shared")
    chmod("\(folder.path)/shared", 0o1777)
    #expect(throws: StartError.self) { try RuntimeDirectory("\(folder.path)/shared") }
    #expect(folder.mode("shared") == 0o1777)
  }

  @Test func `the mode of a directory with other contents is not changed`() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/house"
    mkdir(path, 0o755)
    mkdir("\(path)/furniture", 0o755)
    let error = #expect(throws: StartError.self) { try RuntimeDirectory(path) }
    #expect(error?.problem.contains("such as furniture") == true && error?.remedy.contains("chmod 700") == true)
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o755, "nothing was changed")
    #expect(access("\(path)/lock", F_OK) != 0)
    // A directory with mode 700 counts as deliberately private.
    chmod(path, 0o700)
    withExtendedLifetime(try RuntimeDirectory(path)) {}
  }

  @Test func `a path too long for sockets is refused before anything is created`() throws {
    let folder = try TemporaryFolder()
    let long = String(repeating: "x", count: 100)
    let error = #expect(throws: StartError.self) { try RuntimeDirectory("\(folder.path)/\(long)") }
    #expect(error?.description.contains("--runtime-dir") == true)
    #expect(folder.mode(long) == 0)
  }
}
