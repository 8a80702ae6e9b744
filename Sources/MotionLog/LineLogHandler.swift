import Glibc
public import Logging
import MotionModel

/// Logs a line for each event to standard error, without waiting for whoever reads it.
///
/// What is logged may come from others: control characters are made visible, so that no line steers a terminal or looks like
/// two.
public struct LineLogHandler: LogHandler {
  /// What every line says besides its text.
  public var metadata: Logger.Metadata = [:]
  /// From which level on something is logged at all.
  public var logLevel = Logger.Level.info
  /// What every line says besides, asked for when it is logged: the simulated time, say.
  public var metadataProvider: Logger.MetadataProvider?

  private let label: String
  private let writer: LineWriter

  /// A handler for the program of this name, whose lines go where `writer` writes.
  public init(label: String, writer: LineWriter) {
    self.label = label
    self.writer = writer
  }

  /// Something that every line says.
  public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  /// Adds a line to those that are to be written.
  public func log(event: LogEvent) {
    var all = (metadataProvider?.get() ?? [:]).merging(metadata) { $1 }.merging(event.metadata ?? [:]) { $1 }
    if let error = event.error { all["error"] = "\(error)" }
    let pairs = all.sorted { $0.key < $1.key }.map { " \($0)=\($1)" }.joined()
    writer.write(Self.line(event.level, label, "\(pairs) [\(event.source)] \(event.message)"))
  }

  /// A line of this program that is about the log itself.
  public static func note(_ text: String, label: String) -> String {
    line(.warning, label, " [log] \(text)")
  }

  private static func line(_ level: Logger.Level, _ label: String, _ text: String) -> String {
    // The text may have lines of its own.
    "\(time()) \(level) \(label):\(ShownText.escaping(text).replacing("\n", with: "\\n"))\n"
  }

  /// Now, on the clock of the people of this place: "2026-11-22T21:11:00+0100".
  private static func time() -> String {
    var now = Glibc.time(nil)
    var parts = tm()
    localtime_r(&now, &parts)
    var text = [CChar](repeating: 0, count: 32)
    let count = strftime(&text, text.count, "%Y-%m-%dT%H:%M:%S%z", &parts)
    return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
