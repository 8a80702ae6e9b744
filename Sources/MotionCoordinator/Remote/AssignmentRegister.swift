import Glibc
import LinuxSystem
import MotionModel
import Synchronization
import ZeroMQ

/// Stores across restarts which process has the assignment of a remote worker. Another process gets it only when the
/// lease of that process is certainly over, and a coordinator that was just started has no leases.
///
/// It is written before an assignment passes to another process, on a thread of its own; assignments change hands
/// rarely.
final class AssignmentRegister: Sendable {
  private struct State {
    var saved: [WorkerAddress: UInt64] = [:]
    var wanted: [WorkerAddress: UInt64] = [:]
    var isWriting = false
    var problem: String?
  }

  private let state: Mutex<State>
  private let directory: String
  private var path: String { "\(directory)/assignments" }

  /// More bytes than the assignments can take: 16 instances of 64 plugins, a line of 100 bytes for each.
  private static let longest = 262_144

  /// Reads the file of an earlier start in the state directory.
  ///
  /// - Throws: ``StartError`` when the file is damaged or cannot be read.
  init(in directory: String) throws {
    self.directory = directory
    let assignments = try Self.read("\(directory)/assignments")
    state = Mutex(State(saved: assignments, wanted: assignments))
  }

  /// An empty register, which replaces the file of an earlier start with its first change.
  init(replacing directory: String) {
    self.directory = directory
    state = Mutex(State())
  }

  /// The last known holder of an assignment.
  func holder(of worker: WorkerAddress) -> UInt64? { state.withLock { $0.saved[worker] } }

  /// Whether the assignment of `claimant` is on disk. If it is not, writing it begins; the caller has to retry.
  ///
  /// - Throws: the reason why it cannot be written.
  func isSaved(_ claimant: UInt64, as worker: WorkerAddress) throws(AssignmentRegisterError) -> Bool {
    try save(claimant, as: worker)
  }

  /// Removes an assignment, which its holder has released. Written when there is time.
  func forget(_ worker: WorkerAddress) { _ = try? save(nil, as: worker) }

  private func save(_ claimant: UInt64?, as worker: WorkerAddress) throws(AssignmentRegisterError) -> Bool {
    let (isSaved, begins, problem) = state.withLock { state -> (Bool, Bool, String?) in
      if state.saved[worker] == claimant && state.wanted[worker] == claimant { return (true, false, nil) }
      state.wanted[worker] = claimant
      defer { state.problem = nil }
      let begins = !state.isWriting
      state.isWriting = true
      return (false, begins, state.problem)
    }
    if begins {
      let status = OwnThread.begin("assignments") { self.write() }
      if status != 0 {
        state.withLock {
          ($0.isWriting, $0.problem) = (false, "its thread cannot be started: \(String(cString: strerror(status)))")
        }
      }
    }
    if let problem { throw AssignmentRegisterError(description: problem) }
    return isSaved
  }

  private func write() {
    while true {
      let wanted = state.withLock(\.wanted)
      let text = wanted.sorted { $0.key < $1.key }.map { "\($0.key) \(String($0.value, radix: 16))\n" }.joined()
      let problem: String?
      do {
        try SyncedFile.write(text, to: path)
        problem = nil
      } catch {
        problem = "\(error)"
      }
      let isDone = state.withLock { state in
        if problem == nil { state.saved = wanted }
        state.problem = problem
        let isDone = problem != nil || state.wanted == wanted
        if isDone { state.isWriting = false }
        return isDone
      }
      if isDone { return }
    }
  }

  private static func read(_ path: String) throws -> [WorkerAddress: UInt64] {
    guard access(path, F_OK) == 0 else { return [:] }
    let bytes: [UInt8]
    do {
      bytes = try FileBytes.read(path, limit: longest)
    } catch {
      throw StartError(
        "read \(path)", "\(error)",
        remedy: "Move it away: mv \(ShellWord.quoting(path)) \(ShellWord.quoting(path + ".damaged"))")
    }
    var assignments: [WorkerAddress: UInt64] = [:]
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count == 2, let dot = words[0].lastIndex(of: "."),
        let plugin = try? PluginName(String(words[0][..<dot])),
        let instance = Int(words[0][words[0].index(after: dot)...]), let claimant = UInt64(words[1], radix: 16)
      else {
        throw StartError(
          "read \(path)", "\"\(line.prefix(32))\" is not an assignment (PLUGIN.INSTANCE CLAIMANT)",
          remedy:
            "Wait 20 s, so that the leases of all remote workers are over, and remove the file: rm \(ShellWord.quoting(path))"
        )
      }
      assignments[WorkerAddress(plugin, instance)] = claimant
    }
    return assignments
  }
}

/// The holder of an assignment cannot be written to disk.
struct AssignmentRegisterError: Error, CustomStringConvertible {
  let description: String
}
