extension FieldReader {
  /// Returns the property that a hand moves in one way: one of the properties meant for that way, or a custom one.
  ///
  /// The names of well-known properties define the meaning of their numbers. An angle cannot be pinched, which
  /// multiplies, and a factor cannot be turned, which adds radians, even if the lanes fit. For a custom name the lanes
  /// decide, once it is added.
  func property(_ name: String, among known: [PropertyName]) throws(Refusal) -> PropertyName {
    let property = try property(name)
    guard KnownProperty.known[property.text] != nil, !known.contains(property) else { return property }
    throw Refusal(
      .value, field: name, "\(type) cannot move the property \(property)",
      remedy: "Name \(known.map(\.text).joined(separator: " or ")), or a property of your own.")
  }
}
