import Glibc
import LinuxSystem
import MotionClient
import MotionModel
import MotionWire

/// The loop of a viewer's thread: executes the decisions of ``LiveConversation``. Belongs to that thread.
///
/// It waits for values of motiond, for messages of the viewer and for the conversation's next deadline at once. Requests
/// wait for their answers, meanwhile this viewer gets no values.
final class LiveLoop {
  /// How long a request of the viewer may take.
  private static let requestTimeout = Duration.seconds(5)
  /// How long motiond may take for a connection, or for an event of a hand.
  private static let shortTimeout = Duration.seconds(1)
  /// How long motiond may take for its status, before it counts as gone.
  private static let statusTimeout = Duration.milliseconds(500)
  /// Why a motiond that has exited cannot be reached.
  private static let exited = "it does not run"
  /// The interval between attempts to reach motiond.
  private static let retryInterval = Duration.seconds(1)
  /// Events in a turn, so that messages of the viewer are not delayed by a flood of values.
  private static let eventsPerTurn = 512

  private var conversation: LiveConversation
  private let name: String
  private let address: MotiondAddress
  private let inbox: ViewerInbox
  private let end: EventCounter
  private var client: MotionClient?
  private var subscription: ValueSubscription?
  private var interests: Set<Interest> = []
  private var nextAttempt = Duration.zero
  /// Answers requests that take long, from the first one on.
  private var longRequests: LongRequestThread?

  init(
    _ conversation: LiveConversation, named name: String, at address: MotiondAddress,
    inbox: ViewerInbox, end: EventCounter
  ) {
    (self.conversation, self.name, self.address) = (conversation, name, address)
    (self.inbox, self.end) = (inbox, end)
  }

  /// Runs until the connection is closed.
  func run(session: String) {
    perform(conversation.begin(session: session))
    while true {
      inbox.process { process($0) }
      guard !inbox.isClosed else { return }
      if client == nil, BootClock.now >= nextAttempt { connect() }
      perform(conversation.elapsed(at: instant, hasRoom: inbox.hasRoom))
      inbox.closeIfUnread(isStalled: conversation.isStalled(at: BootClock.now))
      guard !inbox.isClosed else { return }
      wait()
    }
  }

  private func process(_ message: SocketMessage) {
    do throws(ViewerMessageError) {
      perform(conversation.receive(try ViewerMessage(message)))
    } catch {
      perform(conversation.receive(error))
    }
  }

  /// Waits for an event, a message of the viewer or the next deadline, and takes the events that are there.
  private func wait() {
    var due = conversation.nextDue
    if client == nil { due = min(due, nextAttempt) }
    if let next = inbox.nextDue { due = min(due, next) }
    // At most a second: should a wake-up be lost, the session continues.
    let timeout = min(max(.zero, due - BootClock.now), .seconds(1))
    guard let subscription else {
      inbox.wait(upTo: timeout)
      return
    }
    do throws(MotionClientError) {
      var next = try subscription.next(timeout: timeout)
      var count = 0
      while let event = next {
        perform(conversation.receive(event, at: instant))
        count += 1
        next = count < Self.eventsPerTurn ? try subscription.next(timeout: .zero) : nil
      }
    } catch {
      disconnect(because: error)
    }
  }

  private var instant: LiveConversation.Instant {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    let wallTime = UInt64(max(0, time.tv_sec)) * 1_000_000_000 + UInt64(max(0, time.tv_nsec))
    return LiveConversation.Instant(now: BootClock.now, wallTime: wallTime)
  }

  // MARK: motiond

  private func connect() {
    nextAttempt = BootClock.now + Self.retryInterval
    do throws(MotionClientError) {
      let client = try address.connect(
        as: name, timeout: Self.shortTimeout, interruptedBy: end.descriptor)
      let subscription = try client.subscribe(to: Array(interests))
      subscription.wakes(for: inbox.descriptor)
      (self.client, self.subscription) = (client, subscription)
    } catch {
      perform(conversation.lost(because: error.message))
    }
  }

  private func disconnect(because error: MotionClientError) {
    (client, subscription) = (nil, nil)
    nextAttempt = BootClock.now + Self.retryInterval
    perform(conversation.lost(because: error.message))
  }

  private func perform(_ actions: [LiveConversation.Action]) {
    var messages: [SocketMessage] = []
    for action in actions {
      switch action {
      case .send(let message): messages.append(message)
      case .follow(let interest):
        interests.insert(interest)
        change { subscription throws(MotionClientError) in try subscription.add(interest) }
      case .unfollow(let interest):
        interests.remove(interest)
        change { subscription throws(MotionClientError) in try subscription.remove(interest) }
      case .request(let request):
        // In order: what was decided before the answer is sent before it.
        inbox.sink.send(messages)
        messages = []
        perform(answers(to: request))
      }
    }
    inbox.sink.send(messages)
  }

  private func change(_ body: (ValueSubscription) throws(MotionClientError) -> Void) {
    guard let subscription else { return }
    do { try body(subscription) } catch { disconnect(because: error) }
  }

  /// Executes a request, and passes the answer to the conversation.
  private func answers(to request: LiveConversation.Request) -> [LiveConversation.Action] {
    guard let client else { return conversation.refused(request, because: conversation.absence ?? "motiond is gone") }
    if case .status = request { return status(client) }
    do {
      if case .call(let call, let service) = request, let long = try LongRequest(service, call.payload) {
        let isAsked = try ask(long, call)
        return isAsked
          ? []
          : conversation.refused(
            request, because: "\(StudioLimits.waitingLongRequests) requests wait: retry when one is answered")
      }
    } catch let error as ServiceRequest.FormError {
      return conversation.refused(request, because: error.description)
    } catch {
      return conversation.refused(request, because: "\(error)")
    }
    if case .call(_, .input) = request {
      // Sixty a second: not checked before, but neither waited for longer than a hand rests.
      client.timeout = Self.shortTimeout
    } else {
      // A daemon that has exited would be waited for in vain, and the viewer would not be told meanwhile.
      guard client.isReachable else {
        let absence = conversation.lost(because: Self.exited)
        return absence + conversation.refused(request, because: Self.exited)
      }
      client.timeout = Self.requestTimeout
    }
    do throws(MotionClientError) {
      return try LiveRequests(client: client, instant: instant).answer(request, &conversation)
    } catch {
      let isUnreachable = error.code == .unreachable || error.code == .timeout
      let absence = isUnreachable ? conversation.lost(because: error.message) : []
      return absence + conversation.refused(request, because: error.description)
    }
  }

  private func ask(_ request: LongRequest, _ call: ViewerMessage.Call) throws(SystemError) -> Bool {
    let thread =
      if let longRequests { longRequests } else {
        try LongRequestThread(named: name, at: address, end: end, to: inbox.sink)
      }
    longRequests = thread
    return thread.answer(call, request)
  }

  private func status(_ client: MotionClient) -> [LiveConversation.Action] {
    // A daemon that has ended would be waited for in vain.
    guard client.isReachable else { return conversation.lost(because: Self.exited) }
    client.timeout = Self.statusTimeout
    do throws(MotionClientError) {
      let status = try client.status()
      return conversation.take(status: status, at: instant)
    } catch {
      return conversation.lost(because: error.message)
    }
  }
}
