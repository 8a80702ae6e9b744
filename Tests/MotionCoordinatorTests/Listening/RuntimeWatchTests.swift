import Testing

@testable import MotionCoordinator

struct RuntimeWatchTests {
  private let settle = RuntimeWatch.settleTime

  @Test func `the check is due after the settle time, and further removals do not delay it`() {
    var watch = RuntimeWatch()
    #expect(watch.due == nil)
    watch.changed(at: .seconds(1))
    watch.changed(at: .seconds(1) + settle / 2)
    #expect(watch.due == .seconds(1) + settle)
    #expect(watch.looked(isWhole: true) == .nothing)
    #expect(watch.due == nil)
  }

  @Test func `a restored directory is checked once more`() {
    var watch = RuntimeWatch()
    watch.changed(at: .zero)
    #expect(watch.looked(isWhole: false) == .restore)
    watch.restored(at: .seconds(1))
    #expect(watch.due == .seconds(1) + settle)
    #expect(watch.looked(isWhole: true) == .nothing)
    #expect(watch.due == nil)
  }

  @Test func `failed restorations are retried with backoff, which a success resets`() {
    var watch = RuntimeWatch()
    var waits: [Duration] = []
    for _ in 0..<7 {
      #expect(watch.looked(isWhole: false) == .restore)
      watch.failed(at: .zero)
      waits.append(watch.due ?? .zero)
    }
    #expect(waits == [0.5, 1, 2, 4, 8, 8, 8].map { Duration.seconds($0) })
    watch.restored(at: .zero)
    watch.failed(at: .zero)
    #expect(watch.due == RuntimeWatch.shortestRetry)
  }

  @Test func `after too many removals motiond exits instead of using up its descriptors`() {
    var watch = RuntimeWatch()
    for _ in 0..<RuntimeWatch.mostRestorations {
      #expect(watch.looked(isWhole: false) == .restore)
      watch.restored(at: .zero)
    }
    #expect(watch.looked(isWhole: false) == .giveUp)
  }
}
