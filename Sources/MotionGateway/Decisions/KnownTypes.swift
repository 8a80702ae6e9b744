import MotionModel

/// Which types of intentions reach outside the machine, from motiond's latest answer.
struct KnownTypes {
  /// How long an answer is valid for types that it does not contain. A client resends its commit after a second.
  static let timeout = Duration.seconds(1)
  /// The age at which a commit makes the gateway query the types again: a plugin installed since then may declare them
  /// differently.
  static let refresh = Duration.seconds(10)

  private var reach: [IntentionType: Bool] = [:]
  private var answered: Duration?
  private var asked: Duration?

  /// Whether to query motiond now, for a commit of these types: at most once per ``timeout``.
  mutating func asks(about types: some Sequence<IntentionType>, at now: Duration) -> Bool {
    if let asked, now - asked < Self.timeout { return false }
    let isStale = answered.map { now - $0 >= Self.refresh } ?? true
    guard isStale || types.contains(where: { reach[$0] == nil }) else { return false }
    asked = now
    return true
  }

  /// Takes motiond's answer, which contains all types.
  mutating func update(_ types: [IntentionDescription], at now: Duration) {
    reach = Dictionary(types.map { ($0.type, $0.reachesOutside) }) { $0 || $1 }
    answered = now
  }

  /// Whether a type reaches outside the machine; `nil` if motiond must be queried first. motiond itself refuses unknown
  /// types.
  func reachesOutside(_ type: IntentionType, at now: Duration) -> Bool? {
    if let known = reach[type] { return known }
    return answered.map { now - $0 < Self.timeout } == true ? false : nil
  }
}
