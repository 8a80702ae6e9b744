import LinuxSystem

/// The messages of a viewer, and its connection, as its thread uses them. Belongs to that thread.
final class ViewerInbox {
  /// What arrives from the connection.
  enum Arrival: Sendable {
    /// A message of the viewer.
    case message(SocketMessage)
    /// The connection was closed.
    case closed
  }

  let sink: any MessageSink
  /// Whether the connection is closed.
  private(set) var isClosed = false
  private let mailbox: Mailbox<Arrival>
  /// Messages that wait until the viewer reads what it was sent; the connection limits their number.
  private var postponed: [SocketMessage] = []

  init(_ mailbox: Mailbox<Arrival>, to sink: any MessageSink) { (self.mailbox, self.sink) = (mailbox, sink) }

  /// The descriptor that becomes readable when something arrives.
  var descriptor: Int32 { mailbox.descriptor }
  /// Whether messages wait for the viewer to read.
  var isWaiting: Bool { !postponed.isEmpty }
  /// Whether the viewer reads fast enough to get values.
  var hasRoom: Bool { sink.waitingBytes < StudioLimits.roomBytes }

  /// Processes the messages of the viewer. While it does not read, they wait, and then their connection is not read
  /// either: a viewer cannot request more than it takes.
  func process(_ body: (SocketMessage) -> Void) {
    for arrival in mailbox.take() {
      switch arrival {
      case .closed: isClosed = true
      case .message(let message): postponed.append(message)
      }
    }
    var count = 0
    while count < postponed.count, !isClosed, hasRoom {
      body(postponed[count])
      count += 1
    }
    guard count > 0 else { return }
    postponed.removeFirst(count)
    sink.processed(count)
  }

  /// Closes the connection of a viewer that does not read.
  ///
  /// - Parameter isStalled: whether it has not read for long.
  func closeIfUnread(isStalled: Bool) {
    if isStalled {
      close(because: "it has not read what it was sent for \(StudioLimits.stall)")
    } else if sink.waitingBytes > StudioLimits.waitingBytes {
      close(because: "it does not read")
    }
  }

  func close(because reason: String) {
    isClosed = true
    sink.close(because: reason)
  }

  /// When the loop has to look again because messages wait; `nil` if none does.
  var nextDue: Duration? { isWaiting ? BootClock.now + StudioLimits.sampleInterval : nil }

  /// Waits for an arrival.
  ///
  /// - Returns: whether there is one.
  @discardableResult
  func wait(upTo limit: Duration) -> Bool { mailbox.wait(upTo: limit) }
}
