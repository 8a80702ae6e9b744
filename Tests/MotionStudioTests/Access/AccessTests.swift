import Testing

@testable import MotionStudio

/// Who is admitted, and why not.
struct AccessTests {
  private let token = AccessToken.random()
  private static let live: [HTTPRequest.Field] = [
    .init("Host", "127.0.0.1:8765"), .init("Upgrade", "websocket"),
    .init("Sec-WebSocket-Protocol", "foxglove.websocket.v1, foxglove.sdk.v1"),
  ]

  private func access(_ list: ViewerList = ViewerList()) -> Access {
    var access = Access(
      token: token, port: 8765, hosts: ["studio.example"], origins: ["https://app.foxglove.dev"])
    access.viewers = list
    return access
  }

  private func get(_ target: String, _ fields: HTTPRequest.Field...) -> HTTPRequest {
    HTTPRequest("GET", target, Self.live + fields)
  }

  private func status(_ decision: Access.Decision) -> Int? {
    if case .refuse(let status, let reason) = decision {
      #expect(!reason.contains(token.text), "a reason is no secret")
      return status
    }
    return nil
  }

  // Clauses: S30.1, S30.2
  @Test func `a program with the token is admitted, and speaks the newest subprotocol`() {
    let decision = access().decide(get("/live?token=\(token.text)"))
    #expect(decision == .upgrade(.init(name: "page", mayChange: true, token: nil), nil, subprotocol: "foxglove.sdk.v1"))
    let bearer = access().decide(get("/live", .init("Authorization", "Bearer \(token.text)")))
    #expect(bearer == decision)
  }

  // Clauses: S30.1, S30.18
  @Test func `what is past has addresses of its own, and no path leads out of the folder of recordings`() {
    for (path, source) in [("history", .history), ("recording/show.mcap", .recording("show.mcap"))]
      as [(String, PlaybackSource)]
    {
      let decision = access().decide(get("/\(path)?token=\(token.text)"))
      let page = Access.Grant(name: "page", mayChange: true, token: nil)
      #expect(decision == .upgrade(page, source, subprotocol: "foxglove.sdk.v1"))
      #expect(status(access().decide(get("/\(path)"))) == 401)
    }
    for name in ["", "..", ".hidden", "a/b", "%2e%2e", "../motiond.key", "a%2Fb", "/etc/passwd"] {
      if case .upgrade = access().decide(get("/recording/\(name)?token=\(token.text)")) { Issue.record("\(name)") }
    }
  }

  // Clauses: S30.2
  @Test func `a viewer without a known subprotocol is refused`() {
    var request = get("/live?token=\(token.text)")
    request.fields[2].value = "foxglove.websocket.v1"
    #expect(status(access().decide(request)) == nil)
    request.fields[2].value = "foxglove.sdk.v2"
    #expect(status(access().decide(request)) == 400)
    request.fields.remove(at: 2)
    #expect(status(access().decide(request)) == 400)
  }

  // Clauses: S30.1
  @Test func `a missing or wrong token is refused`() {
    #expect(status(access().decide(get("/live"))) == 401)
    #expect(status(access().decide(get("/live?token="))) == 401)
    #expect(status(access().decide(get("/live?token=\(token.text.dropLast())"))) == 401)
    #expect(status(access().decide(get("/live?token=\(AccessToken.random().text)"))) == 401)
  }

  // Clauses: S30.1
  @Test func `the name of another site is refused`() {
    for host in ["evil.example:8765", "127.0.0.1.evil.example", "128.0.0.1:8765", "localhost.", "[::2]:8765"] {
      var request = get("/live?token=\(token.text)")
      request.fields[0].value = host
      #expect(status(access().decide(request)) == 403, "\(host)")
    }
    for host in ["", ":8765", "127.0.0.1:x", "127.0.0.1:99999", "[::1", "a b", "127.0.0.1:8765,localhost"] {
      var request = get("/live?token=\(token.text)")
      request.fields[0].value = host
      #expect(status(access().decide(request)) == 400, "\(host)")
    }
    for host in ["localhost", "LOCALHOST:1", "127.1.2.3:9", "[::1]:8765", "studio.example"] {
      var request = get("/live?token=\(token.text)")
      request.fields[0].value = host
      #expect(status(access().decide(request)) == nil, "\(host)")
    }
    var none = get("/")
    none.fields.remove(at: 0)
    #expect(status(access().decide(none)) == 400)
    #expect(status(access().decide(get("/", .init("Host", "localhost")))) == 400)
  }

