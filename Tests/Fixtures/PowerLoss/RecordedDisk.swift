import Glibc
package import MotionJournal
package import MotionTestKit
package import PowerLossVFS

/// The disk below a journal: the steps of SQLite and the head on their files are recorded and fail on demand, and after
/// a loss of power, some of the unsynced data is left, or none.
///
/// The owner ensures that only one thread at a time uses it.
package final class RecordedDisk: @unchecked Sendable {
  /// The place of the journal.
  package let directory: String
  private let recording: OpaquePointer
  /// The certain content of the files, as of the last call of `forgetWhatFailed` or `losePower`.
  private var images = CrashImages()

  /// Begins to record the steps on the files in a directory.
  package init(below directory: String) {
    self.directory = directory
    recording = motion_recording_begin("\(directory)/")
  }

  deinit { motion_recording_end(recording) }

  /// Opens the journal on it, as the program would.
  package func open(_ options: JournalOptions) throws(JournalError) -> SQLiteJournal {
    try SQLiteJournal(at: directory, acceptingLoss: false, options: options)
  }

  /// The program's options, with every step recorded; the given log may be short, so that it restarts often.
  package func options(_ synchronous: JournalOptions.Synchronous? = nil, logPages: Int32? = nil) -> JournalOptions {
    var options = JournalOptions()
    options.synchronous = synchronous ?? options.synchronous
    options.logPages = logPages ?? options.logPages
    let (storage, sync) = (options.headStorage, options.syncFolder)
    options.headStorage = { [self] in RecordedHead(storage($0, $1), at: $0, on: self) }
    options.syncFolder = { [self] path throws(JournalError) in
      try sync(path)
      add(MOTION_NAMES_SYNC)
    }
    return options
  }

  // MARK: Steps

  fileprivate func add(
    _ kind: motion_file_step_kind, _ path: String? = nil, at offset: Int = 0, _ bytes: [UInt8]? = nil
  ) {
    motion_recording_add(recording, kind, path, Int64(offset), bytes, bytes?.count ?? 0)
  }

  /// Records the promises made by now.
  package func mark(_ number: Int) { add(MOTION_MARK, at: number) }

  /// All steps since the beginning, or since the last call of `forgetWhatFailed` or `losePower`.
  package var steps: [FileStep] {
    (0..<motion_recording_count(recording)).map { FileStep(motion_recording_step(recording, $0)) }
  }

  // MARK: Faults

  /// Makes steps fail, after some more of that kind that do not; earlier failures end.
  ///
  /// - Parameters:
  ///   - kind: writing, truncating, syncing or removing, or all of that.
  ///   - suffix: the end of the names of the files whose steps fail.
  ///   - after: how many such steps there are before.
  ///   - times: how many fail.
  ///   - code: SQLite's.
  package func fail(
    _ kind: motion_file_step_kind = MOTION_ANY_STEP, of suffix: String = "", after: Int = 0, times: Int32 = .max,
    with code: Int32
  ) {
    motion_fault_set(recording, kind, suffix, Int32(after), times, code)
  }

  /// No step fails any more.
  package func heal() { motion_fault_clear(recording) }

  /// The number of steps that have failed since the last call of `fail`.
  package var failures: Int { Int(motion_fault_count(recording)) }

  /// The number of steps of that kind after the first that failed.
  package var stepsAfterFailure: Int { Int(motion_fault_calls_after(recording)) }

  /// The result of a step that is not SQLite's.
  fileprivate func mayFail(_ kind: motion_file_step_kind, _ path: String) throws(JournalError) {
    guard motion_fault_next(recording, kind, path) != 0 else { return }
    throw JournalError(.broken, at: path, "cannot write it: Input/output error", remedy: "Check the disk (dmesg)")
  }

  // MARK: Remaining content

  /// Written data that could not be synced is lost, or some of it: a process that reopens the files sees the disk's
  /// content.
  ///
  /// - Throws: what keeps the files from being written.
  package func forgetWhatFailed(_ random: inout SeededRandom) throws {
    takeSteps(&random)
    try write(images.afterFailures())
  }

  /// Simulates a loss of power: the files contain the synced data, and some of the unsynced data. No process may have
  /// them open.
  package func losePower(_ random: inout SeededRandom) throws {
    takeSteps(&random)
    try write(images.afterLossOfPower(&random))
  }

  private func takeSteps(_ random: inout SeededRandom) {
    for step in steps { images.apply(step, &random) }
    motion_recording_clear(recording)
  }

  private func write(_ files: [(path: String, bytes: [UInt8]?)]) throws {
    for (path, bytes) in files {
      guard let bytes else {
        unlink(path)
        continue
      }
      let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw TemporaryFolder.Problem(description: path) }
      defer { close(descriptor) }
      guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
        throw TemporaryFolder.Problem(description: path)
      }
    }
  }
}

/// The head's file, whose writes are recorded among SQLite's.
private final class RecordedHead: HeadStorage {
  private let file: any HeadStorage
  private let path: String
  private let disk: RecordedDisk

  init(_ file: any HeadStorage, at path: String, on disk: RecordedDisk) {
    (self.file, self.path, self.disk) = (file, path, disk)
  }

  func read() throws(JournalError) -> [UInt8]? { try file.read() }

  func create() throws(JournalError) {
    try file.create()
    disk.add(MOTION_FILE_CREATE, path)
    disk.add(MOTION_NAMES_SYNC)
  }

  func write(_ bytes: [UInt8], at offset: Int) throws(JournalError) {
    do {
      try disk.mayFail(MOTION_FILE_WRITE, path)
    } catch {
      try put(Array(bytes.prefix(bytes.count / 2)), at: offset)
      throw error
    }
    try put(bytes, at: offset)
    do {
      try disk.mayFail(MOTION_FILE_SYNC, path)
    } catch {
      disk.add(MOTION_FILE_SYNC_FAILED, path)
      throw error
    }
    disk.add(MOTION_FILE_SYNC, path)
  }

  private func put(_ bytes: [UInt8], at offset: Int) throws(JournalError) {
    try file.write(bytes, at: offset)
    disk.add(MOTION_FILE_WRITE, path, at: offset, bytes)
  }

  func close() { file.close() }
}
