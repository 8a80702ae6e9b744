extension IntentionDescription {
  /// Returns the properties of any target that `intention` refers to, in order; also those of a patch.
  public func references(of intention: Intention) -> [PropertyReference] {
    if type == SendDMXIntention.description.type, let plan = try? SendDMXIntention(intention) {
      return plan.patch.references
    }
    return fields.compactMap { field in
      guard case .reference(let reference)? = value(of: field.name, in: intention) else { return nil }
      return reference
    }
  }

  /// Returns all properties that an executor must receive for `intention` on `target`, in order: see
  /// ``propertiesRead(by:)`` and ``references(of:)``.
  public func reads(of intention: Intention, on target: TargetName) -> [PropertyReference] {
    propertiesRead(by: intention).map { PropertyReference(target, $0) } + references(of: intention)
  }
}