  // Clauses: S30.1
  @Test func `a browser's site has to be on the list`() {
    let target = "/live?token=\(token.text)"
    #expect(status(access().decide(get(target, .init("Origin", "https://evil.example")))) == 403)
    #expect(status(access().decide(get(target, .init("Origin", "null")))) == 403)
    #expect(status(access().decide(get(target, .init("Origin", "http://127.0.0.1:9999")))) == 403)
    #expect(status(access().decide(get(target, .init("Origin", "https://app.foxglove.dev")))) == nil)
    #expect(status(access().decide(get(target, .init("Origin", "http://127.0.0.1:8765")))) == nil)
    #expect(status(access().decide(get("/live", .init("Origin", "https://app.foxglove.dev")))) == 401)
  }

  // Clauses: S30.3
  @Test func `the page exchanges its token for a cookie, which counts for the page only`() throws {
    var access = access()
    let own = HTTPRequest.Field("Origin", "http://127.0.0.1:8765")
    let post = HTTPRequest("POST", "/session", [Self.live[0], own])
    #expect(access.decide(post) == .exchange)
    #expect(status(access.decide(HTTPRequest("POST", "/session", [Self.live[0]]))) == 403)
    #expect(status(access.decide(HTTPRequest("GET", "/session", [Self.live[0], own]))) == 405)
    let none = [access.exchange(Array(AccessToken.random().text.utf8)), access.exchange([])]
    #expect(none == [nil, nil])
    let exchanged = access.exchange(Array(token.text.utf8))
    let value = try #require(exchanged)
    #expect(value != token.text)
    let cookie = HTTPRequest.Field("Cookie", "a=b; motion_studio_8765=\(value)")
    #expect(status(access.decide(get("/live", cookie, own))) == nil)
    // Without an origin it could be any program to which a browser's cookie was given.
    #expect(status(access.decide(get("/live", cookie))) == 401)
    #expect(status(access.decide(get("/live", cookie, .init("Origin", "https://app.foxglove.dev")))) == 401)
  }

  @Test func `the oldest cookie is dropped`() throws {
    var access = access()
    let exchanged = access.exchange(Array(token.text.utf8))
    let first = try #require(exchanged)
    func isValid() -> Bool {
      status(
        access.decide(
          get(
            "/live", .init("Cookie", "motion_studio_8765=\(first)"), .init("Origin", "http://127.0.0.1:8765")))) == nil
    }
    #expect(isValid())
    for _ in 0..<StudioLimits.cookies { _ = access.exchange(Array(token.text.utf8)) }
    #expect(!isValid())
  }

  // Clauses: S30.4
  @Test func `a viewer has the right of its token until that is revoked`() {
    var list = ViewerList()
    let entry = list.add("wall", mayChange: false)
    var access = access(list)
    guard case .upgrade(let grant, _, _) = access.decide(get("/live?token=\(entry.token.text)")) else {
      Issue.record("the viewer is refused")
      return
    }
    #expect(grant.name == "wall")
    #expect(!grant.mayChange)
    #expect(access.isValid(grant))
    // A new token of the same name is another one.
    _ = list.add("wall", mayChange: false)
    access.viewers = list
    #expect(!access.isValid(grant))
    #expect(status(access.decide(get("/live?token=\(entry.token.text)"))) == 401)
  }

  @Test(arguments: [
    "/../secret", "/a/../b", "/.hidden", "//etc", "/a//b", "/a/", "/%2e%2e/a", "/a\\b", "a", "*", "/a b",
    "/\(String(repeating: "a", count: 300))",
  ])
  func `a path that is no plain name is refused`(path: String) {
    #expect(status(access().decide(get(path))) == 404)
  }

  @Test func `files are named by plain paths`() {
    #expect(access().decide(get("/")) == .file("index.html", isHead: false))
    #expect(access().decide(get("/rooms/stage.js?v=1")) == .file("rooms/stage.js", isHead: false))
    #expect(access().decide(HTTPRequest("HEAD", "/a.css", Self.live)) == .file("a.css", isHead: true))
    #expect(status(access().decide(HTTPRequest("PUT", "/a.css", Self.live))) == 405)
    var plain = get("/live?token=\(token.text)")
    plain.fields.remove(at: 1)
    #expect(status(access().decide(plain)) == 426)
  }

  @Test func `an origin is a scheme with a host, and nothing else`() {
    for text in ["https://app.foxglove.dev", "http://127.0.0.1:8080", "http://[::1]:1", "file://", "HTTPS://A.b"] {
      #expect(Access.isOrigin(text), "\(text)")
    }
    for text in [
      "x y", "", "https://", "https://a/", "https://a b", "app.foxglove.dev", "://a", "1:a", "null", "file://a",
    ] {
      #expect(!Access.isOrigin(text), "\(text)")
    }
  }
}
