#if arch(x86_64)
  import Glibc
  import MotionPhysics
  import Testing

  /// A step allocates nothing: the heap in use is the same before and after a thousand of them.
  ///
  /// It runs in a process of its own, without other allocations. Memory that a step allocated and freed again would not
  /// show here.
  @Suite struct SpringBankMemoryTests {
    @Test func `stepping allocates no memory`() async {
      await #expect(processExitsWith: .success) {
        // Allocations of the language for generic code at its first run have been made after a few motions.
        _ = runToRest(bankOfMotions(50))
        let bank = bankOfMotions(5000)
        bank.step(dt: 0.001)
        let before = bytesInUse()
        let sum = runToRest(bank)
        let after = bytesInUse()
        precondition(bank.movingCount == 0 && sum > 0, "not everything arrived within the test")
        precondition(before > 100_000, "the heap in use was not read")
        precondition(after <= before, "\(after - before) bytes more")
      }
    }
  }

  /// Springs of which some share coefficients and others have their own.
  private func bankOfMotions(_ count: Int) -> SpringBank {
    let bank = SpringBank()
    for index in 0..<count {
      let tension = index % 3 == 0 ? 100 : 100 + Double(index % 1000)
      let forces = ForceSum(
        spring: SpringCoefficients(tension: tension, friction: 5), anchor: SIMD4(repeating: Double(index)))
      _ = bank.insert(
        lanes: 1 + index % 4, forces: forces, value: .zero, velocity: .zero, threshold: 1, tag: UInt32(index))
    }
    return bank
  }

  /// A thousand steps, with a visit of all that moved in each.
  private func runToRest(_ bank: SpringBank) -> Double {
    var sum = 0.0
    for _ in 0..<1000 {
      bank.step(dt: 0.005)
      bank.forEachMoved { _, value, _ in sum += value[0] }
    }
    return sum
  }

  /// The bytes that are allocated in all of the C library's heaps.
  ///
  /// The corresponding C function is `mallinfo2`, which the Glibc module lacks. It returns a struct of ten sizes; on
  /// this architecture the caller passes the place for it as a hidden first argument, which is spelt out here.
  private func bytesInUse() -> Int {
    typealias Function = @convention(c) (UnsafeMutablePointer<Int>) -> UnsafeMutablePointer<Int>
    guard let symbol = dlsym(nil, "mallinfo2") else { return 0 }
    let mallinfo2 = unsafeBitCast(symbol, to: Function.self)
    return withUnsafeTemporaryAllocation(of: Int.self, capacity: 10) { sizes in
      guard let base = sizes.baseAddress else { return 0 }
      _ = mallinfo2(base)
      // uordblks, the bytes in use on the heaps, and hblkhd, those in mappings of their own.
      return sizes[7] + sizes[5]
    }
  }
#endif
