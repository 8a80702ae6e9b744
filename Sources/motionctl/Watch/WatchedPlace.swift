import ArgumentParser
import MotionClient
import MotionCore
import MotionModel
import MotionWire

/// A watched place: everything, a target, one of its properties, or those of several targets.
enum WatchedPlace: Hashable, CustomStringConvertible {
  case scope(Interest.Scope)
  /// The targets for which a selector stands, or one property of each.
  case each(TargetSelector, PropertyName?)

  /// Everything.
  static let everything = WatchedPlace.scope(.everything)
  /// Each scope has up to three topics, of which a connection has a limited number.
  private static let mostScopes = 4096

  /// Reads `TARGET` or `TARGET/PROPERTY`, where in place of a target may be a selector.
  init(parsing text: String) throws {
    let slash = text.firstIndex(of: "/")
    let selector = try parsedSelector(String(text[..<(slash ?? text.endIndex)]))
    let property: PropertyName? = try slash.map { try parsedName(String(text[text.index(after: $0)...])) }
    self =
      if let target = selector.name {
        .scope(property.map { .property(PropertyReference(target, $0)) } ?? .target(target))
      } else {
        .each(selector, property)
      }
  }

  /// The places with each property once: without those that others contain. Everything if there are none.
  static func distinct(_ places: [WatchedPlace]) -> [WatchedPlace] {
    if places.isEmpty || places.contains(.everything) { return [.everything] }
    var distinct: [WatchedPlace] = []
    var seen: Set<WatchedPlace> = []
    let all = Set(places)
    for place in places where seen.insert(place).inserted {
      if case .scope(.property(let reference)) = place, all.contains(.scope(.target(reference.target))) { continue }
      distinct.append(place)
    }
    return distinct
  }

  /// The scopes of the places, with one for each target for which a selector stands at present.
  static func scopes(_ places: [WatchedPlace], of client: MotionClient) throws(Failure) -> [Interest.Scope] {
    var resolved: [WatchedPlace] = []
    for place in places {
      guard case .each(let selector, let property) = place else {
        resolved.append(place)
        continue
      }
      for target in try selector.names({ query throws(Failure) in try client.answer(query) }) {
        resolved.append(.scope(property.map { .property(PropertyReference(target, $0)) } ?? .target(target)))
      }
    }
    let scopes = distinct(resolved).compactMap { if case .scope(let scope) = $0 { scope } else { nil } }
    guard scopes.count <= mostScopes else {
      throw Failure(
        .usage, "these are \(scopes.count) targets, and at most \(mostScopes) can be named at a time",
        remedy: "name fewer, or none for all of them")
    }
    return scopes
  }

  /// Whether it has a property of a runtime, which has the groups of selectors.
  func contains(_ reference: PropertyReference, in runtime: Runtime) -> Bool {
    switch self {
    case .scope(let scope): scope.contains(reference)
    case .each(let selector, let property):
      (property == nil || property == reference.property)
        && selector.contains(reference.target, members: runtime.members)
    }
  }

  /// The place as it is written on the command line.
  var description: String {
    switch self {
    case .scope(.everything): "everything"
    case .scope(.target(let target)): target.text
    case .scope(.property(let reference)): reference.description
    case .each(let selector, let property): property.map { "\(selector)/\($0)" } ?? selector.text
    }
  }
}

extension Interest.Scope {
  /// The interests to subscribe to: values, or motion if velocities are wanted, with outcomes and drivers if they are.
  func interests(withVelocities: Bool, withOutcomes: Bool, withDrivers: Bool) -> [Interest] {
    let values: Interest = withVelocities ? .motion(self) : .values(self)
    return [values] + (withOutcomes ? [.outcomes(target)] : []) + (withDrivers ? [.drivers(self)] : [])
  }

  /// The target of the scope; `nil` for everything.
  var target: TargetName? {
    switch self {
    case .everything: nil
    case .target(let target): target
    case .property(let reference): reference.target
    }
  }
}

/// Decides which properties of a replayed runtime belong to watched places. A property that was in a group belongs to it
/// from then on.
struct PlaceFilter {
  let places: [WatchedPlace]
  private let groups: [GroupName]
  private var known: [PropertyReference: Bool] = [:]
  /// The members of the groups, and the frame in which they had these.
  private var members: (frame: UInt64, of: [[TargetName]?]) = (0, [])
  /// The places of which no property was found.
  private(set) var missing: [WatchedPlace]

  init(_ places: [WatchedPlace]) {
    self.places = places
    groups = places.flatMap { place -> [GroupName] in
      if case .each(let selector, _) = place { selector.groups } else { [] }
    }
    missing = places.filter { $0 != .everything }
  }

  /// Whether a property belongs to one of the places.
  mutating func contains(_ reference: PropertyReference, in runtime: Runtime) -> Bool {
    if !groups.isEmpty, members.frame != runtime.frame.number {
      let present = groups.map(runtime.members)
      if present != members.of { known = known.filter(\.value) }
      members = (runtime.frame.number, present)
    }
    if let isMeant = known[reference] { return isMeant }
    missing.removeAll { $0.contains(reference, in: runtime) }
    let isMeant = places.contains { $0.contains(reference, in: runtime) }
    known[reference] = isMeant
    return isMeant
  }
}
