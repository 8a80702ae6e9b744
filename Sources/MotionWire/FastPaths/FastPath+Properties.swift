import MotionModel

/// Commands that pass on the states of properties: with every frame, one for each property that a worker reads.
extension FastPath {
  /// The field of a command in the envelope, and of properties in a command.
  static let (command, properties): (UInt64, UInt64) = (50, 7)

  /// A command that passes on properties; an error if it is another one.
  static func command(in message: WireReader) throws(WireFault) -> Envelope.Body {
    var reader = message
    var (number, list) = (UInt64(0), [ReadProperty]?.none)
    while !reader.isAtEnd {
      switch try reader.tag() {
      case 1 << 3: number = try reader.number()
      case properties << 3 | 2 where list == nil: list = try readProperties(in: reader.message())
      default: throw .unusual
      }
    }
    guard let list else { throw .unusual }
    return .command(number: number, .properties(list))
  }

  private static func readProperties(in message: WireReader) throws(WireFault) -> [ReadProperty] {
    var reader = message
    var list: [ReadProperty] = []
    // One with short names and one lane takes some 40 bytes.
    list.reserveCapacity(reader.count / 40 + 1)
    while !reader.isAtEnd {
      guard try reader.tag() == 1 << 3 | 2 else { throw .unusual }
      list.append(try readProperty(in: reader.message()))
    }
    return list
  }

  private static func readProperty(in message: WireReader) throws(WireFault) -> ReadProperty {
    var reader = message
    var (reference, state) = (PropertyReference?.none, PropertyState?.none)
    while !reader.isAtEnd {
      switch try reader.tag() {
      case 1 << 3 | 2 where reference == nil:
        var names = try reader.message()
        guard try names.tag() == 1 << 3 | 2 else { throw .unusual }
        let target: TargetName = try names.name()
        guard try names.tag() == 2 << 3 | 2 else { throw .unusual }
        reference = PropertyReference(target, try names.name())
        guard names.isAtEnd else { throw .unusual }
      case 2 << 3 | 2 where state == nil:
        var lanes = try reader.message()
        guard try lanes.tag() == 1 << 3 | 2 else { throw .unusual }
        var values = try lanes.message()
        guard try lanes.tag() == 2 << 3 | 2 else { throw .unusual }
        var velocities = try lanes.message()
        guard lanes.isAtEnd, (1...Limits.lanes).contains(values.count / 8), values.count % 8 == 0,
          velocities.count == values.count
        else { throw .unusual }
        let count = values.count / 8
        state = PropertyState(try values.lanes(count), velocity: try velocities.lanes(count))
      default: throw .unusual
      }
    }
    guard let reference else { throw .unusual }
    return ReadProperty(reference, state)
  }
}

extension WireWriter {
  /// The most that the fields of these properties take.
  static func most(_ properties: [ReadProperty]) -> Int {
    // Two names of at most 128 bytes with tag and length, two lists of lanes likewise, and four messages around them.
    properties.reduce(0) { bytes, property in
      bytes + property.reference.target.text.utf8.count + property.reference.property.text.utf8.count
        + 16 * (property.state?.value.count ?? 0) + 24
    }
  }

  /// Writes the fields of a command that passes on properties.
  mutating func command(_ sequence: UInt64, _ list: [ReadProperty]) {
    number(1, sequence)
    nested(FastPath.properties) { writer in
      for property in list { writer.nested(1) { $0.property(property) } }
    }
  }

  private mutating func property(_ property: ReadProperty) {
    nested(1) { writer in
      writer.text(1, property.reference.target.text)
      writer.text(2, property.reference.property.text)
    }
    guard let state = property.state else { return }
    nested(2) { writer in
      let count = state.value.count
      writer.beginning(1, of: 8 * count)
      writer.lanes(state.value.storage, count: count)
      writer.beginning(2, of: 8 * count)
      writer.lanes(state.velocity.storage, count: count)
    }
  }

  private mutating func text(_ field: UInt64, _ text: String) {
    beginning(field, of: text.utf8.count)
    append(text.utf8)
  }
}
