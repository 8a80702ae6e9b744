/// A stream that an executor writes to a property, or an argument of such a stream, in its call structure: its source
/// and its operators, as text.
///
/// `motionctl graph` shows it for an executor made of streams, in whichever process the executor runs. It is bounded
/// and safe to print, whatever its sender sent: text beyond the limits is cut, with an ellipsis, and control characters
/// are escaped.
public struct StreamDescription: Hashable, Sendable {
  /// The position of a call in one of a plan's streams.
  public struct Place: Hashable, Sendable {
    /// The index of the stream among the plan's streams, from 0.
    public let stream: Int
    /// The index of the call in that stream.
    public let call: Int

    /// Creates the position of a call.
    public init(stream: Int, call: Int) { (self.stream, self.call) = (stream, call) }
  }

  /// The destination of a stream.
  public enum Goal: Hashable, Sendable {
    /// The stream is written to a property.
    case property(PropertyName)
    /// The stream is an argument of a call of an earlier stream, in which `…` stands for it.
    case argument(of: Place)
  }

  /// The stream's destination.
  public let goal: Goal
  /// The source and then the operators, as they were called: `frames()`, `scaled(by: 2.0)`.
  public let calls: [String]
  /// The call of an earlier stream that this stream's calls follow; `nil` for a stream that begins with a source.
  public let follows: Place?

  /// The property that the stream is written to, if any.
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

  /// An upper bound of the bytes that it takes in a message, close to the actual size.
  public var bytes: Int { calls.reduce(56 + (property?.text.utf8.count ?? 0)) { $0 + 8 + $1.utf8.count } }
}

/// A worker's report of the streams by which its executors fulfil their plans.
public struct StreamReport: Hashable, Sendable {
  /// The streams of a plan.
  public struct Plan: Hashable, Sendable {
    /// The identity of the plan.
    public var identity: IntentionIdentity
    /// Its streams, in the order in which they were written to properties, each with its arguments behind it.
    public var streams: [StreamDescription]

    /// Creates a plan with its streams, the first ``MotionModel/Limits/streamsPerIntention`` of them.
    public init(_ identity: IntentionIdentity, _ streams: [StreamDescription]) {
      self.identity = identity
      self.streams = Array(streams.prefix(Limits.streamsPerIntention))
    }

    /// An upper bound of the bytes that it takes in a message, close to the actual size.
    var bytes: Int { streams.reduce(120) { $0 + $1.bytes } }
  }

  /// The plans that are fulfilled by streams.
  public private(set) var plans: [Plan] = []
  /// Whether there are more plans than fit into a report.
  public private(set) var isCut = false
  private var bytes = 0

  /// Creates an empty report.
  public init() {}

  /// Creates a report of these plans, as far as they fit.
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
