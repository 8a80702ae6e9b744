import ArgumentParser
import MotionModel
import MotionWire

/// What is watched: everything, a target, or one of its properties.
struct WatchedPlace: Equatable {
  /// Which properties.
  let scope: Interest.Scope

  /// Everything.
  static let everything = WatchedPlace(scope: .everything)

  private init(scope: Interest.Scope) {
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

  /// What to subscribe to: values, or motion where velocities are wanted, and outcomes and drivers if they are.
  func interests(withVelocities: Bool, withOutcomes: Bool, withDrivers: Bool) -> [Interest] {
    let values: Interest = withVelocities ? .motion(scope) : .values(scope)
    return [values] + (withOutcomes ? [.outcomes(target)] : []) + (withDrivers ? [.drivers(scope)] : [])
  }

  /// The target that it is about; `nil` for everything.
  var target: TargetName? {
    switch scope {
    case .everything: nil
    case .target(let target): target
    case .property(let reference): reference.target
    }
  }
}
