import Glibc
public import Logging
import MotionModel

/// Logs a line for each event to standard error, without waiting for its reader.
///
/// Logged text may come from other processes. Control characters are escaped, so that no line controls a terminal or
/// looks like two lines.
public struct LineLogHandler: LogHandler {
  /// Metadata of every line.
  public var metadata: Logger.Metadata = [:]
  /// The lowest level that is logged.
  public var logLevel = Logger.Level.info
  /// Provides metadata when a line is logged, such as the simulated time.
  public var metadataProvider: Logger.MetadataProvider?

  private let label: String
  private let writer: LineWriter

  /// A handler for the program of this name, which writes its lines to `writer`.
  public init(label: String, writer: LineWriter) {
    self.label = label
    self.writer = writer
  }

  /// One entry of the metadata of every line.
  public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  /// Queues a line for the event.
  public func log(event: LogEvent) {
    var all = (metadataProvider?.get() ?? [:]).merging(metadata) { $1 }.merging(event.metadata ?? [:]) { $1 }
    if let error = event.error { all["error"] = "\(error)" }
    let pairs = all.sorted { $0.key < $1.key }.map { " \($0)=\($1)" }.joined()
    writer.write(Self.line(event.level, label, "\(pairs) [\(event.source)] \(event.message)"))
  }

  /// A line about the log itself.
  public static func note(_ text: String, label: String) -> String {
    line(.warning, label, " [log] \(text)")
  }

  private static func line(_ level: Logger.Level, _ label: String, _ text: String) -> String {
    // The text may contain line breaks.
    "\(time()) \(level) \(label):\(ShownText.escaping(text).replacing("\n", with: "\\n"))\n"
  }

  /// The local time: "2026-11-22T21:11:00+0100".
  private static func time() -> String {
    var now = Glibc.time(nil)
    var parts = tm()
    localtime_r(&now, &parts)
    var text = [CChar](repeating: 0, count: 32)
    let count = strftime(&text, text.count, "%Y-%m-%dT%H:%M:%S%z", &parts)
    return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
