import MotionModel

/// The levels of the channels of a patch, as its properties have them.
struct DMXPicture {
  /// An output with the places of its properties in the list of values.
  private struct Output {
    var universe: Int
    var channel: Int
    var fine: Int?
    var reading: DMXPatch.Reading
    var property: Int
    var dimmers: [Int]
    var blackouts: [Int]
  }

  /// The levels of each universe, 512 of each.
  private(set) var levels: [[UInt8]]
  /// The universes whose levels have changed since they were taken.
  private var changed: Set<Int>
  private let outputs: [Output]
  private let places: [PropertyReference: Int]
  private var values: [Lanes?]
  /// The outputs that a value concerns.
  private let concerned: [[Int]]
  private var stale: Set<Int> = []

  /// The levels of a patch.
  ///
  /// - Parameter value: the present value of a property.
  init(_ patch: DMXPatch, value: (PropertyReference) -> Lanes?) {
    let references = patch.references
    places = Dictionary(uniqueKeysWithValues: references.enumerated().map { ($1, $0) })
    values = references.map(value)
    levels = patch.universes.map { _ in [UInt8](repeating: 0, count: 512) }
    changed = Set(patch.universes.indices)
    var (outputs, concerned): ([Output], [[Int]]) = ([], references.map { _ in [] })
    for output in patch.outputs {
      switch output.level {
      case .constant(let level): levels[output.universe][output.channel] = level
      case .reading(let reading):
        let found = Output(
          universe: output.universe, channel: output.channel, fine: output.fine, reading: reading,
          property: places[reading.property] ?? 0, dimmers: reading.dimmers.compactMap { [places] in places[$0] },
          blackouts: reading.blackouts.compactMap { [places] in places[$0] })
        for place in Set([found.property] + found.dimmers + found.blackouts) { concerned[place].append(outputs.count) }
        outputs.append(found)
      }
    }
    (self.outputs, self.concerned) = (outputs, concerned)
    for index in outputs.indices { draw(index) }
  }

  /// A property has this value now; `nil` if it is gone.
  mutating func notice(_ property: PropertyReference, _ value: Lanes?) {
    guard let place = places[property], values[place] != value else { return }
    values[place] = value
    stale.formUnion(concerned[place])
  }

  /// Takes the universes whose levels have changed since the last time.
  mutating func takeChanged() -> Set<Int> {
    for index in stale { draw(index) }
    stale = []
    defer { changed = [] }
    return changed
  }

  private mutating func draw(_ index: Int) {
    let output = outputs[index]
    // Where the range is turned round, a lamp is dark at the full level.
    let isTurned = output.reading.low > output.reading.high
    let level = output.reading.level(of: values[output.property])
    var light = isTurned ? 1 - level : level
    for place in output.dimmers { light *= min(max(values[place]?[0] ?? 1, 0), 1) }
    if output.blackouts.contains(where: { (values[$0]?[0] ?? 0) >= 0.5 }) { light = 0 }
    let sent = output.reading.curve(isTurned ? 1 - light : light)
    guard let fine = output.fine else {
      return set(output.universe, output.channel, UInt8((sent * 255).rounded()))
    }
    let number = UInt16((sent * 65_535).rounded())
    set(output.universe, output.channel, UInt8(number >> 8))
    set(output.universe, fine, UInt8(truncatingIfNeeded: number))
  }

  private mutating func set(_ universe: Int, _ channel: Int, _ level: UInt8) {
    guard levels[universe][channel] != level else { return }
    levels[universe][channel] = level
    changed.insert(universe)
  }
}

extension DMXPatch.Reading {
  /// The level of a value, from 0 to 1, without dimmers and curve.
  fileprivate func level(of value: Lanes?) -> Double {
    let known = KnownProperty.named(property.property)
    let value = value ?? Lanes(SIMD4(repeating: fallback ?? known.initialLane), count: Limits.lanes)
    let number: Double
    switch part {
    case .lane(let lane): number = lane < value.count ? value[lane] : known.initialLane
    case .colour(let lane, let withoutWhite):
      guard lane < value.count else { return 0 }
      number = value.alpha * (value[lane] - (withoutWhite ? value.white : 0))
    case .white: number = value.alpha * value.white
    }
    let level = (number - low) / (high - low)
    return level.isNaN ? 0 : min(max(level, 0), 1)
  }
}

extension Lanes {
  fileprivate var alpha: Double { count > 3 ? self[3] : 1 }
  /// The part of a colour that red, green and blue have in common.
  fileprivate var white: Double { count < 3 ? 0 : max(0, min(self[0], self[1], self[2])) }
}
