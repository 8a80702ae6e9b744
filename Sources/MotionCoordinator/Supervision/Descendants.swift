import CLinux
import Glibc
import LinuxSystem
import ZeroMQ

/// Ends the descendants that a worker has left behind, including those outside its group and session, and the processes
/// that an earlier start of motiond has left.
///
/// Processes inherit their environment, and a worker's environment names its start and incarnation: a process that
/// still carries it is a descendant. A process that has emptied its environment and left the group escapes; only a
/// service manager's control group holds those.
enum Descendants {
  /// How long a worker that has lost motiond may take to put its outputs to rest (`Worker.rest`), with a margin for a
  /// busy machine.
  private static let restTime = Duration.milliseconds(1200)
  /// How often the list of processes is read, so that processes started meanwhile are found too.
  private static let rounds = 8

  /// Ends the descendants of a worker that was started with this environment.
  ///
  /// - Returns: how many processes were ended.
  static func end(carrying environment: [String: String]) -> Int {
    let marks = ["MOTION_LINK", "MOTION_EPOCH", "MOTION_INCARNATION"].compactMap { name in
      environment[name].map { "\(name)=\($0)" }
    }
    // Without all three it is no worker's environment, and every process would match.
    return marks.count == 3 ? end(marked: marks) : 0
  }

  /// Ends the workers of earlier starts in a directory, and their descendants. The holder of the directory's lock has
  /// no workers of its own yet.
  ///
  /// Workers of a motiond in a container may have the same address of another directory; they are distinguished by the
  /// directory that they see there. Workers that are putting their outputs to rest are waited for: no other process may
  /// move these outputs meanwhile.
  /// - Returns: how many processes were ended.
  static func end(ofEarlierStartsIn directory: RuntimeDirectory) -> Int {
    guard let own = place(directory.workers) else { return 0 }
    let link = "MOTION_LINK=\(directory.link.address)"
    func isOfOurs(_ processID: Int32) -> Bool { place("/proc/\(processID)/root\(directory.workers)") == own }
    let due = BootClock.now + restTime
    while BootClock.now < due, !processes(marked: [link, "MOTION_ON_LOST=rest"]).filter(isOfOurs).isEmpty {
      poll(nil, 0, 10)
    }
    return end(marked: [link], where: isOfOurs)
  }

  /// The identity of the file at a path.
  private static func place(_ path: String) -> FileIdentity? {
    var status = stat()
    return stat(path, &status) == 0 ? FileIdentity(status) : nil
  }

  /// Ends every process, except this one, whose environment holds all of these variables.
  private static func end(marked marks: [String], where isMeant: (Int32) -> Bool = { _ in true }) -> Int {
    var ended = Set<Int32>()
    for _ in 0..<rounds {
      let found = processes(marked: marks).filter(isMeant)
      guard !found.isEmpty else { break }
      for processID in found {
        // A descriptor is opened before the second check, so that the signal reaches no other process with this number.
        guard let handle = try? ProcessHandle(processID: processID),
          !processes([processID], marked: marks).filter(isMeant).isEmpty
        else { continue }
        if handle.send(signal: SIGKILL) { ended.insert(processID) }
      }
    }
    return ended.count
  }

  /// The processes whose environment holds all of these variables, of all processes or of these; never this process.
  private static func processes(_ all: [Int32]? = nil, marked marks: [String]) -> [Int32] {
    let texts = marks.map { strdup($0) }
    defer { for text in texts { free(text) } }
    let pointers = texts.map { UnsafePointer($0) }
    return (all ?? processes()).filter { $0 != getpid() && carries($0, pointers) }
  }

  private static func processes() -> [Int32] { (FolderEntries.names(in: "/proc") ?? []).compactMap { Int32($0) } }

  /// Whether a process has all the variables in its environment; the environment of a zombie cannot be read.
  private static func carries(_ processID: Int32, _ marks: [UnsafePointer<CChar>?]) -> Bool {
    motion_process_carries(processID, marks, Int32(marks.count)) == 1
  }
}
