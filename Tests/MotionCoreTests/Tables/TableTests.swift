import MotionModel
import Testing

@testable import MotionCore

/// The tables by number and by name, compared with dictionaries and arrays, at random.
struct TableTests {
  @Test func `targets are found by name after random additions and removals`() throws {
    let seed = TestSeed.value
    var random = SplitMix(seed: seed)
    var table = NameTable<TargetRecord>()
    var expected: [TargetName: TargetRecord] = [:]
    for step in 0..<20_000 {
      // Few names, so that they are added and removed; long ones among them, which have whole words and a rest.
      let number = Int.random(in: 0..<700, using: &random)
      let name = try TargetName(String(repeating: "target-", count: number % 4) + "\(number)")
      if Bool.random(using: &random) {
        if expected[name] == nil {
          let record = TargetRecord(name, ordinal: UInt64(step))
          expected[name] = record
          table.insert(record)
        }
      } else {
        #expect(table.removeValue(forKey: name) === expected.removeValue(forKey: name), "seed \(seed), step \(step)")
      }
      #expect(table[name] === expected[name] && table.count == expected.count, "seed \(seed), step \(step)")
    }
    for (name, record) in expected { #expect(table[name] === record, "seed \(seed): \(name)") }
    #expect(Set(table.map(\.key)) == Set(expected.keys), "seed \(seed)")
  }

  @Test func elementsAreFoundByNumber() {
    var random = SplitMix(seed: TestSeed.value)
    var table = NumberedTable<ExecutorHandle, String>()
    var expected: [UInt32: String] = [:]
    for _ in 0..<10_000 {
      let number = UInt32.random(in: 1..<2_000, using: &random)
      let element = Bool.random(using: &random) ? "\(number)" : nil
      (table[ExecutorHandle(number)], expected[number]) = (element, element)
    }
    #expect(table.count == expected.count)
    for number in 0..<3_000 as Range<UInt32> { #expect(table[ExecutorHandle(number)] == expected[number]) }
    #expect(table.keys.map(\.rawValue) == expected.keys.sorted())
    #expect(Array(table.values) == expected.keys.sorted().map { "\($0)" })
    for number in expected.keys { #expect(table.removeValue(forKey: ExecutorHandle(number)) == "\(number)") }
    #expect(table.count == 0 && table.keys.isEmpty)
  }

  @Test func aSmallListIsAnArray() {
    var random = SplitMix(seed: TestSeed.value)
    var (list, array): (SmallList<Int>, [Int]) = ([], [])
    for step in 0..<10_000 {
      switch Int.random(in: 0..<6, using: &random) {
      case 0...2:
        list.append(step)
        array.append(step)
      case 3 where !array.isEmpty:
        let index = Int.random(in: 0..<array.count, using: &random)
        #expect(list.remove(at: index) == array.remove(at: index))
      case 4 where !array.isEmpty:
        let index = Int.random(in: 0..<array.count, using: &random)
        (list[index], array[index]) = (-step, -step)
      case 5:
        let divisor = Int.random(in: 2..<4, using: &random)
        list.removeAll { $0 % divisor == 0 }
        array.removeAll { $0 % divisor == 0 }
      default: break
      }
      #expect(Array(list) == array && list.count == array.count && SmallList(array) == list)
    }
  }
}
