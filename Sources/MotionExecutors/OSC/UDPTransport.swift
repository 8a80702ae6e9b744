import Glibc
import MotionModel

/// The way out for OSC executors of a process: datagrams through one socket per family of addresses, which never wait.
///
/// Belongs to the thread on which the executors run.
final class UDPTransport: OSCTransport {
  private let report: (String) -> Void
  /// By family; a socket is made when the first packet of its family is sent.
  private var sockets: [Int32: Int32] = [:]
  /// Where the last packet could not be sent, with how many since it could.
  private var failing: [OSCDestination: Int] = [:]
  /// How many packets could not be sent in all.
  private(set) var failures = 0

  /// Nothing is opened yet. `report` gets a line whenever sending to a place begins to fail, and when it succeeds again.
  init(report: @escaping (String) -> Void) {
    self.report = report
  }

  deinit {
    for socket in sockets.values { close(socket) }
  }

  /// The present time, of the clocks `CLOCK_MONOTONIC` and `CLOCK_REALTIME`.
  var now: OSCMoment {
    var monotonic = timespec()
    var calendar = timespec()
    clock_gettime(CLOCK_MONOTONIC, &monotonic)
    clock_gettime(CLOCK_REALTIME, &calendar)
    return OSCMoment(
      seconds: Double(monotonic.tv_sec) + Double(monotonic.tv_nsec) / 1e9,
      tag: OSCTimeTag(secondsSince1970: Int64(calendar.tv_sec), nanoseconds: UInt32(calendar.tv_nsec)))
  }

  func destination(host: String, port: UInt16) throws(Refusal) -> OSCDestination {
    try HostLookup.destination(host: host, port: port)
  }

  func send(_ packet: [UInt8], to destination: OSCDestination) -> Bool {
    let code = transmit(packet, to: destination)
    if code == 0 { noteSuccess(to: destination) } else { noteFailure(code, to: destination) }
    return code == 0
  }

  /// Sends, and returns 0 or the `errno`.
  private func transmit(_ packet: [UInt8], to destination: OSCDestination) -> Int32 {
    destination.bytes.withUnsafeBytes { address -> Int32 in
      guard let base = address.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return EDESTADDRREQ }
      let socket = socket(of: Int32(base.pointee.sa_family))
      guard socket >= 0 else { return errno }
      let sent = sendto(socket, packet, packet.count, Int32(MSG_NOSIGNAL), base, socklen_t(address.count))
      return sent == packet.count ? 0 : errno
    }
  }

  /// The socket for a family of addresses, or -1 and the `errno`.
  private func socket(of family: Int32) -> Int32 {
    if let made = sockets[family] { return made }
    let kind = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    let made = Glibc.socket(family, kind, 0)
    guard made >= 0 else { return made }
    // A whole network of receivers is a usual destination, and refused without this.
    var isAllowed: Int32 = 1
    setsockopt(made, SOL_SOCKET, SO_BROADCAST, &isAllowed, socklen_t(MemoryLayout<Int32>.size))
    sockets[family] = made
    return made
  }

  private func noteFailure(_ code: Int32, to destination: OSCDestination) {
    failures += 1
    let isFirst = failing[destination] == nil
    failing[destination, default: 0] += 1
    if isFirst { report("OSC to \(destination.text) fails: \(String(cString: strerror(code))); motion goes on") }
  }

  private func noteSuccess(to destination: OSCDestination) {
    guard let lost = failing.removeValue(forKey: destination) else { return }
    report("OSC to \(destination.text) succeeds again after \(lost) failed packets; \(failures) failed in all")
  }
}
