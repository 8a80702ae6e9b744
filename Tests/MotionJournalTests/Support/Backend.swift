import MotionJournal
import MotionTestKit

/// The place of a test's journals, and the way to open one there.
protocol Backend: AnyObject {
  func open() throws(JournalError) -> any Journal
}

/// In memory.
final class MemoryBackend: Backend {
  let disk = MemoryDisk()

  func open() throws(JournalError) -> any Journal { try MemoryJournal(on: disk) }
}

/// On disk.
final class SQLiteBackend: Backend {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  func open() throws(JournalError) -> any Journal { try SQLiteJournal(at: "\(folder.path)/journal") }
}

/// Every kind of journal, for tests of their common behaviour.
enum BackendKind: CaseIterable {
  case memory, sqlite

  func make() throws -> any Backend {
    switch self {
    case .memory: MemoryBackend()
    case .sqlite: try SQLiteBackend()
    }
  }
}
