/// Decides which requests are admitted. It has no socket: heads of requests in, decisions out.
///
/// - The address of motion-studio's own page has a token in its fragment, which browsers do not send. The page exchanges
///   it by a POST for a cookie that scripts cannot read and other sites cannot send.
/// - A viewer has a token of its own, in the query of its address or as a bearer token.
/// - `Host` has to be a name of this machine, so that no site can let its own name lead here (DNS rebinding).
/// - `Origin` has to be the page's, or one of a list. A program that is no browser sends none: its token decides.
package struct Access: Sendable {
  /// Who is admitted.
  package struct Grant: Hashable, Sendable {
    /// The name, for the log and for motiond.
    package var name: String
    /// Whether it may change motion.
    package var mayChange: Bool
    /// Its token; `nil` for the page.
    var token: AccessToken?
  }

  /// What to do with a request.
  package enum Decision: Hashable, Sendable {
    /// Speak this subprotocol on a WebSocket, and send the live values, or play what is past.
    case upgrade(Grant, PlaybackSource?, subprotocol: String)
    /// Read the body, a token, for ``exchange(_:)``.
    case exchange
    /// Send this file of the page; HEAD gets its head only.
    case file(String, isHead: Bool)
    /// Answer with this status. The reason is for the log, and no secret.
    case refuse(Int, String)
  }

  /// The subprotocols, the preferred one first. They are the same protocol; older viewers offer only the second.
  package static let subprotocols = ["foxglove.sdk.v1", "foxglove.websocket.v1"]

  /// The name of the cookie. Cookies are shared by all ports of a machine, so it contains the port.
  package let cookieName: String
  /// The viewers.
  package var viewers = ViewerList()

  private let token: AccessToken
  private let hosts: Set<String>
  private let origins: Set<String>
  private var cookies: [AccessToken] = []

  /// - Parameters:
  ///   - token: the token of the page's address.
  ///   - port: the port that is listened at.
  ///   - hosts: names besides those of this machine, such as that of a tunnel's other end.
  ///   - origins: origins of viewers, such as `https://app.foxglove.dev`.
  package init(token: AccessToken, port: Int, hosts: [String] = [], origins: [String] = []) {
    self.token = token
    self.hosts = Set(hosts.map { $0.lowercased() })
    self.origins = Set(origins.map { $0.lowercased() })
    cookieName = "motion_studio_\(port)"
  }

  /// Whether a text is an origin, as a browser sends it: a scheme, a host and perhaps a port, and nothing else.
  package static func isOrigin(_ text: String) -> Bool {
    guard text.utf8.count <= 256, let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else {
      return false
    }
    let scheme = text[..<colon].lowercased()
    guard scheme.utf8.first.map({ (0x61...0x7A).contains($0) }) == true,
      scheme.utf8.allSatisfy({
        (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E].contains($0)
      })
    else { return false }
    let host = String(text[text.index(colon, offsetBy: 3)...])
    // The desktop viewers of some systems load their page from a file.
    return scheme == "file" ? host.isEmpty : Authority(host) != nil
  }

  /// Decides about a request.
  package func decide(_ request: HTTPRequest) -> Decision {
    let names = request.values("host")
    guard names.count == 1, let authority = Authority(names[0]) else {
      return .refuse(400, "the request has no valid Host")
    }
    guard authority.isLoopback || hosts.contains(authority.host) else {
      return .refuse(
        403, "Host \(authority.host) is not a name of this server; --host admits the name of a tunnel")
    }
    let origins = request.values("origin")
    guard origins.count <= 1 else { return .refuse(400, "the request has several origins") }
    let isOwn = origins.first.map { Self.isOwn($0, names[0]) } ?? false
    if let source = Self.sockets(request.path) { return upgrade(request, source, origin: origins.first, isOwn: isOwn) }
    if request.path == "/session" {
      guard request.method == "POST" else { return .refuse(405, "/session takes POST only") }
      guard isOwn else { return .refuse(403, "only the page of this server exchanges its token") }
      return .exchange
    }
    guard request.method == "GET" || request.method == "HEAD" else {
      return .refuse(405, "\(request.method.prefix(16)) is not allowed")
    }
    guard let file = Self.file(request.path) else { return .refuse(404, "there is no such file") }
    return .file(file, isHead: request.method == "HEAD")
  }

  /// Exchanges the token of the page's address for the value of a new cookie; `nil` if it is not the token.
  package mutating func exchange(_ body: [UInt8]) -> String? {
    guard token.matches(String(decoding: body, as: UTF8.self)) else { return nil }
    let cookie = AccessToken.random()
    cookies.append(cookie)
    if cookies.count > StudioLimits.cookies { cookies.removeFirst() }
    return cookie.text
  }

  /// Whether a viewer that was admitted is still admitted with the same right.
  package func isValid(_ grant: Grant) -> Bool {
    guard let token = grant.token else { return true }
    return viewers[grant.name] == ViewerList.Entry(token, mayChange: grant.mayChange, name: grant.name)
  }

  // MARK: Steps

  private static let page = Grant(name: "page", mayChange: true, token: nil)

  /// What a path of a WebSocket leads to: `.some(nil)` to the live values, `nil` to none.
  private static func sockets(_ path: String) -> PlaybackSource?? {
    if path == "/live" { return .some(nil) }
    if path == "/history" { return .history }
    guard path.hasPrefix("/recording/"), let name = file("/\(path.dropFirst("/recording/".count))"),
      !name.contains("/"),
      !path.hasSuffix("/")
    else { return nil }
    return .recording(name)
  }

  private func upgrade(
    _ request: HTTPRequest, _ source: PlaybackSource?, origin: String?, isOwn: Bool
  ) -> Decision {
    guard request.method == "GET", request.elements("upgrade").contains(where: { $0.lowercased() == "websocket" })
    else { return .refuse(426, "\(request.path) is a WebSocket") }
    if let origin, !isOwn, !origins.contains(origin.lowercased()) {
      return .refuse(403, "Origin \(origin.prefix(100)) is not admitted; --allow-origin admits the site of a viewer")
    }
    guard let grant = grant(request, isOwn: isOwn) else {
      return .refuse(401, "the viewer has no valid token; motion-studio viewer add makes one")
    }
    let offered = request.elements("sec-websocket-protocol")
    guard let subprotocol = Self.subprotocols.first(where: offered.contains) else {
      return .refuse(
        400, "the viewer offers no subprotocol that is spoken here: \(Self.subprotocols.joined(separator: ", "))")
    }
    return .upgrade(grant, source, subprotocol: subprotocol)
  }

  private func grant(_ request: HTTPRequest, isOwn: Bool) -> Grant? {
    // A cookie counts for the page only: a browser sends it whichever page asks.
    if isOwn, let cookie = request.cookie(cookieName), cookies.contains(where: { $0.matches(cookie) }) {
      return Self.page
    }
    let bearer = request.values("authorization").first.flatMap { value in
      value.lowercased().hasPrefix("bearer ") ? String(value.dropFirst(7)) : nil
    }
    guard let given = bearer ?? request.parameter("token") else { return nil }
    if token.matches(given) { return Self.page }
    return viewers.viewer(with: given).map { Grant(name: $0.name, mayChange: $0.mayChange, token: $0.token) }
  }

  private static func isOwn(_ origin: String, _ host: String) -> Bool {
    let origin = origin.lowercased()
    // A tunnel's other end may speak TLS.
    return origin == "http://\(host.lowercased())" || origin == "https://\(host.lowercased())"
  }

  /// The file that a path names; `nil` if its parts are not plain names.
  private static func file(_ path: String) -> String? {
    guard path.hasPrefix("/"), path.utf8.count <= 256 else { return nil }
    let parts = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    if parts.count == 1, parts[0].isEmpty { return "index.html" }
    let isPlain = parts.allSatisfy { part in
      !part.isEmpty && !part.hasPrefix(".")
        && part.utf8.allSatisfy {
          (0x61...0x7A).contains($0) || (0x41...0x5A).contains($0) || (0x30...0x39).contains($0)
            || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
        }
    }
    return isPlain ? parts.joined(separator: "/") : nil
  }
}
