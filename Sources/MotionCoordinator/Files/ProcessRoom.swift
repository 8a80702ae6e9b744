import CLinux
import Glibc

/// Checks that this process has the resources that it cannot run without. libzmq ends the process where a thread, a
/// descriptor or memory is missing, and so does motiond; a check beforehand makes that an error with a remedy.
public enum ProcessRoom {
  /// The most threads that motiond takes: a dozen of its own and of libzmq's, and those of Swift's runtime.
  static let threads = 20
  /// The least descriptors with which it can serve: half of them are for clients; with fewer even the first client gets
  /// no answer.
  static let descriptors: UInt64 = 128
  /// The least address space, in MiB, with which it can serve: stacks of 8 MiB for its threads, the arenas that the
  /// allocator reserves for each of them, and as much again for a show.
  static let addressSpace = 512

  /// Checks the resources. Closed standard streams are opened to nowhere, so that no socket takes their numbers.
  ///
  /// - Throws: ``StartError``.
  public static func check() throws {
    _ = motion_fill_standard_descriptors()
    var limit = rlimit()
    if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_max < descriptors {
      throw StartError(
        "start", "motiond may open at most \(limit.rlim_max) files and connections, and needs \(descriptors)",
        remedy: "Raise the limit (LimitNOFILE of the unit, or ulimit -n)")
    }
    guard canReserve(addressSpace << 20) else {
      throw StartError(
        "start",
        "the system allows motiond less than \(addressSpace) MiB of address space: \(String(cString: strerror(errno)))",
        remedy: "Raise the limit (LimitAS of the unit, or ulimit -v); MemoryMax of the unit limits the memory in use")
    }
    let code = startThreads(threads)
    guard code == 0 else {
      throw StartError(
        "start", "the system allows motiond fewer than \(threads) threads: \(String(cString: strerror(code)))",
        remedy: "Raise the limit (TasksMax and LimitNPROC of the unit, or ulimit -u), or end other processes")
    }
  }

  /// Whether so many bytes of address space can be reserved, which takes no memory.
  private static func canReserve(_ count: Int) -> Bool {
    let place = mmap(nil, count, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
    guard place != MAP_FAILED else { return false }
    munmap(place, count)
    return true
  }

  /// Starts so many threads at a time, and ends them.
  ///
  /// - Returns: 0, or the error number if not all of them could be started.
  private static func startThreads(_ count: Int) -> Int32 {
    let gate = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
    sem_init(gate, 0, 0)
    defer {
      sem_destroy(gate)
      gate.deallocate()
    }
    var threads: [pthread_t] = []
    var code: Int32 = 0
    while threads.count < count, code == 0 {
      var thread = pthread_t()
      code = pthread_create(
        &thread, nil,
        { argument in
          guard let gate = argument?.assumingMemoryBound(to: sem_t.self) else { return nil }
          while sem_wait(gate) != 0 {}
          return nil
        }, gate)
      if code == 0 { threads.append(thread) }
    }
    for _ in threads { sem_post(gate) }
    for thread in threads { pthread_join(thread, nil) }
    return code
  }
}
