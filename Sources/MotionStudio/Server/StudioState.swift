import LinuxSystem
import Logging
import NIOCore
import Synchronization

/// What all connections share: who is admitted, how many connections there are, and the log. Any thread may use it.
final class StudioState: Sendable {
  /// The connections.
  private struct Connections {
    var count = 0
    var viewers: [ObjectIdentifier: (channel: any Channel, grant: Access.Grant)] = [:]
  }

  let settings: StudioSettings
  /// Identifies this run: viewers drop what they know when it is another one.
  let session: String
  private let access: Mutex<Access>
  private let connections = Mutex(Connections())
  private let reports = Mutex<[String: ReportLimit]>([:])
  private let logger: Logger

  init(_ settings: StudioSettings, _ access: Access, logger: Logger) {
    (self.settings, self.logger) = (settings, logger)
    session = String(AccessToken.random().text.prefix(16))
    self.access = Mutex(access)
  }

  // MARK: Access

  func decide(_ request: HTTPRequest) -> Access.Decision { access.withLock { $0.decide(request) } }

  /// Exchanges a token for a cookie, as a header field has it.
  func exchange(_ body: [UInt8]) -> String? {
    access.withLock { access in
      access.exchange(body).map { "\(access.cookieName)=\($0); Path=/; HttpOnly; SameSite=Strict" }
    }
  }

  /// Takes another list of viewers, and disconnects those that are no longer on it.
  func follow(_ viewers: ViewerList) {
    access.withLock { $0.viewers = viewers }
    let current = access.withLock { $0 }
    let revoked = connections.withLock { $0.viewers.values.filter { !current.isValid($0.grant) } }
    for (channel, grant) in revoked {
      log("The token of the viewer \(grant.name) was revoked: its connection is closed")
      channel.close(promise: nil)
    }
  }

  // MARK: Connections

  /// Counts a connection; false if there are too many.
  func connect() -> Bool {
    connections.withLock { connections in
      guard connections.count < StudioLimits.connections else { return false }
      connections.count += 1
      return true
    }
  }

  func disconnect() { connections.withLock { $0.count -= 1 } }

  /// Counts a viewer; false if there are too many.
  func join(_ channel: any Channel, _ grant: Access.Grant) -> Bool {
    connections.withLock { connections in
      guard connections.viewers.count < StudioLimits.viewers else { return false }
      connections.viewers[ObjectIdentifier(channel)] = (channel, grant)
      return true
    }
  }

  func leave(_ channel: any Channel) {
    _ = connections.withLock { $0.viewers.removeValue(forKey: ObjectIdentifier(channel)) }
  }

  // MARK: Log

  func log(_ message: String) { logger.notice("\(message)") }

  /// Logs a refusal. Strangers cause them, so each kind has ten lines in ten seconds.
  func refused(_ kind: String, _ reason: @autoclosure () -> String) {
    let line = reports.withLock { reports in
      var limit = reports[kind] ?? ReportLimit(10, per: .seconds(10))
      defer { reports[kind] = limit }
      return limit.line("Refused: \(reason())", at: BootClock.now)
    }
    if let line { logger.warning("\(line)") }
  }
}
