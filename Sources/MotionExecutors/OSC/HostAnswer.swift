import Glibc

/// What the system says of a host.
enum HostAnswer: Hashable, Sendable {
  /// It has this address.
  case found(SocketAddress)
  /// Nobody has this name, and why.
  case missing(String)
  /// Who would know did not say, and why.
  case silence(String)

  /// Asks the system, and waits for it: for a name until servers answer, which nothing bounds and nobody can stop.
  ///
  /// Of several addresses it is the first of IPv4, or else of IPv6. Receivers of OSC commonly listen to IPv4 alone, and a
  /// name such as `localhost` stands for both. The corresponding C function is `getaddrinfo`.
  init(asking host: String) { self.init(host, flags: 0) }

  /// What a numeric address says by itself, at once; `nil` if it is none.
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

  /// What says that the name was looked for and is not there; all others say that looking for it did not succeed. Besides
  /// the one of POSIX these are glibc's `EAI_NODATA` and `EAI_ADDRFAMILY`, a name without addresses of either family.
  private static let statusesOfMissing: Set<Int32> = [EAI_NONAME, -5, -9]

  private static func failure(_ status: Int32) -> HostAnswer {
    let text = status == EAI_SYSTEM ? strerror(errno).map { UnsafePointer($0) } : gai_strerror(status)
    let reason = text.map { String(cString: $0) } ?? "error \(status)"
    return statusesOfMissing.contains(status) ? .missing(reason) : .silence(reason)
  }
}
