import MotionClient
import MotionModel

/// The prompt of the shell, which shows whether time stands and whether there is a daemon.
final class Prompt {
  /// The longest wait for the daemon's answer: a user waits at the keyboard. A handshake over a network takes longer.
  private static let (timeout, remoteTimeout) = (Duration.milliseconds(300), Duration.seconds(2))

  private static let absent = "motion (no daemon)> "

  private let connection: ConnectionOptions
  private var client: MotionClient?
  private var text = ""

  /// A prompt for the daemon of these options.
  init(_ connection: ConnectionOptions) {
    self.connection = connection
  }

  /// The prompt for the present state, which is queried.
  func present() -> String {
    guard let past = ShellSession.current?.past else { return presentState() }
    text = "motion (at \(past.shown)\(standing.map { ", \($0)" } ?? ""))> "
    return text
  }

  /// Whether the daemon's time stands, also while commands look back: other commands reach the daemon.
  private var standing: String? {
    do throws(MotionClientError) {
      return Self.standing(try connected().status().clock)
    } catch {
      if error.code != .timeout { client = nil }
      return nil
    }
  }

  private func presentState() -> String {
    do throws(MotionClientError) {
      text = Self.text(try connected().status().clock)
    } catch {
      text = error.code == .timeout ? "motion (no answer)> " : Self.absent
      if error.code != .timeout { client = nil }
    }
    return text
  }

  /// The prompt if the daemon has gone or returned since the last one. The check costs microseconds and does not wake
  /// the daemon.
  func changed() -> String? {
    // A daemon on another machine can only be asked: that is done for the next prompt.
    guard connection.connect == nil, ShellSession.current?.past == nil else { return nil }
    let before = text
    if let client {
      guard !client.isReachable else { return nil }
      self.client = nil
      text = Self.absent
    } else {
      _ = present()
    }
    return text == before ? nil : text
  }

  /// The prompt for a state of the clock.
  static func text(_ clock: ClockState) -> String {
    guard let standing = standing(clock) else { return "motion> " }
    return "motion (\(standing) \(NumberText.fixed(clock.time, digits: 3)) s)> "
  }

  private static func standing(_ clock: ClockState) -> String? {
    clock.stands ? clock.hold != nil ? "held" : "paused" : nil
  }

  private func connected() throws(MotionClientError) -> MotionClient {
    if let client { return client }
    let made = try connection.client(
      named: "motionctl shell", timeout: connection.connect == nil ? Self.timeout : Self.remoteTimeout)
    client = made
    return made
  }
}
