import Glibc
import Logging
import MotionTestKit
import Testing
import ZeroMQ

@testable import MotionCoordinator

struct ListenersTests {
  private let folder: TemporaryFolder
  private var listeners: Listeners

  init() throws {
    folder = try TemporaryFolder()
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let clients = AllowedClients(own: geteuid())
    let directory = try RuntimeDirectory("\(folder.path)/run", clients: clients)
    listeners = Listeners(
      try Sockets(directory, clients: clients, logger: logger), directory, keysAt: "\(folder.path)/keys",
      logger: logger)
  }

  @Test mutating func `a socket that was removed is restored once the removal has settled`() {
    let socket = "\(folder.path)/run/client/control.ipc"
    #expect(listeners.directoryDeadline == nil && listeners.checkDirectory(at: .seconds(9)) == nil)
    unlink(socket)
    listeners.receiveNotices(at: .seconds(10))
    #expect(listeners.directoryDeadline == .seconds(10) + RuntimeWatch.settleTime)
    #expect(listeners.checkDirectory(at: .seconds(10)) == nil && access(socket, F_OK) != 0, "it is not due")
    #expect(listeners.checkDirectory(at: .seconds(11)) == nil && access(socket, F_OK) == 0)
    #expect(listeners.directoryDeadline != nil, "it may not last")
    #expect(listeners.checkDirectory(at: .seconds(12)) == nil && listeners.directoryDeadline == nil)
    listeners.end()
    #expect(access(socket, F_OK) != 0)
  }

  @Test mutating func `a directory that another motiond has taken meanwhile ends the coordinator`() throws {
    rename("\(folder.path)/run", "\(folder.path)/gone")
    let other = try RuntimeDirectory("\(folder.path)/run")
    listeners.directoryChanged(at: .zero)
    #expect(listeners.checkDirectory(at: .seconds(1))?.contains("another motiond uses it") == true)
    withExtendedLifetime(other) {}
    listeners.end()
  }

  @Test mutating func `without listeners for other machines no sender is looked up and no keys are read`() {
    var isAsked = false
    #expect(
      listeners.allows(
        {
          isAsked = true; return nil
        }(), as: .client) && !isAsked)
    #expect(listeners.reloadKeys() == nil)
    listeners.listenToOtherMachines(at: .zero)
    #expect(listeners.retryDeadline == nil)
    listeners.end()
  }
}
