import MotionLink
import MotionWire
import Testing

@Suite struct FenceTests {
  @Test func onlyMessagesOfThisLifeAreAdmitted() {
    let cases: [(epoch: UInt64, incarnation: UInt64, Fence.Verdict)] = [
      (7, 3, .admitted), (7, 2, .dropped), (7, 4, .dropped), (6, 3, .dropped), (0, 0, .dropped), (8, 3, .superseded),
      (8, 1, .superseded),
    ]
    var fence = Fence(epoch: 7, incarnation: 3)
    for (epoch, incarnation, verdict) in cases {
      #expect(fence.judge(Envelope(epoch: epoch, incarnation: incarnation, .alive)) == verdict)
    }
    #expect(fence.dropped == 6)
  }
}
