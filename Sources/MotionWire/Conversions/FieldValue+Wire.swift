import MotionModel
import SwiftProtobuf

extension ProtoFieldValue: WireRepresentation {
  init(_ value: FieldValue) {
    self.value =
      switch value {
      case .number(let number): .number(number)
      case .vector(let lanes): .vector(.with { $0.lanes = lanes.array })
      case .text(let text): .text(text)
      case .flag(let flag): .flag(flag)
      case .duration(let duration): .duration(ProtoDuration(duration))
      case .property(let name): .property(name.text)
      case .choice(let word): .choice(word)
      case .list(let elements): .list(.with { $0.elements = elements.map(ProtoFieldValue.init) })
      case .reference(let reference): .reference(ProtoPropertyReference(reference))
      }
  }

  func model() throws(WireError) -> FieldValue { try model(depth: 0) }

  /// The value that the message carries, which lies inside `depth` lists.
  private func model(depth: Int) throws(WireError) -> FieldValue {
    switch value {
    case .number(let number): return .number(try Decode.finite(number, "number"))
    case .vector(let vector): return .vector(try vector.model())
    case .text(let text): return .text(try Decode.text(text, "text"))
    case .flag(let flag): return .flag(flag)
    case .duration(let duration): return .duration(try Decode.part(duration, "duration"))
    case .property(let text): return .property(try Decode.name(text, "property"))
    case .choice(let word): return .choice(try Decode.text(word, "choice"))
    case .list(let list):
      guard depth < Limits.nesting else {
        throw .limit("list", depth + 1, atMost: Limits.nesting, of: "nested lists")
      }
      return .list(
        try Decode.list(list.elements, "list", atMost: Limits.listElements) { element throws(WireError) in
          try element.model(depth: depth + 1)
        })
    case .reference(let reference): return .reference(try Decode.part(reference, "reference"))
    case nil: throw .nothingChosen("value")
    }
  }
}

extension ProtoFieldValue.Vector {
  /// Two to four lanes. A single lane must be sent as a number, so that equal values are equal messages.
  fileprivate func model() throws(WireError) -> Lanes {
    guard (2...Limits.lanes).contains(lanes.count) else {
      throw WireError(
        .value, field: "vector", "its vector has \(lanes.count) numbers",
        remedy: "Send 2 to \(Limits.lanes) numbers as a vector, and one as a number")
    }
    return try Decode.lanes(lanes, "vector")
  }
}

extension ProtoDuration: WireRepresentation {
  /// The attoseconds in a nanosecond.
  private static let perNanosecond: Int128 = 1_000_000_000

  init(_ duration: Duration) {
    let (nanoseconds, attoseconds) = duration.attoseconds.quotientAndRemainder(dividingBy: Self.perNanosecond)
    // Durations beyond 292 years are clamped to that.
    self.nanoseconds = Int64(clamping: nanoseconds)
    self.attoseconds = Int64(attoseconds)
  }

  func model() throws(WireError) -> Duration {
    guard Int128(attoseconds.magnitude) < Self.perNanosecond else {
      throw WireError(
        .value, field: "attoseconds", "\(attoseconds) is a nanosecond or more",
        remedy: "Send whole nanoseconds in nanoseconds")
    }
    let duration = Duration(attoseconds: Int128(nanoseconds) * Self.perNanosecond + Int128(attoseconds))
    let longest = Duration.seconds(Limits.durationSeconds)
    guard duration <= longest, duration >= .zero - longest else {
      throw WireError(
        .value, field: "nanoseconds", "\(duration) is too long", remedy: "Use at most \(Limits.durationSeconds) s")
    }
    return duration
  }
}

extension ProtoField: WireRepresentation {
  init(_ field: Intention.Field) {
    name = field.name
    value = ProtoFieldValue(field.value)
  }

  func model() throws(WireError) -> Intention.Field {
    guard !name.isEmpty else { throw .missing("name") }
    let name = try Decode.text(name, "name", atMost: Limits.typeNameBytes)
    do {
      return Intention.Field(name, try Decode.required(hasValue, value, "value"))
    } catch {
      var placed = error
      placed.intentionField = name
      throw placed
    }
  }
}
