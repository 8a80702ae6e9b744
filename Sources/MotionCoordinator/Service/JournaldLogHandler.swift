import Glibc
public import Logging

/// Logs to journald with fields: `journalctl MOTIOND_PLUGIN=tween` shows the entries about one plugin.
///
/// It never waits for journald. Entries that journald is too busy for are lost and counted; while journald is not
/// running, entries go to another handler.
public struct JournaldLogHandler: LogHandler {
  /// The metadata that every entry has as fields.
  public var metadata: Logger.Metadata = [:]
  /// The lowest level that is logged.
  public var logLevel = Logger.Level.info
  /// The further metadata of every entry, read when it is logged, such as the simulated time.
  public var metadataProvider: Logger.MetadataProvider?

  private let label: String
  private let socket: JournaldSocket
  private let otherwise: any LogHandler

  init(label: String, socket: JournaldSocket, otherwise: any LogHandler) {
    self.label = label
    self.socket = socket
    self.otherwise = otherwise
  }

  /// The handler for a program whose standard error goes to journald; `nil` if it goes anywhere else, such as a
  /// terminal or a file.
  ///
  /// - Parameters:
  ///   - environment: holds `JOURNAL_STREAM` if systemd has connected a descriptor to journald: its device and inode.
  ///   - otherwise: the handler while journald is not running.
  public init?(label: String, environment: [String: String], otherwise: any LogHandler) {
    self.init(label: label, environment: environment, path: JournaldSocket.usualPath, otherwise: otherwise)
  }

  init?(
    label: String, environment: [String: String], path: String, descriptor: Int32 = STDERR_FILENO,
    otherwise: any LogHandler
  ) {
    // The parent program may have had journald at its standard error and given this process another.
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
    // Not to the other handler, which would wait.
    case .full: break
    case .absent:
      var event = event
      event.metadata = all
      otherwise.log(event: event)
    }
  }

  /// Reports how many entries were lost, once one has been sent.
  private func sayLost(after event: LogEvent) {
    let lost = socket.takeLost()
    guard lost > 0 else { return }
    var note = event
    (note.level, note.metadata) = (.warning, nil)
    note.message = "\(lost) lines before this one are lost, because journald did not accept them in time"
    _ = socket.send(JournaldEntry(note, metadata: metadata, label: label))
  }
}
