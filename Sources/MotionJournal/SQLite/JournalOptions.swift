/// Settings that a test may change.
package struct JournalOptions {
  /// How SQLite syncs. With less than FULL, a power loss removes acknowledged rows, which a test shows.
  package var synchronous = Synchronous.full
  /// The tables.
  var schema = JournalSchema.current
  /// The storage of the head.
  package var headStorage: (_ path: String, _ directory: String) -> any HeadStorage = { HeadDescriptor($0, in: $1) }
  /// Makes the names in a directory durable; replaced by tests of power loss. (SQLite syncs its own names.)
  package var syncFolder: (_ path: String) throws(JournalError) -> Void = Folder.sync
  /// The number of pages in the write-ahead log from which on they are copied into the database: SQLite's own default,
  /// 4 MiB. A higher number makes opening slower and the log larger. A lower number writes each page twice more often.
  package var logPages: Int32 = 1000

  /// The settings of the program.
  package init() {}

  package enum Synchronous: Int {
    case normal = 1
    case full = 2

    var name: String { self == .full ? "FULL" : "NORMAL" }
  }
}
