/// Why a property has its value and velocity: what drives it, for which plan of whom, what it took over from, and what
/// waits. All of it is of one instant.
public struct Explanation: Hashable, Sendable {
  /// The last frame that was run.
  public var frame: UInt64
  /// The simulated time of that frame, in seconds.
  public var time: Double
  /// The property, with its value, velocity, driver and limits.
  public var property: PropertyRow
  /// The plan that drives it; of several that move it together, the latest. `nil` without a driver.
  public var plan: IntentionRow?
  /// Since when this plan drives it, in simulated seconds; `nil` if that was before the last start of motiond, or before
  /// the place where a replay began.
  public var since: Double?
  /// When the time of the plan began, in simulated seconds; `nil` if it has not.
  public var began: Double?
  /// The plans that emitted the plan: its parent first.
  public var ancestors: [IntentionRow]
  /// The other plans of the driver that move the property together with the plan, in order of addition: the forces on it.
  public var together: [IntentionRow]
  /// The plans that can drive it later: those that continue when the plan ends, first the one that does so next, then
  /// those that have not begun.
  public var waiting: [IntentionRow]
  /// The plan that drove it before; `nil` if there was none, or it is not known any more.
  public var former: FormerPlan?
  /// The worker of the driver; `nil` if the driver is in motiond's process.
  public var worker: WorkerFact?
  /// The executor that still moves the property, until the first value of its driver arrives; `nil` if that is the driver.
  public var mover: ExecutorType?
  /// Why the property is not where its driver puts it, if the driver was late or its worker is gone.
  public var lateness: Lateness?
  /// For how many simulated seconds the difference that a hand-over left will still fade; `nil` if there is none.
  public var fading: Double?
  /// The limits that hold the property back from what its driver demands.
  public var restraints: [LimitKind]

  /// Creates an explanation in which only the state is known.
  public init(frame: UInt64, time: Double, _ property: PropertyRow) {
    (self.frame, self.time, self.property) = (frame, time, property)
    (ancestors, together, waiting, restraints) = ([], [], [], [])
  }

  /// A plan that drove a property before the present one.
  public struct FormerPlan: Hashable, Sendable {
    /// How it came to drive the property no longer.
    public enum End: String, Hashable, Sendable, CaseIterable {
      /// It was fulfilled.
      case completed
      /// Another plan took the property over.
      case displaced
      /// Its executor could not fulfil it.
      case failed
      /// A client removed it, or another plan took its name.
      case removed
      /// A stop ended it.
      case stopped
    }

    /// Its identity.
    public var identity: IntentionIdentity
    /// Its type.
    public var type: IntentionType
    /// Its name, if it had one.
    public var name: IntentionName?
    /// The provenance of its transaction.
    public var provenance: Provenance?
    /// How it ended.
    public var end: End
    /// When, in simulated seconds.
    public var time: Double
    /// The client of the stop that ended it; `nil` if none did, or it is not known.
    public var stopper: Committer?

    /// Creates a plan that drove a property until a time.
    public init(
      _ identity: IntentionIdentity, _ type: IntentionType, named name: IntentionName? = nil,
      by provenance: Provenance? = nil, _ end: End, at time: Double, stopper: Committer? = nil
    ) {
      (self.identity, self.type, self.name) = (identity, type, name)
      (self.provenance, self.end, self.time, self.stopper) = (provenance, end, time, stopper)
    }
  }

  /// What a runtime knows of a worker.
  public struct WorkerFact: Hashable, Sendable {
    /// Its address.
    public var address: WorkerAddress
    /// Whether it serves: it is connected, and has the plans.
    public var isServing: Bool
    /// Why its plugin is quarantined; empty if it is not.
    public var quarantine: String

    /// Creates what is known of a worker.
    public init(_ address: WorkerAddress, isServing: Bool, quarantine: String = "") {
      (self.address, self.isServing, self.quarantine) = (address, isServing, quarantine)
    }
  }

  /// Why a property is not where its driver puts it.
  public enum Lateness: Hashable, Sendable {
    /// No value has arrived since a simulated time: the velocity fades, or the property stands.
    case silent(since: Double)
    /// The values arrive so many frames late.
    case behind(frames: UInt64)
    /// Its worker was lost, and the property goes to the place that its limits name for that case.
    case retreating
    /// Values arrive again, and the property catches up with them.
    case catchingUp
  }
}
