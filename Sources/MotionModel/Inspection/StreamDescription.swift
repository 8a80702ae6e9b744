/// A stream that an executor writes to a property, or an argument of one, as it was put together: its source and its
/// operators, as text.
///
/// It is what `motionctl graph` shows of an executor made of streams, in whichever process that lives. Bounded and fit to be
/// shown, whoever says it: what is longer than the limits is cut, with an ellipsis, and control characters are escaped.
public struct StreamDescription: Hashable, Sendable {
  /// A call of one of a plan's streams.
  public struct Place: Hashable, Sendable {
    /// The stream, by its place among the plan's, from 0.
    public let stream: Int
    /// The call, by its place in that.
    public let call: Int

    /// The call at these places.
    public init(stream: Int, call: Int) { (self.stream, self.call) = (stream, call) }
  }

  /// Where a stream goes.
  public enum Goal: Hashable, Sendable {
    /// It is written to a property.
    case property(PropertyName)
    /// It is an argument of a call of an earlier stream, in which `…` stands for it.
    case argument(of: Place)
  }

  /// Where it goes.
  public let goal: Goal
  /// The source and then the operators, as they were called: `frames()`, `scaled(by: 2.0)`.
  public let calls: [String]
  /// The call of an earlier stream that its own calls follow; `nil` for one that begins with a source.
  public let follows: Place?

  /// The property that it is written to, if it is.
  public var property: PropertyName? {
    if case .property(let property) = goal { property } else { nil }
  }

  /// Describes a stream that is written to a property.
  public init(_ property: PropertyName, calls: [String]) { self.init(.property(property), calls: calls) }

  /// Describes a stream; see ``MotionModel/Limits/callsPerStream`` and ``MotionModel/Limits/streamCallBytes``.
  public init(_ goal: Goal, following follows: Place? = nil, calls: [String]) {
    (self.goal, self.follows) = (goal, follows)
    var shown = calls.prefix(Limits.callsPerStream).map { call in
      ShownText.cut(ShownText.escaping(call), toBytes: Limits.streamCallBytes)
    }
    if calls.count > Limits.callsPerStream { shown[Limits.callsPerStream - 1] = "…" }
    self.calls = shown
  }

  /// About how many bytes it takes in a message, never fewer than there will be.
  public var bytes: Int { calls.reduce(56 + (property?.text.utf8.count ?? 0)) { $0 + 8 + $1.utf8.count } }
}

/// What a worker says of the streams by which its executors fulfil their plans.
public struct StreamReport: Hashable, Sendable {
  /// The streams of a plan.
  public struct Plan: Hashable, Sendable {
    /// Which plan.
    public var identity: IntentionIdentity
    /// Its streams, in the order in which they were written to properties, each with its arguments behind it.
    public var streams: [StreamDescription]

    /// A plan with its streams, the first ``MotionModel/Limits/streamsPerIntention`` of them.
    public init(_ identity: IntentionIdentity, _ streams: [StreamDescription]) {
      self.identity = identity
      self.streams = Array(streams.prefix(Limits.streamsPerIntention))
    }

    /// About how many bytes it takes in a message, never fewer than there will be.
    var bytes: Int { streams.reduce(120) { $0 + $1.bytes } }
  }

  /// The plans that are fulfilled by streams.
  public private(set) var plans: [Plan] = []
  /// Whether there are more than fit into a report.
  public private(set) var isCut = false
  private var bytes = 0

  /// A report of nothing.
  public init() {}

  /// A report of these, as far as they fit.
  public init(_ plans: [Plan], isCut: Bool = false) {
    for plan in plans { add(plan) }
    if isCut { self.isCut = true }
  }

  /// Adds a plan, if the report has room for it: ``MotionModel/Limits/plansPerStreamReport`` and
  /// ``MotionModel/Limits/streamReportBytes``.
  public mutating func add(_ plan: Plan) {
    let larger = bytes + plan.bytes
    guard plans.count < Limits.plansPerStreamReport, larger <= Limits.streamReportBytes else {
      isCut = true
      return
    }
    plans.append(plan)
    bytes = larger
  }
}
