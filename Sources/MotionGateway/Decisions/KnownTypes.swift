import MotionModel

/// Which types of intentions reach outside the machine, as motiond has answered last.
struct KnownTypes {
  /// How long an answer counts for types that were not in it: a client resends its commit after a second.
  static let timeout = Duration.seconds(1)
  /// How old an answer may be while commits come: a plugin that was installed since may say something else.
  static let refresh = Duration.seconds(10)

  private var reach: [IntentionType: Bool] = [:]
  private var answered: Duration?
  private var asked: Duration?

  /// Whether motiond is to be asked now, for a commit of these types: at most once in ``timeout``.
  mutating func asks(about types: some Sequence<IntentionType>, at now: Duration) -> Bool {
    if let asked, now - asked < Self.timeout { return false }
    let isStale = answered.map { now - $0 >= Self.refresh } ?? true
    guard isStale || types.contains(where: { reach[$0] == nil }) else { return false }
    asked = now
    return true
  }

  /// motiond has told all types that there are.
  mutating func update(_ types: [IntentionDescription], at now: Duration) {
    reach = Dictionary(types.map { ($0.type, $0.reachesOutside) }) { $0 || $1 }
    answered = now
  }

  /// Whether a type reaches outside; `nil` if motiond has to be asked first. One that it does not know it refuses itself.
  func reachesOutside(_ type: IntentionType, at now: Duration) -> Bool? {
    if let known = reach[type] { return known }
    return answered.map { now - $0 < Self.timeout } == true ? false : nil
  }
}
