import NIOCore
import NIOHTTP1

/// Answers the requests of a browser: the page, the exchange of its token, and refusals. One request for each connection.
final class PageHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  /// The page uses nothing of other sites, and no site may put it into a frame. The hash is of the script in index.html.
  private static let policy: HTTPHeaders = [
    "Content-Security-Policy":
      "default-src 'none'; script-src 'self' 'sha256-Vkjs8nwdbsOvyBvyK0/OuI6qBSOuEU99bpq1esJmbLg='; style-src 'self'; "
      + "img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; "
      + "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin", "Cache-Control": "no-store", "Connection": "close",
  ]

  private let state: StudioState
  private let limits: RequestLimitHandler
  private let page: PageFolder
  private var decision: Access.Decision?
  private var body: [UInt8] = []

  init(_ state: StudioState, _ limits: RequestLimitHandler) {
    (self.state, self.limits) = (state, limits)
    page = PageFolder(path: state.settings.page)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      // A second request is not read: the first one's answer closes the connection.
      guard decision == nil else { return context.close(promise: nil) }
      decision = state.decide(HTTPRequest(head))
      if head.headers.contains(name: "expect") { decision = .refuse(417, "the request has Expect") }
    case .body(let part): body += part.readableBytesView
    case .end:
      limits.requestIsComplete(context)
      if let decision { answer(decision, context) }
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // The upgrader reports here why it upgraded nothing; the request itself follows, and is answered.
    if error is HTTPParserError { context.close(promise: nil) }
  }

  private func answer(_ decision: Access.Decision, _ context: ChannelHandlerContext) {
    switch decision {
    case .upgrade:
      // All is as it has to be, except for the handshake: without a key, or of another version.
      refuse(.badRequest, "the handshake of the WebSocket is incomplete", context)
    case .refuse(let status, let reason): refuse(HTTPResponseStatus(statusCode: status), reason, context)
    case .exchange:
      guard let cookie = state.exchange(body) else { return refuse(.forbidden, "the token is not valid", context) }
      send(.noContent, [], ["Set-Cookie": cookie], context)
    case .file(let name, let isHead):
      guard let file = page.file(name) else { return refuse(.notFound, "there is no file \(name)", context) }
      send(
        .ok, file.bytes, ["Content-Type": file.type, "Content-Length": "\(file.bytes.count)"], isHead: isHead, context)
    }
  }

  private func refuse(_ status: HTTPResponseStatus, _ reason: String, _ context: ChannelHandlerContext) {
    let peer = context.remoteAddress.map { " from \($0)" } ?? ""
    state.refused("\(status.code)", "a request\(peer), with status \(status.code): \(reason)")
    let text = Array("\(status.code) \(status.reasonPhrase): \(reason)\n".utf8)
    var headers: HTTPHeaders = ["Content-Type": "text/plain; charset=utf-8", "Content-Length": "\(text.count)"]
    if status == .methodNotAllowed { headers.add(name: "Allow", value: "GET, HEAD") }
    if status == .upgradeRequired { headers.add(name: "Upgrade", value: "websocket") }
    send(status, text, headers, context)
  }

  private func send(
    _ status: HTTPResponseStatus, _ bytes: [UInt8], _ headers: HTTPHeaders, isHead: Bool = false,
    _ context: ChannelHandlerContext
  ) {
    var all = Self.policy
    all.add(contentsOf: headers)
    context.write(
      wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: status, headers: all))), promise: nil)
    if !isHead, !bytes.isEmpty {
      context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: bytes)))), promise: nil)
    }
    let channel = context.channel
    context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in channel.close(promise: nil) }
  }
}

extension HTTPRequest {
  /// The head as NIO has read it.
  init(_ head: HTTPRequestHead) {
    self.init(head.method.rawValue, head.uri, head.headers.map { Field($0.name, $0.value) })
  }
}
