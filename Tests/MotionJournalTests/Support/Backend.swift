import MotionJournal
import MotionTestKit

/// Where the journals of a test lie, and how one is opened there.
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

/// Every kind of journal there is, for tests of what they have in common.
enum BackendKind: CaseIterable {
  case memory, sqlite

  func make() throws -> any Backend {
    switch self {
    case .memory: MemoryBackend()
    case .sqlite: try SQLiteBackend()
    }
  }
}
