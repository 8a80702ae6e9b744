import MotionModel
import MotionWire

extension WorkerLink {
  /// The worker's progress in the link, and the data that exist only in it.
  enum State: Sendable {
    /// The worker sends hello, with retries, and has not been welcomed. Also the state after the coordinator fell
    /// silent; then the worker may be subscribed already, by an earlier welcome.
    case greeting(Request, isSubscribed: Bool)
    /// The worker was welcomed, and its events would be lost: its socket has not reported the coordinator's
    /// subscription. It continues to send hello, so that the coordinator does not fence it as silent.
    case subscribing(Request, tick: Tick?)
    /// The worker requests a snapshot, with retries, for the first time or because a command is missing.
    case awaitingSnapshot(SnapshotRequest)
    /// The worker holds its snapshot and executes commands and ticks in their order. A tick that announces a command waits
    /// until that command has arrived.
    case serving(WaitingTick?)
    /// The worker received the shutdown command, and its last events are not all acknowledged.
    case draining(since: Duration)
    /// The worker's process has to end.
    case ended
  }

  /// A request without an answer, hello or resync, and what has come before its answer.
  struct Request: Sendable {
    /// When it is resent.
    var retry: Retry
    /// Since when the worker has been without a snapshot: a resync that follows a hello continues its time.
    let since: Duration
    /// The commands that have come meanwhile.
    var commands = CommandBuffer()
  }

  /// A request for a snapshot.
  struct SnapshotRequest: Sendable {
    var request: Request
    /// The sequence of its first resync: answers to earlier ones are out of date.
    let first: UInt64
    /// The newest tick that has come meanwhile.
    var tick: Tick?
    /// Whether the executors act: they hold an earlier snapshot, and only a command is missing.
    let isActing: Bool
  }

  /// A tick that waits for the commands that it announced.
  struct WaitingTick: Sendable {
    /// Of several ticks only the newest counts.
    let tick: Tick
    /// When a snapshot is requested instead, because the commands are lost.
    var deadline: Duration
  }
}

extension WorkerLink.State {
  /// The request that is not answered.
  var request: WorkerLink.Request? {
    switch self {
    case .greeting(let request, _), .subscribing(let request, _): request
    case .awaitingSnapshot(let wait): wait.request
    case .serving, .draining, .ended: nil
    }
  }

  /// The tick that has not been run.
  var tick: Tick? {
    switch self {
    case .subscribing(_, let tick): tick
    case .awaitingSnapshot(let wait): wait.tick
    case .serving(let waiting): waiting?.tick
    case .greeting, .draining, .ended: nil
    }
  }

  /// Changes the request that is not answered.
  mutating func changeRequest(_ change: (inout WorkerLink.Request) -> Void) {
    // `ended` in between: the buffer of commands has one owner while it changes, and is not copied.
    switch self {
    case .greeting(var request, let isSubscribed):
      self = .ended
      change(&request)
      self = .greeting(request, isSubscribed: isSubscribed)
    case .subscribing(var request, let tick):
      self = .ended
      change(&request)
      self = .subscribing(request, tick: tick)
    case .awaitingSnapshot(var wait):
      self = .ended
      change(&wait.request)
      self = .awaitingSnapshot(wait)
    case .serving, .draining, .ended: break
    }
  }
}
