import Glibc
import LinuxSystem
import MotionModel
import MotionWire
import ZeroMQ

/// Sends the daemon a sign of life each second, from a thread of its own. Commits "while connected" therefore hold as
/// long as the client's process runs, independent of the client's own thread.
///
/// It has a socket of its own, because sockets do not change threads. The daemon identifies the client by its
/// incarnation.
final class PresenceKeeper {
  /// The interval: a third of the time after which a silent client counts as gone (design §5), so that two messages may
  /// get lost.
  static let interval = Duration.seconds(1)

  private let thread: pthread_t
  /// Ends the thread when it is signalled.
  private let end: EventCounter

  /// Starts the thread.
  init(
    _ door: Door, context: ZeroMQContext, incarnation: UInt64, name: String
  ) throws(MotionClientError) {
    let end: EventCounter
    do { end = try EventCounter() } catch { throw MotionClientError(.socket, error.description) }
    let body = ThreadBody {
      Self.run(until: end) { () throws(MotionClientError) in
        try ControlChannel(door, context: context, incarnation: incarnation, name: name)
      }
    }
    var thread = pthread_t()
    let box = Unmanaged.passRetained(body)
    // All signals are blocked in the thread, because they belong to the application.
    var (all, former) = (sigset_t(), sigset_t())
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &former)
    let result = pthread_create(&thread, nil, runThreadBody, box.toOpaque())
    pthread_sigmask(SIG_SETMASK, &former, nil)
    guard result == 0 else {
      box.release()
      throw MotionClientError(
        .socket, "cannot start a thread: \(String(cString: strerror(result)))",
        remedy: "Raise the limit of threads (ulimit -u)")
    }
    self.thread = thread
    self.end = end
  }

  /// Ends the thread and waits for it. The wait is short, because every wait of the thread includes the counter.
  deinit {
    end.signal()
    pthread_join(thread, nil)
  }

  /// The thread's loop. A socket error ends it; the daemon then correctly treats the client as gone.
  private static func run(until end: EventCounter, _ connect: () throws(MotionClientError) -> ControlChannel) {
    do {
      let channel = try connect()
      channel.wakes(for: end.descriptor)
      // Exact to the microsecond, unlike the timeout of a wait, so that the messages of all clients arrive together.
      let timer = try BootTimer()
      channel.wakes(for: timer.descriptor)
      var next = BootClock.now
      while !isReadable(end.descriptor) {
        let now = BootClock.now
        if now >= next {
          // At full seconds, like all clients. After a long suspension of the machine one message is enough.
          next = Beat.next(after: now, every: interval)
          try channel.sayAlive(deadline: now + interval, now: now)
        }
        timer.arm(at: next)
        try channel.wait(upTo: interval * 2)
        timer.acknowledge()
        try channel.catchUp()
      }
    } catch {
      return
    }
  }

  private static func isReadable(_ descriptor: Int32) -> Bool {
    var item = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&item, 1, 0) == 1
  }
}

/// The work of a thread.
private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

/// The entry point of a thread, which receives a retained ``ThreadBody``.
private func runThreadBody(_ box: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let box { Unmanaged<ThreadBody>.fromOpaque(box).takeRetainedValue().run() }
  return nil
}
