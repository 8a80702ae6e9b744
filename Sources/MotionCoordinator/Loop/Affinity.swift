import CLinux
import Glibc

/// The processors to which two groups of threads are pinned: the coordinator's loop, and libzmq's threads that move its
/// bytes.
///
/// A pinned thread finds its caches warm, and the scheduler does not move it at the wrong moment. But it waits while
/// something else has that processor: pinning helps where the processors are kept free for it.
public struct Affinity: Hashable, Sendable, CustomStringConvertible {
  /// The processor of the loop.
  public let loop: Int
  /// The processor of libzmq's threads; `nil` leaves them unpinned.
  public let io: Int?

  /// These processors, whether or not they exist.
  public init(loop: Int, io: Int? = nil) {
    self.loop = loop
    self.io = io
  }

  /// Reads `LOOP` or `LOOP,IO`, numbers of processors as the kernel counts them.
  ///
  /// - Throws: ``StartError`` when the text has another form, or motiond may not run there.
  public init(_ text: String, available: [Int] = Affinity.available) throws {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0.trimmed) }
    guard (1...2).contains(parts.count), let loop = parts[0], let last = parts[parts.count - 1] else {
      throw StartError(
        "read the affinity", "\"\(text)\" is not LOOP or LOOP,IO",
        remedy: "Give the number of one processor or two, such as 0,1")
    }
    for cpu in [loop, last] where !available.contains(cpu) {
      throw StartError(
        "read the affinity", "processor \(cpu) does not exist, or motiond may not run on it",
        remedy: "Give one of \(available.map(String.init).joined(separator: ", ")), or omit the affinity",
        isNotFound: true)
    }
    self.init(loop: loop, io: parts.count == 2 ? last : nil)
  }

  /// The processors on which the process may run: those of its cpuset, of the first 1024.
  public static var available: [Int] { (0..<1024).filter { motion_cpu_is_allowed(Int32($0)) == 1 } }

  /// The processors, for people.
  public var description: String {
    "loop on processor \(loop)" + (io.map { ", libzmq's threads on \($0)" } ?? "")
  }

  /// Pins the calling thread to a processor; threads that it starts inherit that.
  ///
  /// - Returns: whether the kernel accepted it.
  static func pin(to cpu: Int) -> Bool { motion_pin_thread(Int32(clamping: cpu)) == 0 }
}
