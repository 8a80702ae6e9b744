import MotionCore
import MotionModel

/// The index of the properties that the executors of a worker read.
///
/// The cost of a property's change depends on the executors that read it, not on the number of all executors.
final class ReadIndex {
  /// How many plans of an executor read a property.
  private var readers: [PropertyReference: [ExecutorHandle: Int]] = [:]

  /// The executors that read a property, in order of creation.
  func readers(of property: PropertyReference) -> [ExecutorHandle] {
    readers[property]?.keys.sorted() ?? []
  }

  /// Records that one more plan of an executor reads these properties.
  func add(_ references: [PropertyReference], of executor: ExecutorHandle) {
    for reference in references { readers[reference, default: [:]][executor, default: 0] += 1 }
  }

  /// Records that a plan of an executor that read these properties was removed.
  func remove(_ references: [PropertyReference], of executor: ExecutorHandle) {
    for reference in references {
      let left = (readers[reference]?[executor] ?? 0) - 1
      readers[reference]?[executor] = left > 0 ? left : nil
      if readers[reference]?.isEmpty == true { readers[reference] = nil }
    }
  }
}
