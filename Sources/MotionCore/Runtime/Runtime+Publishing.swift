package import MotionModel

/// The data of a frame that a publisher reads in place: slots and columns, and names only when they are new.
extension Runtime {
  /// The values and velocities of properties; a slot is the number of a row.
  ///
  /// A copy that a caller keeps beyond the next frame makes that frame copy all of it.
  package var columns: PropertyColumns { movement.properties.columns }

  /// The slots that changed in the last frame, or between it and now, each once, in the order of their first change;
  /// some may be empty again.
  package var changedSlots: ArraySlice<UInt32> { movement.properties.changes.slots }

  /// The slots of properties that are late.
  package var lateSlots: Set<Int> { movement.properties.motions.late }

  /// The newest handle; handles grow.
  package var lastHandle: UInt32 { movement.properties.lastHandle }

  /// How many properties were forgotten so far, and how many of them before those in ``forgotten``.
  package var forgottenCounts: (all: Int, before: Int) {
    (
      movement.properties.removed,
      movement.properties.removed - movement.properties.waitingForgotten - movement.properties.forgotten.count
    )
  }

  /// The slots in use, in order.
  package var occupiedSlots: [UInt32] { movement.properties.occupied.map { UInt32($0) } }

  /// The slots of a target's properties, in order.
  package func slots(of target: TargetName) -> [UInt32] {
    (plans.targets[target]?.slots ?? []).map { UInt32($0) }.sorted()
  }

  /// The slot of a property, if there is one of that name.
  package func slot(of reference: PropertyReference) -> UInt32? { plans.find(reference).map { UInt32($0) } }

  /// The property at a slot in use.
  package func reference(at slot: UInt32) -> PropertyReference { movement.properties[Int(slot)].reference }
}
