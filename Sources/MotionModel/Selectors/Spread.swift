/// How the plans of an operation differ from target to target of its selector: values that lie evenly between two, and
/// beginnings one after the other.
///
///     // The first lamp at 20, the last at 100; each begins 100 ms after the one before.
///     transaction.add(.springTo("light", 20), toEach: "lamp{1..12}",
///       spread: Spread(to: [.init("destination", 100)], stagger: 0.1))
///
/// Of a single target the plan is that of the operation.
public struct Spread: Hashable, Sendable {
  /// Fields with their values for the last target: numbers, vectors and durations. Those of the first target are in
  /// the plan. Lane by lane, values between lie evenly.
  public var to: [Intention.Field]
  /// After how many simulated seconds the next target begins; 0 for all at once.
  public var stagger: Double
  /// The order of the targets; natural order of their names without one.
  public var by: SpreadOrder?

  /// Creates a spread.
  public init(to: [Intention.Field] = [], stagger: Double = 0, by order: SpreadOrder? = nil) {
    (self.to, self.stagger, by) = (to, stagger, order)
  }

  /// Whether it changes nothing.
  public var isEmpty: Bool { to.isEmpty && stagger == 0 }

  /// Rejects a spread that does not fit the plan of the operation.
  package func check(for intention: Intention) throws(Refusal) {
    guard stagger == 0 || (0...Limits.durationSeconds).contains(stagger) else {
      throw Refusal(
        .value, field: "stagger", "\(stagger) s is no delay", remedy: "Give 0 to \(Limits.durationSeconds) seconds.")
    }
    guard to.count <= Limits.fieldsPerIntention else {
      throw Refusal(
        .limit, "\(to.count) fields are too many", remedy: "Spread at most \(Limits.fieldsPerIntention) of them.")
    }
    for field in to {
      guard let first = intention[field.name] else {
        throw Refusal(
          .fields, field: field.name, "the field has no value for the first target", remedy: "Give it both values.")
      }
      guard first.value(0.5, to: field.value) != nil else {
        throw Refusal(
          .value, field: field.name, "there are no values between these two",
          remedy: "Give two numbers, two vectors of as many lanes, or two durations.")
      }
    }
  }

  /// The plan for one of several targets.
  ///
  /// - Parameters:
  ///   - intention: the plan of the operation.
  ///   - place: the place of the target in the order, from 0.
  ///   - last: the last place.
  package func plan(_ intention: Intention, at place: Int, of last: Int) -> Intention {
    var plan = intention
    plan.after += stagger * Double(place)
    guard last > 0 else { return plan }
    for field in to { plan[field.name] = plan[field.name]?.value(Double(place) / Double(last), to: field.value) }
    return plan
  }
}

extension FieldValue {
  /// The value at a fraction of the way to another one; `nil` where there is none.
  fileprivate func value(_ fraction: Double, to last: FieldValue) -> FieldValue? {
    // Exact at both ends.
    func between(_ a: Double, _ b: Double) -> Double { fraction == 1 ? b : a + fraction * (b - a) }
    switch (self, last) {
    case (.number(let first), .number(let last)): return .number(between(first, last))
    case (.vector(let first), .vector(let last)) where first.count == last.count:
      return Lanes((0..<first.count).map { between(first[$0], last[$0]) }).map { .vector($0) }
    case (.duration(let first), .duration(let last)):
      return fraction == 1 ? .duration(last) : .duration(first + (last - first) * fraction)
    default: return nil
    }
  }
}

/// An order of targets by the value of a property that each of them has. Targets with equal values have one place.
///
/// As a text it is `x`, `-x` (the greatest first), or `position.y` (by one lane; `x y z w` or `r g b a`). Without a lane
/// the first counts, and of equal ones the next.
public struct SpreadOrder: Hashable, Sendable, CustomStringConvertible {
  /// The property.
  public var property: PropertyName
  /// The lane that counts; all of them if `nil`.
  public var lane: Int?
  /// Whether the greatest value is first.
  public var isDescending: Bool

  /// Creates an order.
  public init(_ property: PropertyName, lane: Int? = nil, isDescending: Bool = false) {
    (self.property, self.lane, self.isDescending) = (property, lane, isDescending)
  }

  /// Reads an order.
  ///
  /// - Throws: ``SpreadOrderError`` with the rule.
  public init(_ text: String) throws(SpreadOrderError) {
    isDescending = text.hasPrefix("-")
    let place = isDescending ? text.dropFirst() : text[...]
    let parts = place.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, let name = try? PropertyName(String(parts[0])) else { throw SpreadOrderError(text) }
    property = name
    guard parts.count == 2 else { return }
    let lanes = Self.lanes.compactMap { $0.firstIndex(of: String(parts[1])) }
    guard let lane = lanes.first else { throw SpreadOrderError(text) }
    self.lane = lane
  }

  /// The values of the property that count, in the order in which they do; `nil` if it does not have the lane.
  package func key(of value: Lanes) -> Lanes? {
    guard lane.map({ $0 < value.count }) ?? true else { return nil }
    let lanes = lane.map { [value[$0]] } ?? (0..<value.count).map { value[$0] }
    return Lanes(lanes.map { isDescending ? -$0 : $0 })
  }

  private static let lanes = [["x", "y", "z", "w"], ["r", "g", "b", "a"]]

  /// The text that reads as this order.
  public var description: String {
    (isDescending ? "-" : "") + property.text + (lane.map { ".\(Self.lanes[0][$0])" } ?? "")
  }
}

/// The error for a text that is no order of targets.
public struct SpreadOrderError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The text, shortened to 64 characters.
  public let text: String

  init(_ text: String) { self.text = text.count > 64 ? String(text.prefix(64)) + "…" : text }

  /// The rule in words, for messages.
  public static let rule = "use a property that every target has: x, -x for the greatest first, position.y for one lane"

  /// The message for people: the problem and the rule.
  public var description: String { "\"\(text)\" is no order: \(Self.rule)" }
}
