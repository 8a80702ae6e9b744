import MotionModel

extension Generator {
  mutating func journalEntry() -> JournalEntry {
    let event: JournalEntry.Event =
      switch int(0...4) {
      case 0:
        .commit(
          sequence: number() >> 2,
          accepted(id: TransactionID(high: word(), low: word() | 1)), client: word())
      case 1: .stop(stop())
      case 2: .withdraw(list { $0.number() })
      case 3:
        .clock(pick([.pause, .resume, .speed(seconds() / 1024 + 1e-6), .step(number() | 1), .hold(hold()), .release]))
      default: .void
      }
    let provenance = if case .commit = event { optional { $0.provenance() } } else { Provenance?.none }
    return JournalEntry(event, frame: frame(), time: double(), applied: optional { $0.number() }, by: provenance)
  }

  /// A commit as a journal has it: its selectors are resolved.
  private mutating func accepted(id: TransactionID) -> Commit {
    var commit = commit(id: id)
    commit.transaction = transaction()
    return commit
  }

  mutating func checkpoint() -> RuntimeCheckpoint {
    var checkpoint = RuntimeCheckpoint()
    checkpoint.frame = frame()
    checkpoint.clock = clock()
    checkpoint.lastSequence = number() >> 2
    checkpoint.targets = list {
      .init($0.name(), $0.list { .init($0.name(), $0.state(), limits: $0.optional { $0.limits() }) })
    }
    let last = checkpoint.lastSequence
    checkpoint.plans = list { $0.plan(upTo: last) }
    checkpoint.waiting = list {
      .init(
        at: $0.double(), sequence: min($0.number(), last), $0.transaction(), by: $0.optional { $0.provenance() })
    }
    checkpoint.owners = list { .init($0.word(), $0.list { $0.number() }) }
    checkpoint.handovers = list { .init(PropertyReference($0.name(), $0.name()), $0.state(), remaining: $0.seconds()) }
    checkpoint.limits = list { .init(PropertyReference($0.name(), $0.name()), $0.limits()) }
    checkpoint.scenes = list { .init($0.name(), $0.scene(), number: $0.number()) }
    checkpoint.cues = list { .init($0.name(), $0.cueList(), $0.cuePosition(), number: $0.number()) }
    checkpoint.groups = list { .init($0.name(), $0.list { $0.name() }) }
    checkpoint.governed = list { .init(governed: &$0) }
    return checkpoint
  }

  private mutating func plan(upTo last: UInt64) -> RuntimeCheckpoint.Plan {
    var identity = identity()
    identity.sequence = min(identity.sequence, last)
    var plan = RuntimeCheckpoint.Plan(identity, intention(), named: optional { $0.name() }, on: name())
    plan.start = optional { .init(frame: $0.number(), time: $0.double()) }
    plan.places = list { $0.start() }
    plan.emittedBelow = short()
    plan.emitted = list { $0.short() }
    plan.provenance = optional { $0.provenance() }
    plan.duration = optional { $0.double() }
    plan.limits = optional { $0.limits() }
    plan.begins = optional { $0.double() }
    return plan
  }
}

extension RuntimeCheckpoint.Governed {
  fileprivate init(governed generator: inout Generator) {
    let lanes = generator.int(1...4)
    self.init(
      PropertyReference(generator.name(), generator.name()), acceleration: generator.lanes(lanes),
      demand: generator.state(), demandAcceleration: generator.lanes(lanes), isDriven: generator.flag(),
      isPending: generator.flag(),
      motion: generator.optional { .init($0.state(), distance: $0.lanes(lanes)) })
  }
}
