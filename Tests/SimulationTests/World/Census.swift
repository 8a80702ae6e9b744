import MotionModel
import MotionWire

/// The items that scenarios have produced: messages, requests, operations, types of plans, and rare paths.
///
/// The lists follow the code. Each kind is an exhaustive switch, so a new case does not compile until it is in its
/// list. Then the census fails until a scenario produces it.
struct Census: Equatable, Sendable {
  private(set) var messages: Set<Message> = []
  private(set) var operations: Set<Operation> = []
  private(set) var clockCommands: Set<Clock> = []
  private(set) var queries: Set<Subject> = []
  private(set) var commands: Set<Command> = []
  private(set) var events: Set<Event> = []
  private(set) var phases: Set<PointerEvent.Phase> = []
  private(set) var outcomes: Set<MotionModel.Outcome> = []
  private(set) var types: Set<IntentionType> = []
  private(set) var paths: Set<Path> = []

  mutating func add(_ other: Census) {
    messages.formUnion(other.messages)
    operations.formUnion(other.operations)
    clockCommands.formUnion(other.clockCommands)
    queries.formUnion(other.queries)
    commands.formUnion(other.commands)
    events.formUnion(other.events)
    phases.formUnion(other.phases)
    outcomes.formUnion(other.outcomes)
    types.formUnion(other.types)
    paths.formUnion(other.paths)
  }

  mutating func note(_ path: Path, if isTaken: Bool = true) { if isTaken { paths.insert(path) } }

  mutating func note(_ body: Envelope.Body) {
    messages.insert(Message(body))
    switch body {
    case .commit(let commit): note(commit)
    case .clock(let command): clockCommands.insert(Clock(command))
    case .query(let query): queries.insert(Subject(query))
    case .input(let input): phases.formUnion(input.events.map(\.phase))
    case .receipt(let receipt):
      note(.cueMoved, if: !receipt.cues.isEmpty)
      note(.commitResent, if: receipt.isRepeat)
      note(.commitDisplaced, if: !receipt.displaced.isEmpty)
      note(.commitAddressed, if: !receipt.addressed.isEmpty)
    case .refusal(let refusal): note(.priorityRefused, if: refusal.field == Intention.priorityField)
    case .command(_, let command): commands.insert(Command(command))
    case .update(let update):
      events.formUnion(update.events.map { Event($0.event) })
      if case .named = update.shape { note(.updateNamingShape) }
    case .ended(let plans): outcomes.formUnion(plans.map(\.outcome))
    case .stop(let stop):
      note(stop.selector != nil ? .stopOfSelected : stop.targets.isEmpty ? .stopOfEverything : .stopOfTargets)
      note(.stopOfOutputs, if: stop.outputs)
      note(.stopWithRamp, if: stop.ramp)
    default: break
    }
  }

  private mutating func note(_ commit: Commit) {
    note(.commitForLater, if: commit.at != nil)
    note(.commitWhileConnected, if: commit.whileConnected)
    for operation in commit.transaction.log {
      operations.insert(Operation(operation))
      note(.commitWithOpenPatch, if: operation.hasOpenPatch)
      if case .add(let intention, _, _) = operation {
        types.insert(intention.type)
        note(.commitWithPriority, if: intention.priority != 0)
        note(.commitForLaterBeginning, if: intention.after != 0)
      }
    }
    note(.commitForGroup, if: commit.transaction.targets.count > 1)
    for spread in commit.transaction.spreads.values {
      note(.commitWithSpread, if: !spread.to.isEmpty)
      note(.commitWithStagger, if: spread.stagger != 0)
      note(.commitOrdered, if: spread.by != nil)
    }
    for recall in commit.transaction.recalls.values {
      note(recall.transition == .spring ? .commitWithRecall : .commitWithFade)
    }
    for step in commit.transaction.cueSteps.values {
      switch step {
      case .go: note(.commitWithGo)
      case .back: note(.commitWithBack)
      case .goto: note(.commitWithGoto)
      case .stop: note(.commitWithCueStop)
      case .due, .fire, .jump, .missing: break
      }
    }
    for selector in commit.transaction.selectors.values {
      note(selector.text.hasPrefix("@") ? .commitForNamedGroup : .commitForPattern)
    }
  }

