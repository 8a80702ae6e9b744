import NIOCore

/// Closes a connection whose request is too long or takes too long: half a request, or half an upgrade, would otherwise
/// hold it for ever. Removed when a WebSocket begins.
final class RequestLimitHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  private let state: StudioState
  private var bytes = 0
  private var deadline: Scheduled<Void>?

  init(_ state: StudioState) { self.state = state }

  func handlerAdded(context: ChannelHandlerContext) {
    let (channel, state) = (context.channel, state)
    let amount = TimeAmount.nanoseconds(StudioLimits.requestTime.inNanoseconds)
    deadline = context.eventLoop.scheduleTask(in: amount) {
      state.refused("time", "a connection whose request was not complete in \(StudioLimits.requestTime)")
      channel.close(promise: nil)
    }
  }

  func handlerRemoved(context: ChannelHandlerContext) { deadline?.cancel() }

  func channelInactive(context: ChannelHandlerContext) {
    deadline?.cancel()
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    bytes += unwrapInboundIn(data).readableBytes
    guard bytes <= StudioLimits.requestBytes else {
      state.refused("size", "a request of more than \(StudioLimits.requestBytes) bytes")
      return context.close(promise: nil)
    }
    context.fireChannelRead(data)
  }

  /// The request is complete: from now on the answer has its time.
  func requestIsComplete(_ context: ChannelHandlerContext) {
    deadline?.cancel()
    let channel = context.channel
    let amount = TimeAmount.nanoseconds(StudioLimits.answerTime.inNanoseconds)
    deadline = context.eventLoop.scheduleTask(in: amount) { channel.close(promise: nil) }
  }
}

extension Duration {
  /// The whole nanoseconds.
  var inNanoseconds: Int64 {
    components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
  }
}
