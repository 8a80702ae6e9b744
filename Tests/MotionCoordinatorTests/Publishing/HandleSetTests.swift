import MotionModel
import Testing

@testable import MotionCoordinator

/// The handles that were named on a topic, as bits and as a set: both do what a set does.
struct HandleSetTests {
  @Test(arguments: [true, false]) func `it does what a set does`(isDense: Bool) {
    var (set, model) = (HandleSet(isDense: isDense), Set<UInt32>())
    // Both ends of words, twice each, and a jump over many words.
    let handles: [UInt32] = [1, 63, 64, 65, 127, 128, 64, 1, 100_000, 63, 2]
    func insert() -> [Bool] { handles.map { set.insert(PropertyHandle($0)) } }
    func insertIntoModel() -> [Bool] { handles.map { model.insert($0).inserted } }
    #expect(insert() == insertIntoModel())
    for handle in [64, 64, 3, 200_000, 100_000, 1] as [UInt32] {
      let (wasThere, wasInModel) = (set.remove(PropertyHandle(handle)), model.remove(handle) != nil)
      #expect(wasThere == wasInModel, "\(handle)")
    }
    #expect(insert() == insertIntoModel())
    set.removeAll()
    model.removeAll()
    #expect(insert() == insertIntoModel())
  }
}
