import LinuxSystem
import Synchronization
import ZeroMQ

/// The requests to the proxy's thread, and its results.
final class FaultProxyMail: Sendable {
  enum Command: Sendable {
    case weather(FaultProxy.Weather)
    case cut
    case halfClose(FaultProxy.Direction)
    case garbage(Int, FaultProxy.Direction)
    case say([UInt8], FaultProxy.Direction)
    case stop
  }

  private struct State {
    var items: [Command] = []
    var counts = FaultProxy.Counts()
    var heard: [FaultProxy.Piece] = []
    var isOver = false
  }

  private let state = Mutex(State())
  /// Readable when there are items.
  private let wake: EventCounter

  init() throws { wake = try EventCounter() }

  var descriptor: Int32 { wake.descriptor }

  func send(_ command: Command) {
    state.withLock { $0.items.append(command) }
    wake.signal()
  }

  func take() -> [Command] {
    wake.drain()
    return state.withLock { state in
      defer { state.items = [] }
      return state.items
    }
  }

  func count(_ change: (inout FaultProxy.Counts) -> Void) { state.withLock { change(&$0.counts) } }

  var counts: FaultProxy.Counts { state.withLock { $0.counts } }

  func hear(_ piece: FaultProxy.Piece) { state.withLock { $0.heard.append(piece) } }

  var heard: [FaultProxy.Piece] { state.withLock { $0.heard } }

  var isOver: Bool { state.withLock { $0.isOver } }

  func end() { state.withLock { $0.isOver = true } }
}
