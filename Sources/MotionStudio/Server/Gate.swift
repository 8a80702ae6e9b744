import NIOCore
import NIOHTTP1
import NIOWebSocket
import Synchronization

/// Prepares connections: limits first, then HTTP, then a WebSocket if the request is admitted.
final class Gate: Sendable {
  private let state = Mutex<StudioState?>(nil)

  /// Admits connections from now on. Those before it are closed.
  func open(_ state: StudioState) { self.state.withLock { $0 = state } }

  /// Prepares a connection.
  func prepare(_ channel: any Channel) -> EventLoopFuture<Void> {
    guard let state = state.withLock({ $0 }) else { return channel.close() }
    guard state.connect() else {
      state.refused("connections", "a connection: there are \(StudioLimits.connections) already")
      return channel.close()
    }
    channel.closeFuture.whenComplete { _ in state.disconnect() }
    return channel.eventLoop.makeCompletedFuture {
      let limits = RequestLimitHandler(state)
      let pages = PageHandler(state, limits)
      let pipeline = channel.pipeline.syncOperations
      try pipeline.addHandler(limits)
      let removed = NIOLoopBound((limits, pages), eventLoop: channel.eventLoop)
      let upgrade: NIOHTTPServerUpgradeSendableConfiguration = (
        upgraders: [upgrader(state)],
        completionHandler: { context in
          let (limits, pages) = removed.value
          context.pipeline.syncOperations.removeHandler(limits, promise: nil)
          context.pipeline.syncOperations.removeHandler(pages, promise: nil)
        }
      )
      try pipeline.configureHTTPServerPipeline(withServerUpgrade: upgrade)
      try pipeline.addHandler(pages)
    }
  }

  private func upgrader(_ state: StudioState) -> NIOWebSocketServerUpgrader {
    NIOWebSocketServerUpgrader(
      maxFrameSize: StudioLimits.messageBytes,
      shouldUpgrade: { channel, head in
        var headers: HTTPHeaders?
        if case .upgrade(_, _, let subprotocol) = state.decide(HTTPRequest(head)) {
          headers = ["Sec-WebSocket-Protocol": subprotocol]
        }
        return channel.eventLoop.makeSucceededFuture(headers)
      },
      upgradePipelineHandler: { channel, head in
        channel.eventLoop.makeCompletedFuture {
          // Decided once more: between the two the token may have been revoked.
          guard case .upgrade(let grant, let source, _) = state.decide(HTTPRequest(head)) else {
            return channel.close(promise: nil)
          }
          let pipeline = channel.pipeline.syncOperations
          try pipeline.addHandler(MaskCheck())
          try pipeline.addHandler(
            NIOWebSocketFrameAggregator(
              minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: StudioLimits.fragments,
              maxAccumulatedFrameSize: StudioLimits.messageBytes))
          try pipeline.addHandler(ViewerHandler(state, grant, source))
        }
      })
  }
}

/// Refuses frames that are not masked, as RFC 6455 §5.1 requires: a proxy could take their content for requests.
private final class MaskCheck: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame
  typealias InboundOut = WebSocketFrame

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard unwrapInboundIn(data).maskKey != nil else {
      return context.fireErrorCaught(UnmaskedFrame())
    }
    context.fireChannelRead(data)
  }
}

/// The error for a frame without a mask.
private struct UnmaskedFrame: Error, CustomStringConvertible {
  let description = "a frame is not masked"
}
