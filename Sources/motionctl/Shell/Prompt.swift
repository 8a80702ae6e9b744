import MotionClient
import MotionModel

/// The prompt of the shell, which shows whether time stands and whether there is a daemon.
final class Prompt {
  /// The longest wait for the daemon's answer: a user waits at the keyboard.
  private static let timeout = Duration.milliseconds(300)

  private let connection: ConnectionOptions
  private var client: MotionClient?
  private var isLost = false

  /// A prompt for the daemon of these options.
  init(_ connection: ConnectionOptions) {
    self.connection = connection
  }

  /// The prompt for the present state, which is queried.
  func present() -> String {
    do throws(MotionClientError) {
      let client = try connected()
      let clock = try client.status().clock
      isLost = false
      return Self.text(clock)
    } catch {
      client = nil
      isLost = true
      return error.code == .unreachable ? "motion (no daemon)> " : "motion (no answer)> "
    }
  }

  /// The prompt if the daemon has gone or returned since the last one. The check costs microseconds and does not wake
  /// the daemon.
  func changed() -> String? {
    if let client { return client.isReachable ? nil : present() }
    // A daemon on another machine can only be asked: that is done for the next prompt.
    guard isLost, connection.connect == nil, (try? connected()) != nil else { return nil }
    return present()
  }

  /// The prompt for a state of the clock.
  static func text(_ clock: ClockState) -> String {
    guard clock.stands else { return "motion> " }
    return "motion (\(clock.hold != nil ? "held" : "paused") \(NumberText.fixed(clock.time, digits: 3)) s)> "
  }

  private func connected() throws(MotionClientError) -> MotionClient {
    if let client { return client }
    let made = try connection.client(named: "motionctl shell", timeout: Self.timeout)
    client = made
    return made
  }
}
