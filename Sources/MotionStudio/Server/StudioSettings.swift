/// What an operator chooses.
public struct StudioSettings: Sendable {
  /// The address to listen at: one of this machine, such as `127.0.0.1`.
  public var host = "127.0.0.1"
  /// The port; 0 for any that is free. 8765 is the one that viewers suggest.
  public var port = 8765
  /// Where motiond is.
  public var motiond: MotiondAddress
  /// The folder of the page; `nil` for the built-in one.
  public var page: String?
  /// The folder of recordings that viewers may play; `nil` for none.
  public var recordings: String?
  /// The file that lists viewers with tokens of their own.
  public var viewersFile: String?
  /// Names of this server besides those of the machine: a tunnel's other end.
  public var hosts: [String] = []
  /// Origins of viewers that may connect, such as `https://app.foxglove.dev`.
  public var origins: [String] = []
  /// The targets with channels; the first thousand if there is none.
  public var channels: String?

  /// The defaults.
  public init(motiond: MotiondAddress) { self.motiond = motiond }
}

/// Why the server cannot start.
public struct StudioError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The problem.
  public let message: String
  /// What to do about it.
  public let remedy: String
  /// Whether the command line is the reason.
  public let isUsage: Bool

  init(_ message: String, remedy: String, isUsage: Bool = false) {
    (self.message, self.remedy, self.isUsage) = (message, remedy, isUsage)
  }

  /// The message with the remedy.
  public var description: String { "\(message). \(remedy)." }
}
