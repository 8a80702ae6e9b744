import CLinux
import Glibc
import MotionWire

/// Tells the daemon each second that a client is there, from a thread of its own, so that what the client committed
/// "while connected" holds for as long as its process runs, whatever its own thread does.
///
/// It has a socket of its own, because sockets do not change threads; the daemon knows the client by its incarnation.
final class PresenceKeeper {
  /// How often it says so: a third of the time after which a silent client is taken for gone (design §5), so that two
  /// words may get lost.
  static let interval = Duration.seconds(1)

  private let thread: pthread_t
  /// An eventfd that ends the thread when it is written to.
  private let wake: Int32

  /// Starts the thread.
  init(endpoint: String, context: Context, incarnation: UInt64, name: String) throws(MotionClientError) {
    let wake = eventfd(0, Int32(EFD_CLOEXEC.rawValue) | Int32(EFD_NONBLOCK.rawValue))
    guard wake >= 0 else {
      throw MotionClientError(
        .socket, "no eventfd: \(String(cString: strerror(errno)))",
        remedy: "Raise the limit of open files (ulimit -n)")
    }
    let body = ThreadBody {
      Self.run(endpoint: endpoint, context: context, incarnation: incarnation, name: name, wake: wake)
    }
    var thread = pthread_t()
    let box = Unmanaged.passRetained(body)
    let result = pthread_create(&thread, nil, { box in
      guard let box else { return nil }
      Unmanaged<ThreadBody>.fromOpaque(box).takeRetainedValue().run()
      return nil
    }, box.toOpaque())
    guard result == 0 else {
      box.release()
      close(wake)
      throw MotionClientError(
        .socket, "no thread: \(String(cString: strerror(result)))", remedy: "Raise the limit of threads (ulimit -u)")
    }
    self.thread = thread
    self.wake = wake
  }

  /// Ends the thread and waits for it: it never waits itself without looking at the eventfd.
  deinit {
    var one: UInt64 = 1
    _ = write(wake, &one, 8)
    pthread_join(thread, nil)
    close(wake)
  }

  private final class ThreadBody: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// The thread. A socket that fails ends it: the daemon then takes the client for gone, which is the truth.
  private static func run(endpoint: String, context: Context, incarnation: UInt64, name: String, wake: Int32) {
    do {
      let channel = try ControlChannel(endpoint: endpoint, context: context, incarnation: incarnation, name: name)
      var next = BootClock.now
      while !isReadable(wake) {
        let now = BootClock.now
        if now >= next {
          // After a long standstill (a suspended machine) one word is enough.
          next = max(next, now - interval) + interval
          try channel.sayAlive(deadline: next, now: now)
        }
        try channel.wait(upTo: next - now, orFor: wake)
        try channel.catchUp()
      }
    } catch {
      return
    }
  }

  private static func isReadable(_ descriptor: Int32) -> Bool {
    var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return Glibc.poll(&poll, 1, 0) == 1
  }
}