  /// All required items by name, and whether each was produced.
  var required: [(name: String, isProduced: Bool)] {
    func names<Kind: CaseIterable & Hashable>(
      _ noun: String, _ seen: Set<Kind>, without: Set<Kind> = []
    ) -> [(String, Bool)] {
      Kind.allCases.filter { !without.contains($0) }.map { ("\(noun) \($0)", seen.contains($0)) }
    }
    var required: [(String, Bool)] = names("operation", operations)
    required += names("clock command", clockCommands)
    required += names("query", queries)
    required += names("phase of a pointer", phases)
    required += names("path", paths)
    required += names("command", commands)
    required += names("outcome", outcomes)
    required += names("message", messages, without: Message.elsewhere)
    required += names("event", events, without: Event.elsewhere)
    required += BuiltInIntentions.all.map { ("type \($0.type)", types.contains($0.type)) }
    return required
  }
}

extension Census {
  /// Rare paths that a thousand scenarios must take.
  enum Path: String, CaseIterable, Sendable {
    // Requests.
    case commitForLater, commitWhileConnected, commitForGroup, commitResent, stopOfEverything, stopOfTargets
    case commitWithRecall, commitWithFade
    case commitWithGo, commitWithBack, commitWithGoto, commitWithCueStop, cueMoved
    // What lists of cues do by themselves.
    case cueBegan, cueFollowed, cueFired, timelineJumped
    case commitForLaterBeginning, commitWithSpread, commitWithStagger, commitOrdered
    case commitForNamedGroup, commitForPattern, commitAddressed, stopOfSelected, commitWithOpenPatch, patchResolved
    case requestUnanswered, stopOfOutputs, stopWithRamp, commitWithPriority, commitDisplaced, priorityRefused
    // Who drives.
    case standingWaits, handOutranked
    // Limits that are lifted while they hold a property back.
    case liftedInLag, liftedAndInterrupted
    // A wave that is in step with simulated time.
    case waveInStep
    // A fade whose worker was late, and that has caught up.
    case fadeLate, fadeInTime
    // Ends and starts of a coordinator.
    case killed, powerLost, endedOrderly, startRefusedByDisk, endedWithRing, killedBeforeServing
    case killedWhilePaused, killedWhileHeld, killedWhileSlowing, killedWhileStepping, killedWhileATokenIsHeld,
      killedWithCommitsUnderWay, killedWithFreeLanes
    // State that a start finds.
    case startWithoutTargets, startWithWaiting, startWithEmitted, startWithNames
    case startWithPriorities, startWithHandover, startWithOwners, startAfterForget, startAfterStop, startAfterWithdrawal
    case startWithCues, startBeforeCue, startAfterCue
    case startWithGroups, startBeforeBeginning, startWithScenes, startAfterSceneSaved
    case startAppliesWaiting, startWithVoidedRow, startWhilePaused, startWhileHeld, startWithPending
    // The journal.
    case checkpointTorn, rowsTorn, journalHealed, commitRefusedByDisk
    // Workers.
    case updateNamingShape, workerResynced, workerLeaseLost, workerHung, workerDiedWithToken, pluginQuarantined
    case planQuarantined, handoverInFlight
    // The history's thread.
    case stateDelivered
  }

  /// The kinds of an envelope's body.
  enum Message: String, CaseIterable, Sendable {
    case greeting, commit, query, clock, stop, alive, restart, input, inputValues, cancel, record, historyRequest
    case service, receipt, refusal, answer, done, history
    case values, names, ended, drivers
    case hello, welcome, resync, snapshot, inspect, streamReport, claim, assignment
    case command, coordinatorHeartbeat, tick, update, workerHeartbeat, log

    /// Workers on other machines claim assignments (`LeaseTests`, `RemoteWorkerTests`), and no executor here writes a
    /// log. Recordings have files and a thread of their own (`RecordingFromNowTests`).
    static let elsewhere: Set<Message> = [.claim, .assignment, .log, .record]

