package import LinuxSystem
package import MotionModel
import MotionWire

/// A viewer's session: a thread of its own, that waits for messages of the viewer besides what else it does. Any thread may
/// use it.
package final class ViewerSession: Sendable {
  private let mailbox: Mailbox<ViewerInbox.Arrival>
  private let end: EventCounter

  /// Starts the session of a viewer, which has been admitted.
  ///
  /// - Parameter run: the thread's work. It returns soon after the counter was signalled.
  /// - Throws: when the system has no thread or descriptor left.
  private init(
    to sink: any MessageSink, run: @escaping @Sendable (ViewerInbox, EventCounter) -> Void
  ) throws(SystemError) {
    let (mailbox, end) = (try Mailbox<ViewerInbox.Arrival>(), try EventCounter())
    (self.mailbox, self.end) = (mailbox, end)
    let status = OwnThread.begin("viewer") { run(ViewerInbox(mailbox, to: sink), end) }
    guard status == 0 else { throw SystemError(code: status, operation: "pthread_create") }
  }

  /// Starts a session with a client of motiond of its own, so that commits have their author, and end with the connection.
  ///
  /// - Parameters:
  ///   - name: identifies the viewer at motiond.
  ///   - session: identifies the run of this server.
  package static func live(
    _ conversation: LiveConversation, named name: String, session: String, at address: MotiondAddress,
    to sink: any MessageSink
  ) throws(SystemError) -> ViewerSession {
    try ViewerSession(to: sink) { inbox, end in
      LiveLoop(conversation, named: name, at: address, inbox: inbox, end: end).run(session: session)
    }
  }

  /// Starts a session that plays the past.
  ///
  /// - Parameters:
  ///   - folder: the folder of recordings; `nil` if there is none.
  ///   - name: identifies the viewer at motiond.
  ///   - session: identifies the run of this server.
  package static func playback(
    of source: PlaybackSource, in folder: String?, _ pattern: TargetSelector?, named name: String, session: String,
    at address: MotiondAddress, to sink: any MessageSink
  ) throws(SystemError) -> ViewerSession {
    try ViewerSession(to: sink) { inbox, end in
      let loop = PlaybackLoop(inbox, pattern: pattern) {
        try PlaybackReader(source, in: folder, named: name, at: address, end: end)
      }
      loop.run(source.title, session: session)
    }
  }

  /// Passes a message of the viewer on.
  package func receive(_ message: SocketMessage) { mailbox.post(.message(message)) }

  /// Ends the session. A request that is under way is abandoned.
  package func close() {
    end.signal()
    mailbox.post(.closed)
  }
}
