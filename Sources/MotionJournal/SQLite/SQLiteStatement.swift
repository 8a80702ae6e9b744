import CSQLite
import GRDB

/// A statement for tens of thousands of rows: bytes are bound and read without a copy.
///
/// GRDB's own statements pass each value through a `Data` and an enumeration, which costs more than SQLite itself.
final class SQLiteStatement {
  private let connection: OpaquePointer
  private let statement: OpaquePointer

  /// Prepares a statement for repeated use.
  init(_ sql: String, in database: Database) throws {
    guard let connection = database.sqliteConnection else { throw DatabaseError(resultCode: .SQLITE_MISUSE) }
    var prepared: OpaquePointer?
    let code = sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard code == SQLITE_OK, let prepared else { throw Self.error(code, connection) }
    self.connection = connection
    statement = prepared
  }

  deinit { sqlite3_finalize(statement) }

  /// A value for a question mark.
  enum Value {
    case integer(Int64)
    case bytes([UInt8])

    static func integer(_ number: UInt64) -> Value { .integer(Int64(bitPattern: number)) }
  }

  /// Runs the statement to its end with these values.
  func run(_ values: Value...) throws {
    try query(values) { _ in }
  }

  /// Runs the statement with these values, and calls `row` with each row.
  func query(_ values: [Value], row: (borrowing Columns) throws -> Void) throws {
    defer {
      sqlite3_reset(statement)
      sqlite3_clear_bindings(statement)
    }
    try bind(values[...], row: row)
  }

  /// Binds the first of `values` while the others are bound and the statement runs, so that nothing is copied.
  private func bind(_ values: ArraySlice<Value>, row: (borrowing Columns) throws -> Void) throws {
    guard let value = values.first else { return try step(row) }
    let index = Int32(values.startIndex) + 1
    switch value {
    case .integer(let number):
      try check(sqlite3_bind_int64(statement, index, number))
      try bind(values.dropFirst(), row: row)
    case .bytes(let bytes):
      try bytes.withUnsafeBytes { pointer in
        // An empty blob needs an address; otherwise SQLite binds NULL.
        let code =
          bytes.isEmpty
          ? sqlite3_bind_zeroblob(statement, index, 0)
          : sqlite3_bind_blob64(statement, index, pointer.baseAddress, UInt64(bytes.count), nil)
        try check(code)
        try bind(values.dropFirst(), row: row)
      }
    }
  }

  private func step(_ row: (borrowing Columns) throws -> Void) throws {
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW: try row(Columns(statement: statement))
      case SQLITE_DONE: return
      case let code: throw Self.error(code, connection)
      }
    }
  }

  private func check(_ code: Int32) throws {
    guard code == SQLITE_OK else { throw Self.error(code, connection) }
  }

  private static func error(_ code: Int32, _ connection: OpaquePointer) -> DatabaseError {
    DatabaseError(
      resultCode: ResultCode(rawValue: code), message: sqlite3_errmsg(connection).map { String(cString: $0) })
  }

  /// The columns of the current row.
  struct Columns: ~Copyable {
    fileprivate let statement: OpaquePointer

    /// A number; other values are converted by SQLite.
    func integer(_ index: Int32) -> Int64 { sqlite3_column_int64(statement, index) }

    /// An unsigned number.
    func natural(_ index: Int32) -> UInt64 { UInt64(bitPattern: integer(index)) }

    /// Bytes; empty for NULL.
    func bytes(_ index: Int32) -> [UInt8] {
      guard let start = sqlite3_column_blob(statement, index) else { return [] }
      return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, index))))
    }

    /// A digest; `nil` if the value is not a digest.
    func digest(_ index: Int32) -> Digest? {
      guard let start = sqlite3_column_blob(statement, index) else { return nil }
      return Digest(
        stored: UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, index))))
    }
  }
}
