import MotionCore
import MotionExecutorKit
import MotionModel
import MotionTestKit

/// The place of a worker's executors: in this process, or behind sockets.
protocol WorkerTransport: AnyObject {
  typealias Output = (writes: [PropertyWrite], events: [WorkerEvent])

  /// Has a command applied, and returns the resulting output.
  func obey(_ command: WorkerCommand) -> Output
  /// Has a frame run, and returns the resulting output.
  func run(_ frame: Frame) -> Output
}

/// A worker's executors in this process, without a link.
final class SessionTransport: WorkerTransport {
  let session: WorkerSession

  init(_ declaration: ExecutorDeclaration) { session = WorkerSession([declaration]) }

  func obey(_ command: WorkerCommand) -> Output {
    session.apply(command)
    return (session.takeWrites(), session.takeEvents())
  }

  func run(_ frame: Frame) -> Output {
    session.run(frame)
    return (session.takeWrites(), session.takeEvents())
  }
}

/// Drives one executor in a worker as a runtime would, so that one test body can run it in both places.
final class WorkerDriver: ExecutorDriver {
  let abilities: ExecutorAbilities
  let descriptions: [IntentionDescription]
  private(set) var wantsFrames = false
  var isActive: Bool { wantsFrames || !tokens.isEmpty }
  private(set) var tokens: Set<TokenName> = []

  private let transport: any WorkerTransport
  private let key: ExecutorKey
  private let handle = ExecutorHandle(1)
  private var frame = Frame(number: 0, time: 0, dt: 0)
  private var handles: [PropertyName] = []
  private var states: [PropertyName: PropertyState]
  private var plans: [PlannedIntention] = []
  private var reports: [ExecutorReport] = []

  init(
    _ declaration: ExecutorDeclaration, _ transport: any WorkerTransport, properties: [PropertyName: PropertyState]
  ) {
    abilities = RecordingExecutorHost(declaration).abilities
    descriptions = declaration.descriptions
    key = ExecutorKey("target", declaration.type)
    self.transport = transport
    states = properties
  }

  var time: Double { frame.time }

  func add(_ intention: Intention, named name: IntentionName?) throws -> IntentionIdentity {
    struct Failed: Error { let reason: String }
    guard let description = descriptions.first(where: { $0.type == intention.type }) else {
      throw Failed(reason: "\(key.type) takes no \(intention.type)")
    }
    sequence += 1
    let identity = IntentionIdentity(sequence: sequence, operation: 0)
    let starts = description.propertiesWritten(by: intention).map { property in
      PlannedIntention.Start(property, handle: propertyHandle(property), state: states[property] ?? PropertyState(0))
    }
    let planned = PlannedIntention(
      identity: identity, intention: intention, name: name, startFrame: frame.number + 1, startTime: time,
      starts: starts)
    let output = transport.obey(.add(handle, key, planned))
    for event in output.events {
      if case .failed(_, identity, let reason) = event { throw Failed(reason: reason) }
    }
    plans.append(planned)
    take(output)
    return identity
  }
  private var sequence: UInt64 = 0

  func remove(_ identity: IntentionIdentity) {
    plans.removeAll { $0.identity == identity }
    take(transport.obey(.remove(handle, identity)))
  }

  func remove(named name: IntentionName) {
    // A worker receives the plan, not the name: without a plan of this name, nothing is sent.
    guard let planned = plans.first(where: { $0.name == name }) else { return }
    remove(planned.identity)
  }

  func displace(_ property: PropertyName) {
    let retired = plans.filter { planned in
      descriptions.first { $0.type == planned.intention.type }?.kind == .oneShot
        && planned.starts.contains { $0.property == property }
    }
    for planned in retired { remove(planned.identity) }
    take(transport.obey(.displaced(handle, property)))
  }

  func resume(_ property: PropertyName, from state: PropertyState) {
    states[property] = state
    take(transport.obey(.resumed(handle, property, state, time: time)))
  }

  func advance(by dt: Double) {
    frame = Frame(number: frame.number + 1, time: frame.time + dt, dt: dt)
    take(transport.run(frame))
  }

  func state(of property: PropertyName) -> PropertyState? { states[property] }

  func takeReports() -> [ExecutorReport] {
    defer { reports.removeAll() }
    return reports
  }

  private func propertyHandle(_ property: PropertyName) -> PropertyHandle {
    if !handles.contains(property) { handles.append(property) }
    return PropertyHandle(UInt32(handles.firstIndex(of: property) ?? 0) + 1)
  }

  /// A runtime applies first starts, then the values, then ends.
  private func take(_ output: WorkerTransport.Output) {
    for event in output.events where !event.ends { take(event) }
    for write in output.writes {
      let property = handles[Int(write.property.rawValue) - 1]
      states[property] = write.state
      report(
        .wrote(
          property, write.state, imposing: write.imposes, remaining: write.remaining, carry: write.carry))
    }
    for event in output.events where event.ends { take(event) }
  }

  private func take(_ event: WorkerEvent) {
    switch event {
    case .activity(_, let isActive): wantsFrames = isActive
    case .started(_, let token, let properties, _):
      tokens.insert(token)
      report(.started(token, moving: properties))
    case .ended(_, let token):
      tokens.remove(token)
      report(.ended(token))
    case .finished(_, let identity, let outcome):
      plans.removeAll { $0.identity == identity }
      report(.finished(identity, outcome))
    case .failed(_, let identity, let reason): report(.failed(identity, reason: reason))
    case .emitted(_, let parent, let ordinal, let intention, let name):
      report(.emitted(intention, named: name, parent: parent, ordinal: ordinal))
    }
  }

  private func report(_ content: ExecutorReport.Content) {
    reports.append(ExecutorReport(time: frame.time, content))
  }
}

extension WorkerEvent {
  fileprivate var ends: Bool {
    switch self {
    case .ended, .finished, .failed: true
    case .activity, .started, .emitted: false
    }
  }
}
