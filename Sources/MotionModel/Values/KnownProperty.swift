/// The facts that follow from a property's name alone: lanes, initial value, rest threshold, and natural range.
///
/// Properties with custom names take the lanes of their first value and start at zero with threshold 1.
public struct KnownProperty: Hashable, Sendable {
  /// The number of lanes that the property may have; its first value determines it.
  public let lanes: ClosedRange<Int>
  /// The value of every lane before anything has moved it.
  public let initialLane: Double
  /// The distance below which a movement counts as arrived, in the property's unit (specification §9).
  public let threshold: Double
  /// The unit of a lane, for descriptions.
  public let unit: String
  /// The range that no lane ever leaves; nil if there is none. A writer that moves the property beyond it is clamped to
  /// the bound, with velocity 0 (specification S10.20).
  public var range: ClosedRange<Double>?

  /// Returns the facts about `name`, or those that apply to every custom name.
  public static func named(_ name: PropertyName) -> KnownProperty {
    // A name whose length no known name has need not be hashed.
    if name.text == "level" { return level }
    return lengths.contains(name.text.utf8.count) ? known[name.text] ?? custom : custom
  }

  /// The facts about `level`, that of a lamp: a name of one's own, except that it is from 0 to 1.
  private static let level = KnownProperty(lanes: custom.lanes, initialLane: 0, threshold: 0.01, unit: "")

  /// The lengths from the shortest to the longest known name.
  private static let lengths = (known.keys.map(\.utf8.count).min() ?? 0)...(known.keys.map(\.utf8.count).max() ?? 0)

  /// The well-known names, with their facts.
  public static let known: [String: KnownProperty] = [
    "position": .init(lanes: 2...2, initialLane: 0, threshold: 1, unit: "points"),
    "translation": .init(lanes: 2...2, initialLane: 0, threshold: 1, unit: "points"),
    "width": .init(lanes: 1...1, initialLane: 0, threshold: 1, unit: "points"),
    "height": .init(lanes: 1...1, initialLane: 0, threshold: 1, unit: "points"),
    "cornerRadius": .init(lanes: 1...1, initialLane: 0, threshold: 1, unit: "points"),
    "opacity": .init(lanes: 1...1, initialLane: 1, threshold: 0.01, unit: "0…1", range: 0...1),
    "rotation": .init(lanes: 1...1, initialLane: 0, threshold: 0.01, unit: "rad"),
    "scale": .init(lanes: 1...2, initialLane: 1, threshold: 0.01, unit: "factor"),
    "color": .init(lanes: 4...4, initialLane: 0, threshold: 0.01, unit: "linear RGBA, 0…1", range: 0...1),
    "backgroundColor": .init(lanes: 4...4, initialLane: 0, threshold: 0.01, unit: "linear RGBA, 0…1", range: 0...1),
    // Of desks and moving heads: without a value they are open, so that their first movement begins there.
    "master": .init(lanes: custom.lanes, initialLane: 1, threshold: 0.01, unit: "0…1"),
    "shutter": .init(lanes: custom.lanes, initialLane: 1, threshold: 0.01, unit: "0…1"),
  ]

  /// The facts about a name that is not well-known.
  public static let custom = KnownProperty(lanes: 1...Limits.lanes, initialLane: 0, threshold: 1, unit: "")
}
