/// The state of a runtime at the end of a frame, as plain values: enough to continue from there in another process.
///
/// Springs continue from value and velocity, plans with their elapsed time, and the remainders of hand-overs continue
/// to fade. Hands and tokens are not part of it.
package struct RuntimeCheckpoint: Hashable, Sendable {
  /// The last frame that was run.
  package var frame = Frame(number: 0, time: 0, dt: 0)
  /// The state of the clock, and the simulated time.
  package var clock = ClockState(time: 0, speed: 1, isPaused: false)
  /// The sequence of the last transaction that was accepted.
  package var lastSequence: UInt64 = 0
  /// The targets, in order of first mention.
  package var targets: [Target] = []
  /// The plans that had not ended, in order of addition.
  package var plans: [Plan] = []
  /// The transactions that waited for their time, in the order in which they will be applied.
  package var waiting: [Waiting] = []
  /// The clients whose transactions hold only while they are connected.
  package var owners: [Owner] = []
  /// The remainders of hand-overs that had not faded.
  package var handovers: [Handover] = []
  /// The limits of properties that do not exist.
  package var limits: [Limit] = []
  /// The groups of targets.
  package var groups: [GroupRow] = []
  /// The scenes, in the order in which they were saved. No frame depends on them, and snapshots lack them.
  package var scenes: [StoredScene] = []
  /// The lists of cues, in the order in which they changed last; likewise.
  package var cues: [StoredCueList] = []
  /// The properties under limits or in a range that move, lag behind their drivers, or whose drivers move beyond a bound.
  package var governed: [Governed] = []

  /// A target with its properties, in order of first mention.
  package struct Target: Hashable, Sendable {
    package var name: TargetName
    package var properties: [Property]

    package init(_ name: TargetName, _ properties: [Property]) { (self.name, self.properties) = (name, properties) }
  }

  /// A property and its state.
  package struct Property: Hashable, Sendable {
    package var name: PropertyName
    package var state: PropertyState
    /// The limits that were set; `nil` if none were.
    package var limits: LimitSetting?

    package init(_ name: PropertyName, _ state: PropertyState, limits: LimitSetting? = nil) {
      (self.name, self.state, self.limits) = (name, state, limits)
    }
  }

  /// A property in the parts of a checkpoint: the place of its lanes in the columns.
  package struct Place: Hashable, Sendable {
    package var name: PropertyName
    package var first: Int
    package var lanes: Int
    /// The limits that were set; `nil` if none were.
    package var limits: LimitSetting?

    package init(_ name: PropertyName, first: Int, lanes: Int, limits: LimitSetting? = nil) {
      (self.name, self.first, self.lanes, self.limits) = (name, first, lanes, limits)
    }
  }

  /// A list of cues, and how far it has come.
  package struct StoredCueList: Hashable, Sendable {
    package var name: CueListName
    package var list: CueList
    package var position: CuePosition
    /// Its place in the order in which lists changed, once for each change.
    package var number: UInt64

    package init(_ name: CueListName, _ list: CueList, _ position: CuePosition, number: UInt64) {
      (self.name, self.list, self.position, self.number) = (name, list, position, number)
    }
  }

  /// A scene.
  package struct StoredScene: Hashable, Sendable {
    package var name: SceneName
    package var scene: Scene
    /// Its place in the order in which scenes were saved, once for each saving.
    package var number: UInt64

    package init(_ name: SceneName, _ scene: Scene, number: UInt64) {
      (self.name, self.scene, self.number) = (name, scene, number)
    }
  }

  /// A plan that had not ended.
  package struct Plan: Hashable, Sendable {
    package var identity: IntentionIdentity
    package var target: TargetName
    package var name: IntentionName?
    package var intention: Intention
    /// The start of its time; `nil` if it had not started.
    package var start: Start?
    /// The simulated time from which on it may start; `nil` if it does not wait for a time.
    package var begins: Double?
    /// The values of its properties at that start, if its executor needs them; the handles in it are not meaningful
    /// here.
    package var places: [PlannedIntention.Start] = []
    /// The plan has emitted all ordinals below this one.
    package var emittedBelow: UInt32 = 0
    /// The ordinals that it has emitted besides, in order.
    package var emitted: [UInt32] = []
    /// The provenance of the plan, or of its first ancestor; `nil` if it was not stored.
    package var provenance: Provenance?
    /// How many seconds the movement of a plan takes that arrives together with others.
    package var duration: Double?
    /// The limits that the property of a MoveTo had when it began; `nil` if none were set.
    package var limits: LimitSetting?

    package init(
      _ identity: IntentionIdentity, _ intention: Intention, named name: IntentionName?, on target: TargetName
    ) {
      (self.identity, self.intention, self.name, self.target) = (identity, intention, name, target)
    }
  }

  /// The start of a plan's time.
  package struct Start: Hashable, Sendable {
    package var frame: UInt64
    package var time: Double

    package init(frame: UInt64, time: Double) { (self.frame, self.time) = (frame, time) }
  }

  /// A transaction that waited for its time.
  package struct Waiting: Hashable, Sendable {
    package var at: Double
    package var sequence: UInt64
    package var transaction: Transaction
    /// The provenance; `nil` if it was not stored.
    package var provenance: Provenance?

    package init(at: Double, sequence: UInt64, _ transaction: Transaction, by provenance: Provenance? = nil) {
      (self.at, self.sequence, self.transaction, self.provenance) = (at, sequence, transaction, provenance)
    }
  }

  /// A client, and the transactions that hold while it is connected.
  package struct Owner: Hashable, Sendable {
    package var client: UInt64
    package var sequences: [UInt64]

    package init(_ client: UInt64, _ sequences: [UInt64]) { (self.client, self.sequences) = (client, sequences) }
  }

  /// The remaining difference of a hand-over: it is part of the property's value, and fades. No difference at all is a gap
  /// of the driver: so long would the fade after it last.
  package struct Handover: Hashable, Sendable {
    package var property: PropertyReference
    package var difference: PropertyState
    /// The seconds until the difference is gone.
    package var remaining: Double

    package init(_ property: PropertyReference, _ difference: PropertyState, remaining: Double) {
      (self.property, self.difference, self.remaining) = (property, difference, remaining)
    }
  }

  /// The limits of a property that does not exist.
  package struct Limit: Hashable, Sendable {
    package var property: PropertyReference
    package var setting: LimitSetting

    package init(_ property: PropertyReference, _ setting: LimitSetting) {
      (self.property, self.setting) = (property, setting)
    }
  }

  /// The part of the state of a property under limits that is not in its value and velocity.
  package struct Governed: Hashable, Sendable {
    package var property: PropertyReference
    /// The acceleration, per second squared.
    package var acceleration: Lanes
    /// The state that the driver demanded last.
    package var demand: PropertyState
    /// The acceleration of that demand.
    package var demandAcceleration: Lanes
    /// Whether the property follows the demand; otherwise it brakes.
    package var isDriven: Bool
    /// Whether the demand came after the last frame.
    package var isPending: Bool
    /// The motion of forces behind the property, which may be ahead of it or beyond its bound.
    package var motion: Motion?
    /// The decelerations of a property that brakes without limits of acceleration, after a stop; 0 in lanes that stand.
    package var ramp: Lanes?

    /// A motion of forces, to the bit.
    package struct Motion: Hashable, Sendable {
      /// The value and velocity.
      package var state: PropertyState
      /// The distance from the equilibrium: the value is the rounded sum of both.
      package var distance: Lanes

      package init(_ state: PropertyState, distance: Lanes) { (self.state, self.distance) = (state, distance) }
    }

    package init(
      _ property: PropertyReference, acceleration: Lanes, demand: PropertyState, demandAcceleration: Lanes,
      isDriven: Bool, isPending: Bool, motion: Motion? = nil, ramp: Lanes? = nil
    ) {
      (self.property, self.acceleration, self.demand) = (property, acceleration, demand)
      (self.demandAcceleration, self.isDriven, self.isPending) = (demandAcceleration, isDriven, isPending)
      (self.motion, self.ramp) = (motion, ramp)
    }
  }

  /// Creates an empty state, before the first frame.
  package init() {}
}
