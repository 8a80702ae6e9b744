import LinuxSystem
import MotionCore
import MotionHistory
package import MotionModel
import MotionWire

/// The loop of a viewer's thread: executes the decisions of ``PlaybackConversation``. Belongs to that thread.
final class PlaybackLoop {
  /// How long what was read is kept in memory while nothing is played.
  private static let idleTime = Duration.seconds(30)

  private let inbox: ViewerInbox
  private let open: () throws -> PlaybackReader
  private let pattern: TargetSelector?
  /// The counts for which there are channels.
  private var known = Status.Counts()

  /// - Parameter open: opens what is played.
  init(_ inbox: ViewerInbox, pattern: TargetSelector?, _ open: @escaping () throws -> PlaybackReader) {
    (self.inbox, self.pattern, self.open) = (inbox, pattern, open)
  }

  /// Runs until the connection is closed.
  func run(_ name: String, session: String) {
    let reader: PlaybackReader
    do {
      reader = try open()
    } catch {
      let reason = PastReader.text(of: error)
      inbox.sink.send([ServerMessage.status(.error, reason)])
      return inbox.close(because: reason)
    }
    var conversation = PlaybackConversation(playing: reader.range, pattern: pattern)
    perform(conversation.begin(name, session: session), &conversation, reader)
    if let damage = reader.damage {
      inbox.sink.send([ServerMessage.status(.warning, "it is played up to here: \(damage)")])
    }
    while true {
      inbox.process { message in
        do throws(ViewerMessageError) {
          perform(conversation.receive(try ViewerMessage(message), at: BootClock.now), &conversation, reader)
        } catch {
          perform(conversation.receive(error), &conversation, reader)
        }
      }
      guard !inbox.isClosed else { return }
      perform(conversation.elapsed(at: BootClock.now, hasRoom: inbox.hasRoom), &conversation, reader)
      inbox.closeIfUnread(isStalled: conversation.isStalled(at: BootClock.now))
      guard !inbox.isClosed else { return }
      wait(conversation, reader)
    }
  }

  private func wait(_ conversation: PlaybackConversation, _ reader: PlaybackReader) {
    let due = [conversation.nextDue, inbox.nextDue].compactMap(\.self).min()
    let isAwake = inbox.wait(upTo: due.map { max(.zero, $0 - BootClock.now) } ?? Self.idleTime)
    if due == nil, !isAwake { reader.drop() }
  }

  private func perform(
    _ actions: [PlaybackConversation.Action], _ conversation: inout PlaybackConversation, _ reader: PlaybackReader
  ) {
    var messages: [SocketMessage] = []
    for action in actions {
      if case .send(let message) = action {
        messages.append(message)
        continue
      }
      inbox.sink.send(messages)
      messages = []
      let further: [PlaybackConversation.Action]
      do {
        further = try answer(action, &conversation, reader)
      } catch {
        further = conversation.failed(because: PastReader.text(of: error))
      }
      perform(further, &conversation, reader)
    }
    inbox.sink.send(messages)
  }

  private func answer(
    _ action: PlaybackConversation.Action, _ conversation: inout PlaybackConversation, _ reader: PlaybackReader
  ) throws -> [PlaybackConversation.Action] {
    switch action {
    case .send: return []
    case .show(let time): return conversation.take(Self.place(try reader.seek(to: time).runtime))
    case .play(let time):
      var actions: [PlaybackConversation.Action] = []
      try reader.play(to: time) { step, runtime in
        switch step {
        case .beginning:
          actions += conversation.finishTurn()
          conversation.leave()
          actions += conversation.take(Self.place(runtime))
        case .frame(let recorded, let time):
          let records = runtime.log.take()
          let counts = runtime.counts
          let commits = (recorded.betweenFrames + recorded.events).contains {
            if case .commit = $0 { true } else { false }
          }
          if commits || counts.targets != known.targets || counts.properties != known.properties {
            known = counts
            actions += conversation.follow(runtime.currentProperties.map(\.reference))
          }
          conversation.played(
            runtime.frame, at: time, drivers: records.flatMap(\.drivers), ended: records.flatMap(\.ended),
            state: { runtime.state(of: $0) })
        }
      }
      return actions + conversation.finishTurn()
    }
  }

  private static func place(_ runtime: Runtime) -> PlaybackConversation.Place {
    let plans = Dictionary(runtime.currentIntentions.map { ($0.identity, $0) }) { $1 }
    let rows = runtime.currentProperties
    let drivers: [(PropertyReference, String)] = rows.compactMap { row in
      guard let executor = row.driver, let identity = row.because.last, let plan = plans[identity] else { return nil }
      let driver = DriverChange.Driver(
        executor: executor, identity: identity, type: plan.intention.type, name: plan.name)
      return (row.reference, SampleMessage.text(of: driver))
    }
    return PlaybackConversation.Place(runtime.frame, rows.map { ($0.reference, $0.state) }, drivers: drivers)
  }
}
