/// What a test may have otherwise than the program does.
package struct JournalOptions {
  /// How SQLite syncs. Anything less than FULL loses what was acknowledged when the power goes, which a test shows.
  package var synchronous = Synchronous.full
  /// The tables.
  var schema = JournalSchema.current
  /// Where the head lies.
  package var headStorage: (_ path: String, _ directory: String) -> any HeadStorage = { HeadDescriptor($0, in: $1) }
  /// Which names become durable when, for a test that loses power. (SQLite syncs its own.)
  package var syncFolder: (_ path: String) throws(JournalError) -> Void = Folder.sync
  /// Pages in the write-ahead log from which on they are copied into the database: SQLite's own default, 4 MiB. More makes
  /// opening slower and the log larger, less makes each page be written twice more often.
  package var logPages: Int32 = 1000

  /// As the program has it.
  package init() {}

  package enum Synchronous: Int {
    case normal = 1
    case full = 2

    var name: String { self == .full ? "FULL" : "NORMAL" }
  }
}
