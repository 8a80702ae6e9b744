import MotionCore
import MotionModel

/// The index of the properties that the executors of a worker read.
///
/// The cost of a property's change depends on the executors that read it, not on the number of all executors.
final class ReadIndex {
  /// The readers of a property.
  private struct Readers {
    /// How many plans of each executor read it.
    var plans: [ExecutorHandle: Int] = [:]
    /// The executors, in order of creation.
    var order: [ExecutorHandle] = []

    mutating func change(_ executor: ExecutorHandle, by count: Int) {
      let left = plans[executor, default: 0] + count
      plans[executor] = left > 0 ? left : nil
      order = plans.keys.sorted()
    }
  }

  private var readers: [PropertyReference: Readers] = [:]

  /// The executors that read a property, in order of creation.
  func readers(of property: PropertyReference) -> [ExecutorHandle] { readers[property]?.order ?? [] }

  /// Records that one more plan of an executor reads these properties.
  func add(_ references: [PropertyReference], of executor: ExecutorHandle) {
    for reference in references { readers[reference, default: Readers()].change(executor, by: 1) }
  }

  /// Records that a plan of an executor that read these properties was removed.
  func remove(_ references: [PropertyReference], of executor: ExecutorHandle) {
    for reference in references {
      readers[reference]?.change(executor, by: -1)
      if readers[reference]?.order.isEmpty == true { readers[reference] = nil }
    }
  }
}
