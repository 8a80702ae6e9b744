import MotionCore
import MotionLink
import MotionModel

/// The values that executors have written since the last update, and the writes that were refused.
struct WriteLog {
  /// How many refused writes are reported at most.
  static let mostReports = 1024

  private struct Key: Hashable {
    let executor: ExecutorHandle
    let property: PropertyHandle
  }

  private struct Refusal: Hashable {
    let executor: ExecutorHandle
    let property: PropertyName
  }

  private var writes: [PropertyWrite] = []
  private var indices: [Key: Int] = [:]
  private var reported: Set<Refusal> = []
  /// How many were refused.
  private(set) var refused = 0

  /// Adds a write; it replaces an executor's earlier one of the same property.
  mutating func add(_ write: PropertyWrite) {
    let key = Key(executor: write.executor, property: write.property)
    if let index = indices[key] {
      writes[index] = write
    } else {
      indices[key] = writes.count
      writes.append(write)
    }
  }

  /// Takes out the writes, in the order in which each property was first written.
  mutating func take() -> [PropertyWrite] {
    defer {
      writes.removeAll(keepingCapacity: true)
      indices.removeAll(keepingCapacity: true)
    }
    return writes
  }

  /// Counts a refused write.
  ///
  /// - Returns: whether to report it: once for each executor and property.
  mutating func refuse(_ property: PropertyName, of executor: ExecutorHandle) -> Bool {
    refused += 1
    return reported.count < Self.mostReports
      && reported.insert(Refusal(executor: executor, property: property)).inserted
  }
}
