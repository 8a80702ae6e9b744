import Glibc

/// Why a coordinator cannot start: the problem and the remedy.
public struct StartError: Error, Sendable, CustomStringConvertible {
  /// The step that failed.
  public let step: String
  /// The problem.
  public let problem: String
  /// The remedy.
  public let remedy: String

  /// Whether the setting is well-formed, but names something that this machine lacks, such as a group or a processor.
  public let isNotFound: Bool

  /// Whether the problem may pass by itself, such as a full disk: the same start may succeed later.
  public let mayPass: Bool

  /// Whether another motiond holds the resource.
  let isTaken: Bool

  /// All three as sentences.
  public var description: String { "\(step): \(problem). \(remedy)" }

  init(
    _ step: String, _ problem: String, remedy: String, isNotFound: Bool = false, mayPass: Bool = false,
    isTaken: Bool = false
  ) {
    self.step = step
    self.problem = problem
    self.remedy = remedy
    self.isNotFound = isNotFound
    self.mayPass = mayPass
    self.isTaken = isTaken
  }

  /// A system call failed while a file was being written or made.
  init(writing step: String, _ code: Int32 = errno, remedy: String) {
    self.init(
      step, String(cString: strerror(code)), remedy: remedy, mayPass: [ENOSPC, EDQUOT, EROFS].contains(code))
  }
}
