import ArgumentParser
import MotionModel
import MotionWire

/// A watched place: everything, a target, or one of its properties.
struct WatchedPlace: Equatable, CustomStringConvertible {
  /// The properties of the place.
  let scope: Interest.Scope

  /// Everything.
  static let everything = WatchedPlace(scope: .everything)

  init(scope: Interest.Scope) {
    self.scope = scope
  }

  /// Reads `TARGET` or `TARGET/PROPERTY`.
  init(parsing text: String) throws {
    guard let slash = text.firstIndex(of: "/") else {
      scope = .target(try parsedName(text))
      return
    }
    scope = .property(
      PropertyReference(
        try parsedName(String(text[..<slash])), try parsedName(String(text[text.index(after: slash)...]))))
  }

  /// The places with each property once: without those that others contain. Everything if there are none.
  static func distinct(_ places: [WatchedPlace]) -> [WatchedPlace] {
    if places.isEmpty || places.contains(.everything) { return [.everything] }
    var distinct: [WatchedPlace] = []
    for place in places where !distinct.contains(place) {
      if case .property(let reference) = place.scope,
        places.contains(where: { $0.scope == .target(reference.target) })
      {
        continue
      }
      distinct.append(place)
    }
    return distinct
  }

  /// The interests to subscribe to: values, or motion if velocities are wanted, with outcomes and drivers if they are.
  func interests(withVelocities: Bool, withOutcomes: Bool, withDrivers: Bool) -> [Interest] {
    let values: Interest = withVelocities ? .motion(scope) : .values(scope)
    return [values] + (withOutcomes ? [.outcomes(target)] : []) + (withDrivers ? [.drivers(scope)] : [])
  }

  /// The place as it is written on the command line.
  var description: String {
    switch scope {
    case .everything: "everything"
    case .target(let target): target.text
    case .property(let reference): reference.description
    }
  }

  /// The target of the place; `nil` for everything.
  var target: TargetName? {
    switch scope {
    case .everything: nil
    case .target(let target): target
    case .property(let reference): reference.target
    }
  }
}
