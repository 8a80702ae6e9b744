import MotionCore
import MotionModel

/// Which executors of a worker read which properties.
///
/// Told of a change, it costs what reads the property, however many executors there are.
final class ReadIndex {
  /// By how many of its plans an executor reads a property.
  private var readers: [PropertyReference: [ExecutorHandle: Int]] = [:]

  /// The executors that read a property, in order of creation.
  func readers(of property: PropertyReference) -> [ExecutorHandle] {
    readers[property]?.keys.sorted() ?? []
  }

  /// A plan of an executor reads these from now on.
  func add(_ references: [PropertyReference], of executor: ExecutorHandle) {
    for reference in references { readers[reference, default: [:]][executor, default: 0] += 1 }
  }

  /// A plan of an executor that read these is gone.
  func remove(_ references: [PropertyReference], of executor: ExecutorHandle) {
    for reference in references {
      let left = (readers[reference]?[executor] ?? 0) - 1
      readers[reference]?[executor] = left > 0 ? left : nil
      if readers[reference]?.isEmpty == true { readers[reference] = nil }
    }
  }
}
