import Glibc
import MotionModel

/// Finds the address of a host, and does not wait long for it.
///
/// The system's lookup may take its time and cannot be stopped, so one of a name runs on a thread of its own; who asked
/// waits for an answer so long, and does without if there is none.
enum HostLookup {
  /// How long a name may take, in seconds: an answer of the local network takes milliseconds, and a worker that says
  /// nothing for a few seconds is taken for dead.
  static let patience: time_t = 1

  /// An address for datagrams to a port of a host: the first of IPv4, or else of IPv6. Receivers of OSC commonly listen to
  /// IPv4 alone, and a name such as `localhost` stands for both.
  ///
  /// - Throws: `Refusal` with a remedy if there is none.
  static func destination(host: String, port: UInt16) throws(Refusal) -> OSCDestination {
    var result = Answer(host, port, flags: AI_NUMERICHOST)
    if result.bytes.isEmpty { result = try answer(host, port) }
    guard !result.bytes.isEmpty else {
      throw refusal(of: host, result.error == 0 ? "it has no address" : String(cString: gai_strerror(result.error)))
    }
    let isNumericV6 = host.utf8.contains(UInt8(ascii: ":"))
    return OSCDestination(bytes: result.bytes, text: isNumericV6 ? "[\(host)]:\(port)" : "\(host):\(port)")
  }

  private static func refusal(of host: String, _ reason: String) -> Refusal {
    Refusal(
      .notFound, field: "host", "the host \"\(host)\" is not found: \(reason)",
      remedy: "Use its numeric address, or a name that `getent hosts` finds, and add the plan again.")
  }

  /// What the system says, or a refusal if it does not say it in time.
  private static func answer(_ host: String, _ port: UInt16) throws(Refusal) -> Answer {
    let question = Question(host, port)
    var thread = pthread_t()
    let passed = Unmanaged.passRetained(question)
    let failure = pthread_create(
      &thread, nil,
      { passed in
        guard let passed else { return nil }
        Unmanaged<Question>.fromOpaque(passed).takeRetainedValue().ask()
        return nil
      }, passed.toOpaque())
    guard failure == 0 else {
      passed.release()
      throw refusal(of: host, String(cString: strerror(failure)))
    }
    pthread_detach(thread)
    guard let answer = question.awaitAnswer() else {
      throw refusal(of: host, "no answer within \(patience) s")
    }
    return answer
  }
}

/// What the system says of a host.
private struct Answer {
  /// The address, as bytes of a `sockaddr`; none if there is none.
  var bytes: [UInt8] = []
  /// What the corresponding C function `getaddrinfo` returned.
  var error: Int32 = 0

  init(_ host: String, _ port: UInt16, flags: Int32) {
    var hints = addrinfo()
    hints.ai_flags = flags | AI_NUMERICSERV
    hints.ai_family = AF_UNSPEC
    hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    error = getaddrinfo(host, "\(port)", &hints, &found)
    guard error == 0, let first = found else { return }
    defer { freeaddrinfo(first) }
    let all = sequence(first: first) { $0.pointee.ai_next }
    let chosen = all.first { $0.pointee.ai_family == AF_INET } ?? first
    bytes = Array(UnsafeRawBufferPointer(start: chosen.pointee.ai_addr, count: Int(chosen.pointee.ai_addrlen)))
  }
}

/// A question to the system that is answered on another thread.
///
/// Both threads keep it alive. The answer is written before the semaphore is raised, once, and read after it was taken.
private final class Question {
  private let host: String
  private let port: UInt16
  private var answer: Answer?
  private let answered: UnsafeMutablePointer<sem_t>

  init(_ host: String, _ port: UInt16) {
    (self.host, self.port) = (host, port)
    answered = .allocate(capacity: 1)
    answered.initialize(to: sem_t())
    sem_init(answered, 0, 0)
  }

  deinit {
    sem_destroy(answered)
    answered.deallocate()
  }

  /// Asks, on the thread that may wait.
  func ask() {
    answer = Answer(host, port, flags: 0)
    sem_post(answered)
  }

  /// The answer, if it comes within ``HostLookup/patience``.
  func awaitAnswer() -> Answer? {
    var deadline = timespec()
    clock_gettime(CLOCK_REALTIME, &deadline)
    deadline.tv_sec += HostLookup.patience
    while sem_timedwait(answered, &deadline) != 0 {
      guard errno == EINTR else { return nil }
    }
    return answer
  }
}
