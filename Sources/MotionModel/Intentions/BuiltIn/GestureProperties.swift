extension FieldReader {
  /// The property that a hand is to move in one way: one of those that the way is for, or one of the application's own.
  ///
  /// Names that everybody knows say what their numbers are. An angle cannot be pinched, which multiplies, nor a factor
  /// turned, which adds radians, however well their lanes would fit. Of a name that nobody knows the lanes decide, once it
  /// is added.
  func property(_ name: String, among known: [PropertyName]) throws(Refusal) -> PropertyName {
    let property = try property(name)
    guard KnownProperty.known[property.text] != nil, !known.contains(property) else { return property }
    throw Refusal(
      .value, field: name, "\(property) is nothing that \(type) could move",
      remedy: "Name \(known.map(\.text).joined(separator: " or ")), or a property of your own.")
  }
}
