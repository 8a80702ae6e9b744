import CLinux
import Glibc
import ZeroMQ

/// Ends what a worker has started and left behind, also what has left its group and its session.
///
/// Processes inherit their environment, and a worker's says which start of which worker it is: whoever still carries that
/// came from it. One that has emptied its environment and left the group escapes; a service manager's control group is
/// what holds those.
enum Descendants {
  /// How often the list of processes is read, so that what is started meanwhile is found too.
  private static let rounds = 8

  /// Ends every process but this one whose environment holds all of these variables.
  ///
  /// - Returns: how many were ended.
  static func end(carrying environment: [String: String]) -> Int {
    let marks = ["MOTION_LINK", "MOTION_EPOCH", "MOTION_INCARNATION"].compactMap { name in
      environment[name].map { "\(name)=\($0)" }
    }
    // Without these it is no worker's, and everything would match.
    guard marks.count == 3 else { return 0 }
    let texts = marks.map { strdup($0) }
    defer { for text in texts { free(text) } }
    let pointers = texts.map { UnsafePointer($0) }
    var ended = 0
    for _ in 0..<rounds {
      let found = processes().filter { $0 != getpid() && carries($0, pointers) }
      guard !found.isEmpty else { break }
      for processID in found {
        // Held before it is looked at again, so that the signal meets no other process of this number.
        guard let handle = try? ProcessHandle(processID: processID), carries(processID, pointers) else { continue }
        if handle.send(signal: SIGKILL) { ended += 1 }
      }
    }
    return ended
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