    init(_ body: Envelope.Body) {
      switch body {
      case .greeting: self = .greeting
      case .commit: self = .commit
      case .query: self = .query
      case .clock: self = .clock
      case .stop: self = .stop
      case .alive: self = .alive
      case .restart: self = .restart
      case .input: self = .input
      case .inputValues: self = .inputValues
      case .cancel: self = .cancel
      case .record: self = .record
      case .historyRequest: self = .historyRequest
      case .history: self = .history
      case .service: self = .service
      case .receipt: self = .receipt
      case .refusal: self = .refusal
      case .answer: self = .answer
      case .done: self = .done
      case .values: self = .values
      case .names: self = .names
      case .ended: self = .ended
      case .drivers: self = .drivers
      case .claim: self = .claim
      case .assignment: self = .assignment
      case .hello: self = .hello
      case .welcome: self = .welcome
      case .resync: self = .resync
      case .snapshot: self = .snapshot
      case .inspect: self = .inspect
      case .streamReport: self = .streamReport
      case .command: self = .command
      case .coordinatorHeartbeat: self = .coordinatorHeartbeat
      case .tick: self = .tick
      case .update: self = .update
      case .workerHeartbeat: self = .workerHeartbeat
      case .log: self = .log
      }
    }
  }

  /// The kinds of operations of a transaction.
  enum Operation: String, CaseIterable, Sendable {
    case add, addNamed, remove, removePlan, forget, limit, group, scene, cues

    init(_ operation: Transaction.Operation) {
      switch operation {
      case .add(_, let name, _): self = name == nil ? .add : .addNamed
      case .remove: self = .remove
      case .removePlan: self = .removePlan
      case .forget: self = .forget
      case .limit: self = .limit
      case .group: self = .group
      case .scene: self = .scene
      case .cues: self = .cues
      }
    }
  }

  enum Clock: String, CaseIterable, Sendable {
    case pause, resume, speed, step, hold, release

    init(_ command: ClockCommand) {
      switch command {
      case .pause: self = .pause
      case .resume: self = .resume
      case .speed: self = .speed
      case .step: self = .step
      case .hold: self = .hold
      case .release: self = .release
      }
    }
  }

  /// The subject of a query.
  enum Subject: String, CaseIterable, Sendable {
    case targets, properties, executors, intentions, tokens, plugins, types, graph, waiting, inputs, groups, scenes,
      cues, clients, why, status, snapshot

    init(_ query: Query) {
      switch query {
      case .targets: self = .targets
      case .properties: self = .properties
      case .executors: self = .executors
      case .intentions: self = .intentions
      case .tokens: self = .tokens
      case .plugins: self = .plugins
      case .types: self = .types
      case .graph: self = .graph
      case .waiting: self = .waiting
      case .inputs: self = .inputs
      case .groups: self = .groups
      case .scenes: self = .scenes
      case .cues: self = .cues
      case .clients: self = .clients
      case .snapshot: self = .snapshot
      case .why: self = .why
      case .status: self = .status
      }
    }
  }

  /// The kinds of commands to a worker.
  enum Command: String, CaseIterable, Sendable {
    case add, remove, removeExecutor, displaced, resumed, properties, input, shutdown

    init(_ command: WorkerCommand) {
      switch command {
      case .add: self = .add
      case .remove: self = .remove
      case .removeExecutor: self = .removeExecutor
      case .displaced: self = .displaced
      case .resumed: self = .resumed
      case .properties: self = .properties
      case .input: self = .input
      case .shutdown: self = .shutdown
      }
    }
  }

  /// The kinds of events from a worker.
  enum Event: String, CaseIterable, Sendable {
    case activity, started, ended, finished, failed, emitted

    /// No built-in executor in a worker emits plans (`RuntimeUpdateTests`, `CompositionTests`), and no executor here
    /// fails a plan that a commit has accepted.
    static let elsewhere: Set<Event> = [.emitted, .failed]

    init(_ event: WorkerEvent) {
      switch event {
      case .activity: self = .activity
      case .started: self = .started
      case .ended: self = .ended
      case .finished: self = .finished
      case .failed: self = .failed
      case .emitted: self = .emitted
      }
    }
  }
}
