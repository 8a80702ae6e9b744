import Glibc

/// The result of a host name lookup.
enum HostAnswer: Hashable, Sendable {
  /// The host has this address.
  case found(SocketAddress)
  /// No host has this name; the reason.
  case missing(String)
  /// The lookup got no answer; the reason.
  case silence(String)

  /// Looks up a host and blocks until the resolver returns. For a name that lasts until servers answer; it has no upper
  /// bound and cannot be cancelled.
  ///
  /// Of several addresses, the first IPv4 address is taken, or else the first IPv6 address. Receivers of OSC commonly
  /// listen on IPv4 alone, and a name such as `localhost` stands for both. The corresponding C function is
  /// `getaddrinfo`.
  init(asking host: String) { self.init(host, flags: 0) }

  /// The address of a numeric host, at once; `nil` if the host is not numeric.
  init?(numeric host: String) {
    self.init(host, flags: AI_NUMERICHOST)
    guard case .found = self else { return nil }
  }

  private init(_ host: String, flags: Int32) {
    var hints = addrinfo()
    hints.ai_flags = flags
    hints.ai_family = AF_UNSPEC
    hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    let status = getaddrinfo(host, nil, &hints, &found)
    guard status == 0, let first = found else {
      self = Self.failure(status)
      return
    }
    defer { freeaddrinfo(first) }
    let usable = sequence(first: first) { $0.pointee.ai_next }.compactMap { SocketAddress($0.pointee) }
    guard let chosen = usable.first(where: { $0.family == AF_INET }) ?? usable.first else {
      self = .missing("it has no address for UDP")
      return
    }
    self = .found(chosen)
  }

  /// The status codes which mean that the name was looked up and does not exist; all others mean that the lookup
  /// failed. Besides the one of POSIX these are glibc's `EAI_NODATA` and `EAI_ADDRFAMILY`, a name without addresses of
  /// either family.
  private static let statusesOfMissing: Set<Int32> = [EAI_NONAME, -5, -9]

  private static func failure(_ status: Int32) -> HostAnswer {
    let text = status == EAI_SYSTEM ? strerror(errno).map { UnsafePointer($0) } : gai_strerror(status)
    let reason = text.map { String(cString: $0) } ?? "error \(status)"
    return statusesOfMissing.contains(status) ? .missing(reason) : .silence(reason)
  }
}
