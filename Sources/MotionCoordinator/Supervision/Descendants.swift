import CLinux
import Glibc
import LinuxSystem
import ZeroMQ

/// Ends what a worker has started and left behind, also what has left its group and its session, and what an earlier start
/// of motiond has left.
///
/// Processes inherit their environment, and a worker's says which start of which worker it is: whoever still carries that
/// came from it. One that has emptied its environment and left the group escapes; a service manager's control group is
/// what holds those.
enum Descendants {
  /// How long a worker that has lost motiond may take to put its outputs to rest (`Worker.rest`), with what a busy machine
  /// adds.
  private static let restTime = Duration.milliseconds(1200)
  /// How often the list of processes is read, so that what is started meanwhile is found too.
  private static let rounds = 8

  /// Ends what a worker that was started with this environment has left.
  ///
  /// - Returns: how many processes were ended.
  static func end(carrying environment: [String: String]) -> Int {
    let marks = ["MOTION_LINK", "MOTION_EPOCH", "MOTION_INCARNATION"].compactMap { name in
      environment[name].map { "\(name)=\($0)" }
    }
    // Without these it is no worker's, and everything would match.
    return marks.count == 3 ? end(marked: marks) : 0
  }

  /// Ends the workers of earlier starts in a directory, and what these have started: whoever has its lock has no others
  /// yet.
  ///
  /// Those of a motiond in a container may have the same address of another directory; they see another one there. Whoever
  /// is putting its outputs to rest is waited for: nobody is to move them meanwhile.
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

  /// Which file a path leads to.
  private static func place(_ path: String) -> FileIdentity? {
    var status = stat()
    return stat(path, &status) == 0 ? FileIdentity(status) : nil
  }

  /// Ends every process but this one whose environment holds all of these variables.
  private static func end(marked marks: [String], where isMeant: (Int32) -> Bool = { _ in true }) -> Int {
    var ended = Set<Int32>()
    for _ in 0..<rounds {
      let found = processes(marked: marks).filter(isMeant)
      guard !found.isEmpty else { break }
      for processID in found {
        // Held before it is looked at again, so that the signal meets no other process of this number.
        guard let handle = try? ProcessHandle(processID: processID),
          !processes([processID], marked: marks).filter(isMeant).isEmpty
        else { continue }
        if handle.send(signal: SIGKILL) { ended.insert(processID) }
      }
    }
    return ended.count
  }

  /// Those, of all or of these, but this one, whose environment holds all of these variables.
  private static func processes(_ all: [Int32]? = nil, marked marks: [String]) -> [Int32] {
    let texts = marks.map { strdup($0) }
    defer { for text in texts { free(text) } }
    let pointers = texts.map { UnsafePointer($0) }
    return (all ?? processes()).filter { $0 != getpid() && carries($0, pointers) }
  }

  private static func processes() -> [Int32] {
    guard let directory = opendir("/proc") else { return [] }
    defer { closedir(directory) }
    var numbers: [Int32] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if let number = Int32(name) { numbers.append(number) }
    }
    return numbers
  }

  /// Whether a process has all the variables in its environment; of a zombie nothing can be read any more.
  private static func carries(_ processID: Int32, _ marks: [UnsafePointer<CChar>?]) -> Bool {
    motion_process_carries(processID, marks, Int32(marks.count)) == 1
  }
}
