import MotionFiles
package import MotionModel
import MotionWire

/// The server's side of a viewer's connection to `/history` or `/recording/NAME`. It decides, and uses no socket and no
/// file: messages of the viewer, frames of the recording and the time in, actions out.
///
/// The cursor is this viewer's alone: motiond's clock goes on, and so do other viewers.
///
/// - While it plays, the cursor follows the clock, at the chosen speed. Of each channel the newest value is sent, at most
///   each ``StudioLimits/sampleInterval``; what is left out is counted in the next message.
/// - While the viewer does not read, the cursor stands.
package struct PlaybackConversation {
  /// What the caller has to do, in order.
  package enum Action: Hashable, Sendable {
    /// Send this message to the viewer.
    case send(SocketMessage)
    /// Pass on the place at this time: ``PlaybackConversation/take(_:)``.
    case show(UInt64)
    /// Play on to this time, and pass on each frame: ``PlaybackConversation/played(_:at:drivers:ended:state:)``. Then
    /// call ``PlaybackConversation/finishTurn()``.
    case play(UInt64)
  }

  /// The state at a place.
  package struct Place {
    /// The frame.
    package var frame: Frame
    /// All properties.
    package var properties: [(reference: PropertyReference, state: PropertyState)]
    /// Which plan drives which property, for people.
    package var drivers: [(PropertyReference, String)]

    /// A place.
    package init(
      _ frame: Frame, _ properties: [(reference: PropertyReference, state: PropertyState)],
      drivers: [(PropertyReference, String)] = []
    ) {
      (self.frame, self.properties, self.drivers) = (frame, properties, drivers)
    }
  }

  /// A longer interval between two turns lets the cursor fall behind the clock: the thread had something else to do.
  private static let longestTurn = Duration.milliseconds(250)

  /// The first and the last time, in nanoseconds since 1970.
  package let range: ClosedRange<UInt64>
  /// Where it is.
  package private(set) var state: PlaybackState

  private let pattern: TargetSelector?
  private var table = ChannelTable()
  private var pending = PendingMessages()
  private var stall = Stall()
  /// The last states of the channels with a subscription, as they were passed on.
  private var sent: [UInt32: PropertyState] = [:]
  /// Whether the viewer lacks the present drivers.
  private var lacksDrivers = true
  /// When the cursor was moved last; `nil` while it stands.
  private var lastTurn: Duration?
  /// The nanoseconds below one that the cursor is ahead.
  private var rest = 0.0
  private var toldHidden = 0

  /// A connection of a viewer, at the beginning of what there is.
  package init(playing range: ClosedRange<UInt64>, pattern: TargetSelector? = nil) {
    (self.range, self.pattern) = (range, pattern)
    state = PlaybackState(status: .paused, time: range.lowerBound, speed: 1)
  }

  /// The first messages.
  ///
  /// - Parameters:
  ///   - name: the name of what is played.
  ///   - session: identifies the run of this server.
  package func begin(_ name: String, session: String) -> [Action] {
    [
      .send(
        ServerMessage.info(
          name: name, session: session, metadata: ["version": .text(Release.version), "access": .text("read")],
          playing: range)),
      .send(ServerMessage.advertise(ChannelTable.Fixed.advertised)), .show(range.lowerBound),
      .send(state.message(didSeek: false)),
    ]
  }

  // MARK: The viewer

  /// Handles a message of the viewer.
  package mutating func receive(_ message: ViewerMessage, at now: Duration) -> [Action] {
    switch message {
    case .subscribe(let rows): return rows.compactMap { subscribe($0) } + [.show(state.time)]
    case .unsubscribe(let ids): return ids.flatMap { unsubscribe($0) }
    case .playback(let request): return play(request, at: now)
    case .getParameters(_, let id): return id == nil ? [] : [.send(ServerMessage.parameters([], id: id))]
    case .setParameters(_, let id):
      return [Self.warning("what is past cannot be changed")]
        + (id == nil ? [] : [.send(ServerMessage.parameters([], id: id))])
    case .subscribeParameters, .unsubscribeParameters, .subscribeGraph, .unsubscribeGraph: return []
    case .call(let call):
      return [.send(ServerMessage.failure(call, "a playback has no services: call them at /live"))]
    case .unsupported(let name): return [Self.warning("\(name) is not a capability of this server")]
    }
  }

  /// Handles a message that does not follow the protocol.
  package func receive(_ error: ViewerMessageError) -> [Action] { [Self.warning(error.description)] }

  private static func warning(_ text: String) -> Action { .send(ServerMessage.status(.warning, text)) }

  private mutating func subscribe(_ row: ViewerMessage.Subscription) -> Action? {
    guard ChannelTable.Fixed(rawValue: row.channel) != nil || table.properties[row.channel] != nil else {
      return Self.warning("there is no channel \(row.channel), for the subscription \(row.id)")
    }
    if let problem = pending.subscriptions.add(row.id, to: row.channel).problem(with: row) {
      return Self.warning(problem)
    }
    // A subscription begins with the present value.
    sent[row.channel] = nil
    if row.channel == ChannelTable.Fixed.drivers.rawValue { lacksDrivers = true }
    return nil
  }

  private mutating func unsubscribe(_ id: UInt32) -> [Action] {
    guard let removed = pending.subscriptions.remove(id) else {
      return [Self.warning("there is no subscription \(id)")]
    }
    if removed.isLast { forget(removed.channel) }
    return []
  }

  private mutating func forget(_ channel: UInt32) {
    pending.samples.remove(channel)
    sent[channel] = nil
  }

  private mutating func play(_ request: PlaybackRequest, at now: Duration) -> [Action] {
    guard request.speed.isFinite, StudioLimits.playbackSpeed.contains(request.speed) else {
      let (least, most) = (StudioLimits.playbackSpeed.lowerBound, StudioLimits.playbackSpeed.upperBound)
      return [
        Self.warning("the speed of a playback is \(least) to \(most), not \(request.speed)"),
        .send(state.message(didSeek: false, answering: request.id)),
      ]
    }
    state.speed = request.speed
    if let time = request.seek { (state.time, rest) = (min(max(time, range.lowerBound), range.upperBound), 0) }
    state.status = !request.plays ? .paused : state.time == range.upperBound ? .ended : .playing
    lastTurn = state.status == .playing ? now : nil
    let answer = Action.send(state.message(didSeek: request.seek != nil, answering: request.id))
    guard request.seek != nil else { return [answer] }
    leave()
    // The viewer drops what it has when it gets the answer.
    return [answer, .show(state.time)]
  }

  // MARK: Time

  /// When ``elapsed(at:hasRoom:)`` is due; `nil` while the cursor stands.
  package var nextDue: Duration? { lastTurn.map { $0 + StudioLimits.sampleInterval } }

  /// Whether the viewer has left no room for so long that its connection is to be closed.
  package func isStalled(at now: Duration) -> Bool { stall.isOver(at: now) }

  /// Moves the cursor, if that is due.
  ///
  /// - Parameter hasRoom: whether the viewer reads fast enough to get values.
  package mutating func elapsed(at now: Duration, hasRoom: Bool) -> [Action] {
    stall.note(hasRoom: hasRoom, at: now)
    guard let last = lastTurn, now - last >= StudioLimits.sampleInterval else { return [] }
    lastTurn = now
    guard hasRoom else { return [] }
    let way = min(now - last, Self.longestTurn).inSeconds * 1e9 * Double(state.speed) + rest
    let nanoseconds = UInt64(max(0, way))
    rest = way - Double(nanoseconds)
    state.time = range.upperBound - state.time <= nanoseconds ? range.upperBound : state.time + nanoseconds
    guard state.time == range.upperBound else { return [.play(state.time)] }
    (state.status, lastTurn) = (.ended, nil)
    return [.play(state.time), .send(state.message(didSeek: false))]
  }

  // MARK: The recording

  /// Handles that what follows does not continue what was sent.
  package mutating func leave() {
    pending.removeAll()
    (sent, lacksDrivers) = ([:], true)
  }

  /// Handles the state at the cursor: sends what the viewer has subscribed to, and does not have.
  package mutating func take(_ place: Place) -> [Action] {
    let actions = follow(place.properties.map(\.reference))
    for (reference, state) in place.properties {
      guard let channel = table.id(of: reference), sent[channel] == nil else { continue }
      take(state, on: channel, in: place.frame, at: self.state.time)
    }
    if lacksDrivers {
      for (reference, driver) in place.drivers {
        let sample = SampleMessage.driver(driver, of: reference, frame: place.frame.number, from: place.frame.time)
        pending.add(sample, on: .drivers, at: state.time)
      }
    }
    lacksDrivers = false
    return actions + finishTurn()
  }

  /// Handles a frame that was played.
  ///
  /// - Parameters:
  ///   - time: its time, in nanoseconds since 1970.
  ///   - state: the state of a property after the frame.
  package mutating func played(
    _ frame: Frame, at time: UInt64, drivers: [DriverChange], ended: [EndedIntention],
    state: (PropertyReference) -> PropertyState?
  ) {
    for channel in pending.subscriptions.channels {
      guard let reference = table.properties[channel], let state = state(reference) else { continue }
      if sent[channel] != state { take(state, on: channel, in: frame, at: time) }
    }
    for change in drivers {
      let driver = SampleMessage.text(of: change.driver)
      pending.add(
        SampleMessage.driver(driver, of: change.reference, frame: change.frame, from: change.time), on: .drivers,
        at: time)
      pending.add(LogLine(change, driver: driver).payload(at: time), on: .log, at: time)
    }
    for plan in ended { if let line = LogLine(plan) { pending.add(line.payload(at: time), on: .log, at: time) } }
  }

  /// Handles the properties that there are now: channels come and go with them.
  package mutating func follow(_ properties: [PropertyReference]) -> [Action] {
    let changes = table.follow(properties, pattern)
    for (id, _) in changes.removed {
      forget(id)
      _ = pending.subscriptions.removeAll(to: id)
    }
    var actions: [Action] = []
    if !changes.removed.isEmpty { actions.append(.send(ServerMessage.unadvertise(changes.removed.map(\.id)))) }
    if !changes.added.isEmpty { actions.append(.send(ServerMessage.advertise(changes.added))) }
    guard table.hiddenTargets != toldHidden else { return actions }
    toldHidden = table.hiddenTargets
    let text = "\(toldHidden) targets have no channel. motion-studio --channels chooses others"
    return actions + [
      .send(
        toldHidden == 0
          ? ServerMessage.removeStatus("channels") : ServerMessage.status(.info, text, id: "channels"))
    ]
  }

  /// Sends what has gathered.
  package mutating func finishTurn() -> [Action] { pending.takeAll(at: state.time).map { .send($0) } }

  /// Handles that the recording could not be read: it stands there.
  package mutating func failed(because reason: String) -> [Action] {
    (state.status, lastTurn) = (.paused, nil)
    return [.send(ServerMessage.status(.error, reason)), .send(state.message(didSeek: false))]
  }

  private mutating func take(_ state: PropertyState, on channel: UInt32, in frame: Frame, at time: UInt64) {
    guard pending.subscriptions.includes(channel) else { return }
    sent[channel] = state
    pending.samples.take(state, on: channel, frame: frame.number, time: frame.time, wallTime: time)
  }
}
