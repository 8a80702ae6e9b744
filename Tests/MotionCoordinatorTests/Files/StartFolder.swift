import Glibc
import LinuxSystem
import Logging
import MotionCore
import MotionJournal
import MotionModel
import MotionTestKit
import MotionWire

@testable import MotionCoordinator

/// Directories of a motiond that was started before, in which a test puts things of any kind in the place of files.
struct StartFolder {
  /// The kinds of things that may be found under a name.
  enum Kind: CaseIterable {
    case missing, emptyFile, garbageFile, emptyDirectory, filledDirectory, danglingLink, linkLoop, linkElsewhere, pipe
    case socket, writableByAll, ofAnotherUser, unreadable

    /// Whether this kind differs from others for the user of the tests.
    var isTested: Bool {
      switch self {
      case .ofAnotherUser: geteuid() == 0
      case .unreadable: geteuid() != 0
      default: true
      }
    }
  }

  let folder: TemporaryFolder
  /// The contents of all files, by their paths.
  private let files: [String: [UInt8]]
  private let directories = ["run", "run/client", "run/worker", "state", "state/journal"]

  /// Starts a motiond there twice, and lets it keep a row in its journal.
  init() async throws {
    folder = try TemporaryFolder()
    let name = folder.path
    for start in 0..<2 {
      let coordinator = try Self.coordinator(in: name)
      await coordinator.start()
      await coordinator.stop()
      guard start == 0 else { continue }
      let journal = try SQLiteJournal(at: "\(name)/state/journal")
      let entry = JournalEntry(.void, frame: Frame(number: 1, time: 0, dt: 0.01), time: 0)
      let last = try journal.contents().lastSequence
      try journal.append([JournalRow(sequence: last + 1, wallTime: 1, body: JournalCoding.bytes(of: entry))])
      journal.close()
    }
    var files: [String: [UInt8]] = [:]
    let kept =
      ["run/lock", "state/epoch", "state/epoch.lock", "state/journal.last"]
      + ["epoch", "head", "lock", "sqlite", "sqlite-wal"].map { "state/journal/journal.\($0)" }
    for file in kept { files[file] = try FileBytes.read("\(name)/\(file)", limit: 1 << 24) }
    self.files = files
  }

  func path(_ name: String) -> String { "\(folder.path)/\(name)" }
  var journal: String { path("state/journal") }

  /// Puts everything back as it was.
  func reset() throws {
    for name in ["run", "state", "elsewhere"] { folder.remove(name) }
    for name in directories { folder.make(name) }
    for (name, bytes) in files { try folder.write(bytes, to: name) }
  }

  // MARK: Starts

  private static func settings(in path: String, acceptsLoss: Bool) -> CoordinatorSettings {
    var settings = CoordinatorSettings(
      runtimeDirectory: "\(path)/run", stateDirectory: "\(path)/state", pluginPaths: [])
    settings.journalDirectory = "\(path)/state/journal"
    settings.acceptsLoss = acceptsLoss
    return settings
  }

  private static func coordinator(in path: String, acceptsLoss: Bool = false) throws -> Coordinator {
    try Coordinator(
      settings(in: path, acceptsLoss: acceptsLoss), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
  }

  /// The names that a start opens, relative to the folder.
  var names: [String] {
    let entries = StartEntries.all(Self.settings(in: folder.path, acceptsLoss: false))
    return (entries.runtime + entries.state + entries.journal).map { String($0.path.dropFirst(folder.path.count + 1)) }
  }

  /// Starts motiond, asks it for its status, and stops it.
  ///
  /// - Returns: the error of a start that failed.
  func start(acceptingLoss: Bool = false) async throws -> StartError? {
    let coordinator: Coordinator
    var attempts = 1000
    while true {
      attempts -= 1
      do {
        coordinator = try Self.coordinator(in: folder.path, acceptsLoss: acceptingLoss)
        break
      } catch let error as StartError {
        // The coordinator before is released by its own thread, and has the locks until then.
        guard error.isTaken || error.problem.contains("has this journal open"), attempts > 0 else { return error }
        usleep(5000)
      }
    }
    await coordinator.start()
    let status = await coordinator.status()
    await coordinator.stop()
    guard status.epoch > 0 else { throw TemporaryFolder.Problem(description: "motiond did not answer") }
    return nil
  }

  /// The problems that `motiond --check` reports.
  func check(acceptingLoss: Bool = false) -> [String] {
    Coordinator.check(Self.settings(in: folder.path, acceptsLoss: acceptingLoss)).problems
  }

  /// The error of `motionctl journal verify`; `nil` if it succeeds.
  func verify() -> String? {
    do {
      let inspection = try JournalInspection(of: journal)
      if let refusal = inspection.report.refusal { return "\(refusal)" }
      try inspection.checkStart()
      return nil
    } catch {
      return "\(error)"
    }
  }

  // MARK: Damage

  /// Puts a thing of a kind under a name.
  func put(_ kind: Kind, at name: String) throws {
    let place = path(name)
    // The folders of a replacement of the journal exist only during the replacement.
    if name.hasPrefix("state/journal/built/") { folder.make("state/journal/built") }
    switch kind {
    case .linkElsewhere:
      folder.make("elsewhere")
      let away = path("elsewhere/\(name.split(separator: "/").joined(separator: "-"))")
      if rename(place, away) != 0 { close(open(away, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)) }
      symlink(away, place)
      return
    case .writableByAll, .ofAnotherUser, .unreadable:
      if access(place, F_OK) != 0 { try folder.write("", to: name) }
      let isDirectory = mkdir("\(place)/probe", 0o700) == 0
      if isDirectory { rmdir("\(place)/probe") }
      switch kind {
      case .writableByAll: chmod(place, isDirectory ? 0o777 : 0o666)
      case .ofAnotherUser: chown(place, 61_234, 61_234)
      default: chmod(place, 0)
      }
      return
    default: break
    }
    folder.remove(name)
    switch kind {
    case .emptyFile: try folder.write("", to: name)
    case .garbageFile: try folder.write("this is nothing that motiond has written", to: name)
    case .emptyDirectory: folder.make(name)
    case .filledDirectory:
      folder.make(name)
      try folder.write("text", to: "\(name)/file")
    case .danglingLink: symlink("nowhere", place)
    case .linkLoop: symlink(place, place)
    case .pipe: mkfifo(place, 0o600)
    case .socket: mknod(place, S_IFSOCK | 0o600, 0)
    default: break
    }
  }
}
