import CLinux
import Glibc

/// A reference to a process, so that a signal never reaches another process with a reused process id: a pidfd.
public final class ProcessHandle {
  /// The descriptor to poll; readable when the process has ended.
  public let descriptor: Int32
  /// The process id.
  public let processID: Int32

  /// Holds on to the process with this number; `nil` if there is none.
  ///
  /// - Throws: ``SystemError`` when the system refuses for another reason.
  public init?(processID: Int32) throws(SystemError) {
    let descriptor = motion_pidfd_open(processID)
    guard descriptor >= 0 else {
      if errno == ESRCH { return nil }
      throw SystemError(code: errno, operation: "pidfd_open \(processID)")
    }
    self.descriptor = descriptor
    self.processID = processID
  }

  deinit { close(descriptor) }

  /// Sends a signal to the process; `false` if it has ended.
  @discardableResult
  public func send(signal: Int32) -> Bool { motion_pidfd_send_signal(descriptor, signal) == 0 }
}
