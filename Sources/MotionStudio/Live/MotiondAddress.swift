public import MotionClient
public import MotionWire

/// Where motiond is: in a directory of this machine, which may be a gateway's, or on another machine.
public enum MotiondAddress: Sendable {
  /// The first of these directories in which a daemon listens.
  case directories([RuntimePaths])
  /// A daemon on another machine.
  case remote(RemoteDaemon)

  /// Connects, for the calling thread.
  ///
  /// - Parameter interruption: a descriptor that ends every wait while it is readable.
  func connect(
    as name: String, timeout: Duration, interruptedBy interruption: Int32
  ) throws(MotionClientError) -> MotionClient {
    switch self {
    case .directories(let places):
      try MotionClient(connectingTo: places, name: name, timeout: timeout, interruptedBy: interruption)
    case .remote(let daemon):
      try MotionClient(connectingTo: daemon, name: name, timeout: timeout, interruptedBy: interruption)
    }
  }
}
