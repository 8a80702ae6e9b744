import Glibc
import LinuxSystem
import ZeroMQ

/// The machine that this process runs on.
struct LinuxMachine: Machine {
  var now: Duration { BootClock.now }

  var wallTime: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  var boot: String {
    let bytes = try? FileBytes.read("/proc/sys/kernel/random/boot_id", limit: 256)
    return String(decoding: (bytes ?? []).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }

  var waits: Bool { true }

  func alarm() throws(SystemError) -> any Alarm { try BootTimer() }

  func start(_ name: StaticString, _ make: @escaping @Sendable () -> any TurnTaking) -> any RunningThread {
    OwnThread.start(name) {
      var body = make()
      while body.turn(waits: true) {}
    }
    return Started()
  }

  func processes(admission: AdmissionThread?) throws(SystemError) -> any ProcessTable {
    try WorkerProcesses(admission: admission)
  }

  func sender(of message: Message) -> PeerName? { message.sender }

  func connection(of message: Message) -> Int32? { message.descriptor }

  /// The descriptor belongs to libzmq, which closes it after the disconnection, and its number may then be reused for
  /// another connection. That connection is then taken for the first, which costs an answer that no client reads.
  func isConnected(_ descriptor: Int32) -> Bool {
    // POLLRDHUP: a peer at the other end of tcp has closed its side. Glibc defines it for C programs only.
    let closed: Int16 = 0x2000
    // A number that is a file or a pipe by now is that of no connection.
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return false }
    var entry = pollfd(fd: descriptor, events: closed, revents: 0)
    guard poll(&entry, 1, 0) > 0 else { return true }
    return entry.revents & (closed | Int16(POLLHUP | POLLERR | POLLNVAL)) == 0
  }

  func endLeftovers(of directory: RuntimeDirectory) -> Int { Descendants.end(ofEarlierStartsIn: directory) }

  /// The thread ends by itself.
  private struct Started: RunningThread {
    func finish() {}
  }
}

extension BootTimer: Alarm {}
