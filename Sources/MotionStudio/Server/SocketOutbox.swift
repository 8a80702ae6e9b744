import NIOCore
import NIOWebSocket
import Synchronization

/// The messages from a session's thread to its viewer's socket. Counts the bytes that the kernel has not taken yet.
final class SocketOutbox: MessageSink {
  private let channel: any Channel
  private let handler: NIOLoopBound<ViewerHandler>
  private let state: StudioState
  private let name: String
  private let waiting = Atomic(0)

  init(_ channel: any Channel, handler: NIOLoopBound<ViewerHandler>, _ state: StudioState, _ name: String) {
    (self.channel, self.handler, self.state, self.name) = (channel, handler, state, name)
  }

  var waitingBytes: Int { waiting.load(ordering: .relaxed) }

  func send(_ messages: [SocketMessage]) {
    guard !messages.isEmpty else { return }
    let bytes = messages.reduce(0) { $0 + $1.count }
    waiting.add(bytes, ordering: .relaxed)
    channel.eventLoop.execute { [self] in
      for message in messages.dropLast() { channel.write(Self.frame(message), promise: nil) }
      guard let last = messages.last else { return }
      // Writes complete in order, and all of them fail when the channel is closed.
      channel.writeAndFlush(Self.frame(last)).whenComplete { [self] _ in
        waiting.subtract(bytes, ordering: .relaxed)
      }
    }
  }

  func processed(_ messages: Int) {
    channel.eventLoop.execute { [handler, channel] in handler.value.processed(messages, channel) }
  }

  func close(because reason: String) {
    state.refused("slow", "the viewer \(name): \(reason)")
    channel.close(promise: nil)
  }

  private static func frame(_ message: SocketMessage) -> WebSocketFrame {
    switch message {
    case .text(let text): WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(string: text))
    case .binary(let bytes): WebSocketFrame(fin: true, opcode: .binary, data: ByteBuffer(bytes: bytes))
    }
  }
}
