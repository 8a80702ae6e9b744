/// The connection of a viewer, as its session uses it from its own thread.
package protocol MessageSink: Sendable {
  /// Sends messages in order, without waiting.
  func send(_ messages: [SocketMessage])
  /// The bytes that were not passed to the kernel yet, because the viewer does not read.
  var waitingBytes: Int { get }
  /// So many messages of the viewer were processed: as many more may be read.
  func processed(_ messages: Int)
  /// Closes the connection, and logs the reason.
  func close(because reason: String)
}
