import Glibc
public import Logging

/// Logs to journald with fields: who looks for one plugin's troubles asks `journalctl MOTIOND_PLUGIN=tween`.
///
/// It never waits for journald. What journald is too busy for is lost and counted; what is logged while it is not there
/// goes to another handler.
public struct JournaldLogHandler: LogHandler {
  /// What every entry has as fields.
  public var metadata: Logger.Metadata = [:]
  /// From which level on something is logged at all.
  public var logLevel = Logger.Level.info
  /// What every entry has as fields besides, asked for when it is logged: the simulated time, say.
  public var metadataProvider: Logger.MetadataProvider?

  private let label: String
  private let socket: JournaldSocket
  private let otherwise: any LogHandler

  init(label: String, socket: JournaldSocket, otherwise: any LogHandler) {
    self.label = label
    self.socket = socket
    self.otherwise = otherwise
  }

  /// The handler for a program whose standard error goes to journald; `nil` if it goes anywhere else, a terminal or a file.
  ///
  /// - Parameters:
  ///   - environment: holds `JOURNAL_STREAM` if systemd has connected a descriptor to journald: its device and inode.
  ///   - otherwise: what logs while journald is not there.
  public init?(label: String, environment: [String: String], otherwise: any LogHandler) {
    self.init(label: label, environment: environment, path: JournaldSocket.usualPath, otherwise: otherwise)
  }

  init?(
    label: String, environment: [String: String], path: String, descriptor: Int32 = STDERR_FILENO,
    otherwise: any LogHandler
  ) {
    // Programs that we are started by may have had journald at their standard error and given us another.
    var status = stat()
    guard fstat(descriptor, &status) == 0, environment["JOURNAL_STREAM"] == "\(status.st_dev):\(status.st_ino)",
      let socket = JournaldSocket(path)
    else { return nil }
    self.init(label: label, socket: socket, otherwise: otherwise)
  }

  /// One field that every entry has.
  public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  /// Sends an entry, without waiting.
  public func log(event: LogEvent) {
    let all = (metadataProvider?.get() ?? [:]).merging(metadata) { $1 }.merging(event.metadata ?? [:]) { $1 }
    switch socket.send(JournaldEntry(event, metadata: all, label: label)) {
    case .sent: sayLost(after: event)
    // Not to the other handler: there one would wait.
    case .full: break
    case .absent:
      var event = event
      event.metadata = all
      otherwise.log(event: event)
    }
  }

  /// Says how many entries were lost, once one has got through.
  private func sayLost(after event: LogEvent) {
    let lost = socket.takeLost()
    guard lost > 0 else { return }
    var note = event
    (note.level, note.metadata) = (.warning, nil)
    note.message = "\(lost) lines before this one were too many for journald, and are lost"
    _ = socket.send(JournaldEntry(note, metadata: metadata, label: label))
  }
}
