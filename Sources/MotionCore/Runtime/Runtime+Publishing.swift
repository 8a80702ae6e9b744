package import MotionModel

/// The data of a frame that a publisher reads in place: slots and columns, and names only when they are new.
extension Runtime {
  /// The values and velocities of properties; a slot is the number of a row.
  ///
  /// A copy that a caller keeps beyond the next frame makes that frame copy all of it.
  package var columns: PropertyColumns { properties.columns }

  /// The slots that changed in the last frame, or between it and now, each once, in the order of their first change;
  /// some may be empty again.
  package var changedSlots: ArraySlice<UInt32> { properties.changes.slots }

  /// The slots of properties that are late.
  package var lateSlots: Set<Int> { properties.motions.late }

  /// The newest handle; handles grow.
  package var lastHandle: UInt32 { properties.lastHandle }

  /// How many properties were forgotten so far, and how many of them before those in ``forgotten``.
  package var forgottenCounts: (all: Int, before: Int) {
    (properties.removed, properties.removed - properties.waitingForgotten - properties.forgotten.count)
  }

  /// The slots in use, in order.
  package var occupiedSlots: [UInt32] { properties.occupied.map { UInt32($0) } }

  /// The slots of a target's properties, in order.
  package func slots(of target: TargetName) -> [UInt32] {
    (targets[target]?.slots ?? []).map { UInt32($0) }.sorted()
  }

  /// The slot of a property, if there is one of that name.
  package func slot(of reference: PropertyReference) -> UInt32? { find(reference).map { UInt32($0) } }

  /// The property at a slot in use.
  package func reference(at slot: UInt32) -> PropertyReference { properties[Int(slot)].reference }
}
