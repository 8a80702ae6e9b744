import Testing

@testable import MotionCoordinator

struct DescriptorLimitTests {
  @Test(arguments: [(64, 16), (200, 50), (1024, 256), (4096, 1024), (1 << 20, 1024)] as [(UInt64, Int32)])
  func `a quarter of the descriptors, at most 1024, is left to other uses`(limit: UInt64, reserve: Int32) {
    #expect(DescriptorLimit.reserve(of: limit) == reserve)
    // Some remain for clients, however low the limit is.
    #expect(Int32(clamping: limit) - 2 * reserve > 16)
  }

  @Test func `libzmq calls motiond before it accepts a connection`() {
    // As every coordinator of this process sets it.
    #expect(DescriptorLimit.limitConnections(of: DescriptorLimit.now, workersIn: "/nowhere/worker"))
  }
}
