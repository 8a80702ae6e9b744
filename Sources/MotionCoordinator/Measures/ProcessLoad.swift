import CLinux
import Glibc
import MotionModel

extension Status.Load {
  /// The load of the calling process: two queries of the kernel, some 20 µs.
  static var ofThisProcess: Status.Load {
    var load = Status.Load()
    var usage = rusage()
    if getrusage(Int32(RUSAGE_SELF.rawValue), &usage) == 0 {
      // Each wait that a thread entered by itself ended with a wake-up. Threads that have ended are counted too, which
      // /proc/PID/task no longer lists.
      load.wakeUps = UInt64(max(0, usage.ru_nvcsw))
      load.processorTime = seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }
    load.residentBytes = residentPages * UInt64(max(0, sysconf(Int32(_SC_PAGESIZE))))
    return load
  }

  private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) * 1e-6 }

  /// The second number of /proc/self/statm; 0 if that cannot be read.
  private static var residentPages: UInt64 {
    guard let bytes = try? FileBytes.read("/proc/self/statm", limit: 256) else { return 0 }
    return String(decoding: bytes, as: UTF8.self).split(separator: " ").dropFirst().first.flatMap { UInt64($0) } ?? 0
  }
}
