extension FieldDescription {
  /// Rejects a value that the field may not hold: by its shape, its range, its size, its choices, or because it is not
  /// finite.
  ///
  /// Lanes are compared with a property's by a caller that knows the property; see
  /// ``IntentionDescription/laneRequirements(of:)``. Costs no allocation unless it refuses.
  public func check(_ value: FieldValue) throws(Refusal) {
    guard accepts.contains(value.shape) else { throw wrongShape(value, accepted: accepts) }
    guard case .list(let values) = value else { return try checkContent(value) }
    try checkList(values, depth: 1)
  }

  private func checkList(_ values: [FieldValue], depth: Int) throws(Refusal) {
    guard values.count <= Limits.listElements, depth <= Limits.nesting else {
      throw Refusal(
        .limit, field: name, "the list is too long or too deep",
        remedy: "Lists hold at most \(Limits.listElements) elements and lie at most \(Limits.nesting) deep.")
    }
    for value in values {
      guard elements.isEmpty || elements.contains(value.shape) else { throw wrongShape(value, accepted: elements) }
      if case .list(let inner) = value { try checkList(inner, depth: depth + 1) } else { try checkContent(value) }
    }
  }

  private func checkContent(_ value: FieldValue) throws(Refusal) {
    switch value {
    case .number(let number):
      try checkNumber(number)
    case .vector(let lanes):
      for lane in 0..<lanes.count { try checkNumber(lanes[lane]) }
    case .duration(let duration):
      try checkDuration(duration)
    case .text(let text):
      guard text.utf8.count <= Limits.textBytes else {
        throw Refusal(.limit, field: name, "the text is too long", remedy: "Use at most \(Limits.textBytes) bytes.")
      }
    case .choice(let word):
      guard choices.contains(word) else {
        throw Refusal(
          .value, field: name, "\"\(word.prefix(64))\" is no choice",
          remedy: NearestName.remedy(for: word, among: choices, plural: "choices"))
      }
    case .flag, .property, .reference, .list:
      break
    }
  }

  private func checkNumber(_ number: Double) throws(Refusal) {
    guard number.isFinite else {
      throw Refusal(.value, field: name, "\(number) is not a finite number", remedy: "Use a finite number.")
    }
    guard contains(number) else {
      throw Refusal(
        .value, field: name, "\(JSONText.number(number)) is out of range", remedy: "Use a number \(rangeInWords).")
    }
    guard abs(number) <= Limits.magnitude else {
      let most = JSONText.number(Limits.magnitude)
      throw Refusal(
        .value, field: name, "\(JSONText.number(number)) is too large", remedy: "Use a number from -\(most) to \(most)."
      )
    }
  }

  /// The durations that any field may hold.
  private static let longest = Duration.seconds(-Limits.durationSeconds)...Duration.seconds(Limits.durationSeconds)

  private func checkDuration(_ duration: Duration) throws(Refusal) {
    guard Self.longest.contains(duration), contains(duration.inSeconds) else {
      throw Refusal(
        .value, field: name, "\(DurationText.text(of: duration)) is out of range",
        remedy: "Use a duration \(rangeInWords).")
    }
  }

  private func contains(_ number: Double) -> Bool {
    guard let range else { return true }
    return number <= range.upperBound && (excludesLowerBound ? number > range.lowerBound : number >= range.lowerBound)
  }

  private func wrongShape(_ value: FieldValue, accepted: [FieldShape]) -> Refusal {
    Refusal(
      .value, field: name, "\(value.shape.inWords) is not accepted here",
      remedy: "Use \(accepted.map(\.inWords).joined(separator: " or ")).")
  }
}

extension FieldDescription {
  /// The range for people: "above 0", "from 0 to 1", "from 1ms to 1h" for a duration, "of any size".
  public var rangeInWords: String {
    guard let range else { return "of any size" }
    let lowest = range.lowerBound > -Double.greatestFiniteMagnitude
    let highest = range.upperBound < Double.greatestFiniteMagnitude
    let low = boundInWords(range.lowerBound)
    let from = excludesLowerBound ? "above \(low)" : low
    let to = boundInWords(range.upperBound)
    switch (lowest, highest) {
    case (true, true): return excludesLowerBound ? "\(from), at most \(to)" : "from \(from) to \(to)"
    case (true, false): return excludesLowerBound ? from : "of at least \(from)"
    case (false, true): return "of at most \(to)"
    case (false, false): return "of any size"
    }
  }

  /// A bound in the unit of the field's values.
  private func boundInWords(_ bound: Double) -> String {
    guard accepts.contains(.duration), let duration = DurationText.duration(ofSeconds: bound) else {
      return JSONText.number(bound)
    }
    return DurationText.text(of: duration)
  }
}

extension FieldShape {
  /// The shape with its article, for messages.
  public var inWords: String {
    switch self {
    case .number: "a number"
    case .vector: "a vector of 2 to \(Limits.lanes) numbers"
    case .text: "a text"
    case .flag: "true or false"
    case .duration: "a duration"
    case .property: "the name of a property"
    case .choice: "one of the choices"
    case .list: "a list"
    case .reference: "a reference \"target/property\""
    }
  }
}
