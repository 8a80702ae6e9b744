package import LinuxSystem
import MotionWire

/// A viewer's session: a thread with a client of motiond of its own, so that commits have their author, and end with the
/// connection. Any thread may use it.
package final class LiveSession: Sendable {
  /// What arrives from the connection.
  enum Arrival: Sendable {
    /// A message of the viewer.
    case message(SocketMessage)
    /// The connection was closed.
    case closed
  }

  private let inbox: Mailbox<Arrival>
  private let end: EventCounter

  /// Starts the session of a viewer, which has been admitted.
  ///
  /// - Parameters:
  ///   - name: identifies the viewer at motiond.
  ///   - session: identifies the run of this server.
  /// - Throws: when the system has no thread or descriptor left.
  package init(
    _ conversation: LiveConversation, named name: String, session: String, at address: MotiondAddress,
    to sink: any MessageSink
  ) throws(SystemError) {
    let (inbox, end) = (try Mailbox<Arrival>(), try EventCounter())
    (self.inbox, self.end) = (inbox, end)
    let status = OwnThread.begin("viewer") {
      let loop = LiveLoop(conversation, named: name, at: address, inbox: inbox, end: end, to: sink)
      loop.run(session: session)
    }
    guard status == 0 else { throw SystemError(code: status, operation: "pthread_create") }
  }

  /// Passes a message of the viewer on.
  package func receive(_ message: SocketMessage) { inbox.post(.message(message)) }

  /// Ends the session. A request that is under way is abandoned.
  package func close() {
    end.signal()
    inbox.post(.closed)
  }
}
