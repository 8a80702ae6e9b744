import Glibc
import MotionModel
import NIOCore
import NIOWebSocket

/// A viewer's WebSocket, on the event loop: frames in, messages to its session out, and pings.
final class ViewerHandler: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  private let state: StudioState
  private let grant: Access.Grant
  /// What is played; `nil` for live values.
  private let source: PlaybackSource?
  private var session: ViewerSession?
  private var pings: RepeatedTask?
  private var heartbeats: RepeatedTask?
  private var lastFrame = NIODeadline.now()
  /// Messages that the session has not processed.
  private var waiting = 0
  private var isClosing = false

  init(_ state: StudioState, _ grant: Access.Grant, _ source: PlaybackSource?) {
    (self.state, self.grant, self.source) = (state, grant, source)
  }

  func handlerAdded(context: ChannelHandlerContext) {
    guard state.join(context.channel, grant) else {
      return close(context, .policyViolation, "there are \(StudioLimits.viewers) viewers already")
    }
    let channel = context.channel
    let outbox = SocketOutbox(channel, handler: NIOLoopBound(self, eventLoop: context.eventLoop), state, grant.name)
    do {
      session = try begin(to: outbox)
    } catch {
      state.leave(channel)
      return close(context, .unexpectedServerError, "\(error)")
    }
    let look = source.map { ", and plays \($0.title)" } ?? (grant.mayChange ? "" : ", and may only look")
    state.log("The viewer \(grant.name) is connected\(look)")
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    let interval = TimeAmount.nanoseconds(StudioLimits.pingInterval.inNanoseconds)
    pings = context.eventLoop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { _ in
      let (handler, context) = bound.value
      handler.ping(context)
    }
    // A playback has its own time.
    guard source == nil else { return }
    // From the event loop: the session's thread may wait for motiond meanwhile.
    let heartbeat = TimeAmount.nanoseconds(StudioLimits.heartbeat.inNanoseconds)
    heartbeats = context.eventLoop.scheduleRepeatedTask(initialDelay: heartbeat, delay: heartbeat) { _ in
      let (handler, context) = bound.value
      handler.beat(context)
    }
  }

  private func begin(to outbox: SocketOutbox) throws -> ViewerSession {
    let (settings, name) = (state.settings, "studio \(grant.name)")
    let pattern = settings.channels.flatMap { TargetSelector.channels($0) }
    guard let source else {
      return try .live(
        LiveConversation(mayChange: grant.mayChange, pattern: pattern), named: name, session: state.session,
        at: settings.motiond, to: outbox)
    }
    return try .playback(
      of: source, in: settings.recordings, pattern, named: name, session: state.session, at: settings.motiond,
      to: outbox)
  }

  func channelInactive(context: ChannelHandlerContext) {
    pings?.cancel()
    heartbeats?.cancel()
    if let session {
      session.close()
      state.leave(context.channel)
      state.log("The viewer \(grant.name) is gone")
    }
    session = nil
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let frame = unwrapInboundIn(data)
    lastFrame = .now()
    guard !isClosing else { return }
    // RFC 6455 §5.1: frames of a client are masked. An aggregated message has no mask any more.
    switch frame.opcode {
    case .text: receive(.text(String(buffer: frame.unmaskedData)), context)
    case .binary: receive(.binary(Array(frame.unmaskedData.readableBytesView)), context)
    case .ping: send(.pong, frame.unmaskedData, context)
    case .connectionClose:
      send(.connectionClose, frame.unmaskedData, context)
      isClosing = true
      context.close(promise: nil)
    case .pong: break
    // The decoder lets through what RFC 6455 reserves.
    default: errorCaught(context: context, error: ReservedFrame())
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard !isClosing else { return }
    isClosing = true
    let reason =
      switch error {
      case NIOWebSocketError.invalidFrameLength: "a message is longer than \(StudioLimits.messageBytes) bytes"
      case is NIOWebSocketError, is NIOWebSocketFrameAggregator.Error: "its frames break the protocol: \(error)"
      default: "\(error)"
      }
    state.refused("frame", "the viewer \(grant.name): \(reason)")
    context.close(promise: nil)
  }

  /// The session has processed messages.
  func processed(_ messages: Int, _ channel: any Channel) {
    waiting -= messages
    guard waiting < StudioLimits.waitingMessages / 2 else { return }
    channel.setOption(.autoRead, value: true).whenFailure { _ in }
  }

  private func receive(_ message: SocketMessage, _ context: ChannelHandlerContext) {
    session?.receive(message)
    waiting += 1
    if waiting == StudioLimits.waitingMessages {
      context.channel.setOption(.autoRead, value: false).whenFailure { _ in }
    }
  }

  private func ping(_ context: ChannelHandlerContext) {
    let silence = TimeAmount.nanoseconds(StudioLimits.silence.inNanoseconds)
    guard NIODeadline.now() - lastFrame < silence else {
      state.refused("silence", "the viewer \(grant.name) has sent nothing for \(StudioLimits.silence)")
      return context.close(promise: nil)
    }
    send(.ping, ByteBuffer(), context)
  }

  /// Sends the time, unless the viewer has not read what it was sent before.
  private func beat(_ context: ChannelHandlerContext) {
    guard !isClosing, context.channel.isWritable else { return }
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    let wallTime = UInt64(max(0, time.tv_sec)) * 1_000_000_000 + UInt64(max(0, time.tv_nsec))
    guard case .binary(let bytes) = ServerMessage.time(wallTime) else { return }
    send(.binary, ByteBuffer(bytes: bytes), context)
  }

  private func send(_ opcode: WebSocketOpcode, _ data: ByteBuffer, _ context: ChannelHandlerContext) {
    context.writeAndFlush(wrapOutboundOut(WebSocketFrame(fin: true, opcode: opcode, data: data)), promise: nil)
  }

  private func close(_ context: ChannelHandlerContext, _ code: WebSocketErrorCode, _ reason: String) {
    isClosing = true
    state.refused("viewer", "the viewer \(grant.name): \(reason)")
    var data = ByteBuffer()
    data.write(webSocketErrorCode: code)
    data.writeString(reason)
    send(.connectionClose, data, context)
    context.close(promise: nil)
  }
}

/// The error for a frame of a kind that the protocol does not define.
private struct ReservedFrame: Error, CustomStringConvertible {
  let description = "a frame is of a kind that does not exist"
}
