import MotionClient
import MotionModel
import MotionWire

/// What a shell offers to complete: asked of the running daemon; nothing when there is none.
enum Candidates {
  /// Somebody waits at the keyboard: rather no candidates than late ones.
  private static let timeout = Duration.milliseconds(300)

  /// The targets.
  @Sendable static func targets(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
    asking { client throws(MotionClientError) in try client.targets().map(\.target.text) }
  }

  /// The types of intentions.
  @Sendable static func types(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
    asking { client throws(MotionClientError) in try client.types().map(\.type.text) }
  }

  /// The plugins.
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
