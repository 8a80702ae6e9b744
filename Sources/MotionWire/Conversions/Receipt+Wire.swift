import MotionModel
import SwiftProtobuf

extension ProtoReceipt: WireRepresentation {
  init(_ receipt: Receipt) {
    sequence = receipt.sequence
    if let frame = receipt.frame { self.frame = frame }
    if let at = receipt.at { self.at = at }
    repeatedCommit = receipt.isRepeat
    plugins = receipt.plugins.map(ProtoPluginReadiness.init)
    if let overdue = receipt.overdue { self.overdue = overdue }
    if let counts = receipt.counts { self.counts = Counts(counts) }
    displaced = receipt.displaced.map(Displaced.init)
    limited = receipt.limited.map(Limited.init)
    addressed = receipt.addressed.map { entry in
      .with {
        $0.operation = Encode.count(entry.operation)
        $0.targets = Encode.count(entry.targets)
      }
    }
    cues = receipt.cues.map(ProtoCueListRow.init)
  }

  func model() throws(WireError) -> Receipt {
    var receipt = Receipt(
      sequence: sequence, frame: hasFrame ? frame : nil, at: try Decode.finite(hasAt, at, "at"),
      isRepeat: repeatedCommit, plugins: try Decode.list(plugins, "plugins", atMost: Limits.plugins))
    receipt.overdue = try Decode.finite(hasOverdue, overdue, "overdue")
    receipt.counts = try Decode.optional(hasCounts, counts, "counts")
    receipt.displaced = try Decode.list(displaced, "displaced", atMost: Limits.displacedInReceipt)
    receipt.limited = try Decode.list(limited, "limited", atMost: Limits.limitedInReceipt)
    receipt.addressed = try Decode.list(addressed, "addressed", atMost: Limits.addressedInReceipt) {
      .init(operation: Int($0.operation), targets: Int($0.targets))
    }
    receipt.cues = try Decode.list(cues, "cues", atMost: Limits.cueLists)
    return receipt
  }
}

extension ProtoReceipt.Displaced: WireRepresentation {
  init(_ displaced: Receipt.Displaced) {
    operation = Encode.count(displaced.operation)
    property = displaced.property.text
    by = ProtoIntentionIdentity(displaced.by)
    type = displaced.type.text
    if let name = displaced.name { self.name = name.text }
    priority = displaced.priority
    if let target = displaced.target { self.target = target.text }
  }

  func model() throws(WireError) -> Receipt.Displaced {
    var displaced = Receipt.Displaced(
      operation: Int(operation), property: try Decode.name(property, "property"),
      by: try Decode.required(hasBy, by, "by"), type: try Decode.name(type, "type"),
      name: try Decode.name(hasName, name, "name"), priority: priority)
    displaced.target = try Decode.name(hasTarget, target, "target")
    return displaced
  }
}

extension ProtoReceipt.Limited: WireRepresentation {
  private static let kinds: [(LimitKind, Limit)] = [
    (.range, .range), (.velocity, .velocity), (.acceleration, .acceleration), (.jerk, .jerk),
  ]

  init(_ limited: Receipt.Limited) {
    operation = Encode.count(limited.operation)
    property = limited.property.text
    limits = Self.limits(limited.limits)
    overrun = limited.overrun?.array ?? []
    if let target = limited.target { self.target = target.text }
  }

  func model() throws(WireError) -> Receipt.Limited {
    var limited = Receipt.Limited(
      operation: Int(operation), property: try Decode.name(property, "property"),
      limits: try Self.kinds(of: limits, "limits"),
      overrun: overrun.isEmpty ? nil : try Decode.lanes(overrun, "overrun"))
    limited.target = try Decode.name(hasTarget, target, "target")
    return limited
  }

  /// The kinds of limits as messages have them.
  static func limits(_ limits: [LimitKind]) -> [Limit] { kinds.filter { limits.contains($0.0) }.map(\.1) }

  static func kinds(of limits: [Limit], _ field: StaticString) throws(WireError) -> [LimitKind] {
    for limit in limits where !kinds.contains(where: { $0.1 == limit }) {
      throw WireError.unknown(limit.rawValue).within("\(field)")
    }
    return kinds.filter { limits.contains($0.1) }.map(\.0)
  }
}

extension ProtoReceipt.Counts: WireRepresentation {
  init(_ counts: Receipt.Counts) {
    added = Encode.count(counts.added)
    removed = Encode.count(counts.removed)
    forgotten = Encode.count(counts.forgotten)
  }

  func model() throws(WireError) -> Receipt.Counts {
    Receipt.Counts(added: Int(added), removed: Int(removed), forgotten: Int(forgotten))
  }
}

extension ProtoPluginReadiness: WireRepresentation {
  init(_ readiness: PluginReadiness) {
    plugin = readiness.plugin.text
    state = State(readiness.state)
  }

  func model() throws(WireError) -> PluginReadiness {
    PluginReadiness(try Decode.name(plugin, "plugin"), try Decode.part(state, "state"))
  }
}

extension ProtoPluginReadiness.State: WireRepresentation {
  init(_ state: PluginReadiness.State) {
    self =
      switch state {
      case .ready: .ready
      case .starting: .starting
      case .quarantined: .quarantined
      }
  }

  func model() throws(WireError) -> PluginReadiness.State {
    switch self {
    case .ready: .ready
    case .starting: .starting
    case .quarantined: .quarantined
    case .unspecified, .UNRECOGNIZED: throw .unknown(rawValue)
    }
  }
}

extension ProtoRefusal: WireRepresentation {
  init(_ refusal: Refusal) {
    code = refusal.code.rawValue
    if let operation = refusal.operation { self.operation = Encode.count(operation) }
    if let field = refusal.field { self.field = Encode.text(field) }
    message = Encode.text(refusal.message)
    remedy = Encode.text(refusal.remedy)
  }

  func model() throws(WireError) -> Refusal {
    guard !code.isEmpty else { throw .missing("code") }
    return Refusal(
      Refusal.Code(rawValue: try Decode.text(code, "code", atMost: Limits.typeNameBytes)),
      operation: hasOperation ? Int(operation) : nil, field: hasField ? try Decode.text(field, "field") : nil,
      try Decode.text(message, "message"), remedy: try Decode.text(remedy, "remedy"))
  }
}
