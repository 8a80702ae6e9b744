/// One connection to the metrics server, as a pure state machine: bytes and time in, the next step out.
struct MetricsConversation {
  /// The timeout of the whole conversation. Prometheus gives up after ten seconds; a peer on the same machine takes
  /// milliseconds.
  static let timeout = Duration.seconds(5)

  /// The state of the conversation.
  enum State: Equatable {
    /// The request has not arrived yet.
    case reading
    /// The request has arrived, and the answer needs a snapshot.
    case asking(toHead: Bool)
    /// Part of the answer, from this byte on, has not been sent yet.
    case writing(from: Int)
    /// The answer was sent; further input is discarded, so that closing does not destroy the answer.
    case listening
    /// The connection has to be closed.
    case over
  }

  private(set) var state = State.reading
  private(set) var answer: [UInt8] = []
  let deadline: Duration
  private var reader = HTTPRequestReader()

  init(at now: Duration) { deadline = now + Self.timeout }

  /// Handles bytes from the peer; no bytes mean that the peer has closed its side.
  mutating func received(_ bytes: some Collection<UInt8>) {
    guard state == .reading else {
      if bytes.isEmpty, state == .listening { state = .over }
      return
    }
    guard !bytes.isEmpty else { return state = .over }
    switch reader.add(bytes) {
    case nil: break
    case .refused(let status): say(.refusal(status))
    case .request(let method, let path):
      guard method == "GET" || method == "HEAD" else { return say(.refusal(405)) }
      switch path {
      case "/metrics": state = .asking(toHead: method == "HEAD")
      case "/": say(HTTPAnswer(200, "motiond: see /metrics\n", toHead: method == "HEAD"))
      default: say(.refusal(404))
      }
    }
  }

  /// Takes the text of the metrics, if it was requested.
  mutating func learned(_ text: String) {
    guard case .asking(let toHead) = state else { return }
    say(.metrics(text, toHead: toHead))
  }

  /// Records that so many bytes of the answer were sent.
  mutating func wrote(_ count: Int) {
    guard case .writing(let from) = state else { return }
    state = from + count < answer.count ? .writing(from: from + count) : .listening
  }

  /// Handles the timeout: a peer without an answer gets an error status; other connections are closed.
  mutating func deadline(at now: Duration) {
    guard now >= deadline else { return }
    switch state {
    // Once, and only as much as the socket takes at once.
    case .asking: say(.refusal(503))
    case .reading: say(.refusal(408))
    default: state = .over
    }
  }

  /// Handles a broken connection.
  mutating func failed() { state = .over }

  private mutating func say(_ answer: HTTPAnswer) {
    self.answer = answer.bytes
    state = .writing(from: 0)
  }
}
