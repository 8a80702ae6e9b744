import MotionClient
import MotionModel
import MotionWire

/// The candidates that a shell offers for completion, queried from the running daemon; none if there is no daemon.
enum Candidates {
  /// The timeout: a user waits at the keyboard, so late candidates are worse than none.
  private static let timeout = Duration.milliseconds(300)

  /// The names of the targets.
  @Sendable static func targets(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
    asking { client throws(MotionClientError) in try client.targets().map(\.target.text) }
  }

  /// The types of intentions.
  @Sendable static func types(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
    asking { client throws(MotionClientError) in try client.types().map(\.type.text) }
  }

  /// The names of the plugins.
  @Sendable static func plugins(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
    asking { client throws(MotionClientError) in try client.plugins().map(\.name.text) }
  }

  private static func asking(_ question: (MotionClient) throws(MotionClientError) -> [String]) -> [String] {
    let places = RuntimePaths.candidates(environment: Console.environment)
    do {
      return try question(MotionClient(connectingTo: places, name: "motionctl completion", timeout: timeout))
    } catch {
      return []
    }
  }
}
