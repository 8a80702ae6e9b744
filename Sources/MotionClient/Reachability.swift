import Glibc
import LinuxSystem
import MotionWire
import ZeroMQ

/// Checks whether a daemon listens on a socket file, before libzmq connects: libzmq would retry silently for ever.
enum Reachability {
  /// The first place in which a daemon listens.
  ///
  /// - Throws: `unreachable` with every path that was tried, why, and how to start a daemon.
  static func firstReachable(of places: [RuntimePaths]) throws(MotionClientError) -> RuntimePaths {
    precondition(!places.isEmpty, "a client with no place to look for a daemon")
    var tried: [String] = []
    for place in places {
      if let problem = place.problem { throw MotionClientError(.unreachable, problem) }
      guard let reason = distrust(of: place) ?? refusal(of: place.controlSocket) else { return place }
      tried.append("\(place.controlSocket) (\(reason))")
    }
    let directory = places.count == 1 ? " --runtime-dir \(places[0].directory)" : ""
    throw MotionClientError(
      .unreachable, "no motiond listens on \(tried.joined(separator: " or "))",
      remedy: "Start one with motiond\(directory), or name the directory of a running one with --runtime-dir")
  }

  /// Why a directory is not used, although it may exist: another user could serve in it, or replace it.
  ///
  /// It may belong to another user, who runs the motiond, if only root or the user of this process could have put it
  /// there: `/run/motiond`.
  static func distrust(of place: RuntimePaths) -> String? {
    let weakness = PathTrust.weakness(onTheWayTo: place.directory) ?? PathTrust.weakness(of: place.directory)
    return weakness.map { "it is not used: \($0), so that another user could answer there" }
  }

  /// Why no daemon can be reached on a socket file; `nil` if one listens.
  static func refusal(of path: String) -> String? {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    let capacity = MemoryLayout.size(ofValue: address.sun_path)
    guard bytes.count < capacity else { return "the path is longer than \(capacity - 1) bytes" }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    let descriptor = socket(AF_UNIX, kind, 0)
    guard descriptor >= 0 else { return String(cString: strerror(errno)) }
    defer { close(descriptor) }
    let result = withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result != 0 else { return nil }
    switch errno {
    case ENOENT: return "no such socket"
    case ECONNREFUSED: return "a daemon that has ended left it"
    // The queue of connections is full: the daemon must be suspended or very busy, but it is there.
    case EAGAIN: return nil
    case EACCES: return "permission denied"
    default: return String(cString: strerror(errno))
    }
  }
}
