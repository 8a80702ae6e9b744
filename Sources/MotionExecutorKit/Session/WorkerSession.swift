public import MotionCore
public import MotionLink
public import MotionModel

/// The executors of a worker: commands and frames in, values and events out.
///
/// It uses no socket and no clock, so that a worker can be tested, and driven, in any process. All calls come from one
/// thread. Executors are called only from here: to apply a command, and to run a frame they want.
public final class WorkerSession {
  /// The types of executors it can make.
  public let types: [ExecutorType]
  /// The newest frame that was run or received in a snapshot.
  public internal(set) var frame = Frame(number: 0, time: 0, dt: 0)
  /// The number of refused writes: to foreign properties, with the wrong number of lanes, or not finite.
  public var refusedWrites: Int { writes.refused }

  let declarations: [ExecutorType: ExecutorDeclaration]
  let report: (String) -> Void
  var executors: [ExecutorHandle: HostedExecutor] = [:]
  /// The executors in the order of their handles, which is the order of their creation.
  var order: [ExecutorHandle] = []
  /// For each target, its executor that was made first, and the number of its executors.
  var firsts: [TargetName: (executor: ExecutorHandle, count: Int)] = [:]
  /// The executors that want the next frame.
  var awake: [UpdateOrder] = []
  /// The executors whose wish for frames may have changed since the last report.
  var restless: [ExecutorHandle] = []
  /// The states of the properties that executors read, as the coordinator last sent them.
  var read: [PropertyReference: PropertyState] = [:]
  let readIndex = ReadIndex()
  var writes = WriteLog()
  var events: [WorkerEvent] = []
  /// The tokens that executors hold.
  public internal(set) var tokens = TokenSet()
  /// Whether it was told to end together with motiond.
  var endsForGood = false

  /// Makes a worker that can make executors of these declarations. Messages for operators go to `report`.
  ///
  /// - Precondition: no type is declared twice.
  public init(_ declarations: [ExecutorDeclaration], report: @escaping (String) -> Void = { _ in }) {
    types = declarations.map(\.type)
    self.declarations = Dictionary(declarations.map { ($0.type, $0) }) { first, _ in
      preconditionFailure("executor type \(first.type) is declared twice")
    }
    self.report = report
  }

  /// Whether any executor needs a frame or holds a token.
  public var isActive: Bool { !tokens.isEmpty || !awake.isEmpty }

  /// The values written since the last call, at most one for each executor and property.
  public func takeWrites() -> [PropertyWrite] { writes.take() }

  /// The events since the last call, in order.
  public func takeEvents() -> [WorkerEvent] {
    noteActivity()
    defer { events.removeAll(keepingCapacity: true) }
    return events
  }

  /// Runs a frame: updates every executor that needs it. Targets are updated in the order in which they got their first
  /// executor, and the executors of one target in order of creation.
  ///
  /// - Parameters:
  ///   - frame: the frame.
  ///   - pause: called after each executor, so that the worker can send heartbeats during a long frame.
  public func run(_ frame: Frame, pause: () -> Void = {}) {
    self.frame = frame
    awake.sort()
    for turn in awake {
      let handle = turn.executor
      guard let hosted = executors[handle], let updating = hosted.executor as? any UpdatingExecutor else { continue }
      hosted.wantsUpdate = updating.update(hosted.frame(for: frame))
      hosted.lastFrame = hosted.wantsUpdate ? frame : nil
      if !hosted.wantsUpdate { restless.append(handle) }
      pause()
    }
    awake.removeAll { executors[$0.executor]?.wantsUpdate != true }
  }

  /// Makes an executor that takes part in frames want the next one.
  func wake(_ hosted: HostedExecutor) {
    guard !hosted.wantsUpdate, hosted.executor is any UpdatingExecutor else { return }
    hosted.wantsUpdate = true
    awake.append(hosted.turn)
    restless.append(hosted.handle)
  }

  /// Removes all executors and their tokens. The next snapshot restores the contents.
  public func clear() {
    for handle in order.reversed() {
      (executors[handle]?.executor as? any RenewedExecutor)?.willBeRenewed()
      removeExecutor(handle)
    }
    read = [:]
  }

  /// Starts a new life: removes everything, and discards the events and values that were not sent.
  func beginLife() {
    clear()
    _ = takeEvents()
    _ = takeWrites()
  }

  /// Reports each executor's wish for frames, if it has changed.
  private func noteActivity() {
    defer { restless.removeAll(keepingCapacity: true) }
    for handle in restless {
      guard let hosted = executors[handle], hosted.saidActivity != hosted.wantsUpdate else { continue }
      hosted.saidActivity = hosted.wantsUpdate
      events.append(.activity(handle, hosted.wantsUpdate))
    }
  }

  /// The executor of a handle, made if there is none; `nil` if its type is not declared here.
  func findOrMake(_ handle: ExecutorHandle, _ key: ExecutorKey) -> HostedExecutor? {
    if let hosted = executors[handle] { return hosted }
    guard let declaration = declarations[key.type] else { return nil }
    let context = ExecutorContext(target: key.target, executor: handle, host: self)
    let first = firsts[key.target]
    firsts[key.target] = (first?.executor ?? handle, (first?.count ?? 0) + 1)
    let turn = UpdateOrder(target: first?.executor ?? handle, executor: handle)
    let hosted = HostedExecutor(declaration, key: key, context: context, turn: turn, readsNotedIn: readIndex)
    executors[handle] = hosted
    order.insert(handle, at: position(of: handle))
    return hosted
  }

  /// The index of a handle in the order, or the index at which to insert it.
  private func position(of handle: ExecutorHandle) -> Int {
    var (low, high) = (0, order.count)
    // A new handle is nearly always the last one.
    if let last = order.last, last < handle { return high }
    while low < high {
      let middle = (low + high) / 2
      if order[middle] < handle { low = middle + 1 } else { high = middle }
    }
    return low
  }

  func removeExecutor(_ handle: ExecutorHandle) {
    guard let hosted = executors.removeValue(forKey: handle) else { return }
    order.remove(at: position(of: handle))
    hosted.retireAll()
    let left = (firsts[hosted.key.target]?.count ?? 0) - 1
    if left > 0 { firsts[hosted.key.target]?.count = left } else { firsts[hosted.key.target] = nil }
    if hosted.wantsUpdate { awake.removeAll { $0.executor == handle } }
    for token in tokens[handle].sorted() {
      tokens.remove(token, of: handle)
      events.append(.ended(handle, token))
    }
  }
}
