import PowerLossVFS

@testable import MotionJournal

/// The head's file, whose writing is written down among SQLite's.
final class RecordedHead: HeadStorage {
  private let path: String
  private let file: HeadDescriptor

  init(_ path: String, in directory: String) {
    self.path = path
    file = HeadDescriptor(path, in: directory)
  }

  func read() throws(JournalError) -> [UInt8]? { try file.read() }

  func create() throws(JournalError) {
    try file.create()
    motion_recording_add(MOTION_FILE_CREATE, path, 0, nil, 0)
    motion_recording_add(MOTION_NAMES_SYNC, nil, 0, nil, 0)
  }

  func write(_ bytes: [UInt8], at offset: Int) throws(JournalError) {
    try file.write(bytes, at: offset)
    motion_recording_add(MOTION_FILE_WRITE, path, Int64(offset), bytes, bytes.count)
    motion_recording_add(MOTION_FILE_SYNC, path, 0, nil, 0)
  }

  func close() { file.close() }
}

extension JournalOptions {
  /// As they are in the program, with everything written down, and a log that is short, so that it begins anew often.
  static func recorded(_ synchronous: Synchronous = .full, logPages: Int32 = 12) -> JournalOptions {
    var options = JournalOptions()
    options.synchronous = synchronous
    options.logPages = logPages
    options.headStorage = { RecordedHead($0, in: $1) }
    options.syncFolder = { path throws(JournalError) in
      try Folder.sync(path)
      motion_recording_add(MOTION_NAMES_SYNC, nil, 0, nil, 0)
    }
    return options
  }
}
