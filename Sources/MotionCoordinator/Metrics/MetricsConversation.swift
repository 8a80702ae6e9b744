/// One connection to the metrics, as a pure state machine: bytes and time in, what to do next out.
struct MetricsConversation {
  /// How long all of it may take. Prometheus gives up after ten seconds; a peer on the same machine takes milliseconds.
  static let timeout = Duration.seconds(5)

  /// Where it is.
  enum State: Equatable {
    /// The request has not come yet.
    case reading
    /// The request has come, and the answer needs to know how the daemon is.
    case asking(toHead: Bool)
    /// Part of the answer, from this byte on, has not been taken yet.
    case writing(from: Int)
    /// All was said; what the peer still says is thrown away, so that closing does not take the answer from it.
    case listening
    /// To be closed.
    case over
  }

  private(set) var state = State.reading
  private(set) var answer: [UInt8] = []
  let deadline: Duration
  private var reader = HTTPRequestReader()

  init(at now: Duration) { deadline = now + Self.timeout }

  /// The peer has said something; nothing at all means that it will say no more.
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

  /// How the daemon is, in the text of metrics, if it was asked for.
  mutating func learned(_ text: String) {
    guard case .asking(let toHead) = state else { return }
    say(.metrics(text, toHead: toHead))
  }

  /// The peer has taken so many bytes of the answer.
  mutating func wrote(_ count: Int) {
    guard case .writing(let from) = state else { return }
    state = from + count < answer.count ? .writing(from: from + count) : .listening
  }

  /// Its time is over: who asked in time and got nothing is told why, everybody else has had their chance.
  mutating func deadline(at now: Duration) {
    guard now >= deadline else { return }
    switch state {
    // Once, and only what the socket takes at once.
    case .asking: say(.refusal(503))
    case .reading: say(.refusal(408))
    default: state = .over
    }
  }

  /// The connection is broken.
  mutating func failed() { state = .over }

  private mutating func say(_ answer: HTTPAnswer) {
    self.answer = answer.bytes
    state = .writing(from: 0)
  }
}
