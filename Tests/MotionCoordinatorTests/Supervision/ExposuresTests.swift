import MotionModel
import Testing

@testable import MotionCoordinator

struct ExposuresTests {
  private func identity(_ number: UInt64) -> IntentionIdentity { IntentionIdentity(sequence: number, operation: 0) }

  /// The intentions that a death makes suspect, by their sequences.
  private func sequences(_ exposures: Exposures, at time: Duration) -> [UInt64] {
    var exposures = exposures
    return exposures.end(at: time, within: .seconds(1)).map(\.identity.sequence)
  }

  @Test func `unacknowledged intentions always count, acknowledged ones for a second`() {
    var exposures = Exposures()
    exposures.add(identity(1), command: 1, at: .zero)
    exposures.add(identity(2), command: 2, at: .zero)
    exposures.acknowledge(1, at: .milliseconds(100), forgetting: .seconds(1))
    #expect(exposures.areOwed)
    #expect(sequences(exposures, at: .milliseconds(1100)) == [1, 2])
    #expect(sequences(exposures, at: .milliseconds(1101)) == [2])
    #expect(sequences(exposures, at: .seconds(60)) == [2])
    exposures.acknowledge(2, at: .seconds(60), forgetting: .seconds(1))
    #expect(!exposures.areOwed)
    #expect(sequences(exposures, at: .seconds(60.5)) == [2])
  }

  @Test func `an intention sent twice counts once, and none counts after the end`() {
    var exposures = Exposures()
    for command in UInt64(0)...3 { exposures.add(identity(command / 2), command: command, at: .zero) }
    #expect(exposures.end(at: .zero, within: .seconds(1)).map(\.identity.sequence) == [0, 1])
    #expect(sequences(exposures, at: .zero).isEmpty)
  }

  /// Compared with a list that drops nothing.
  @Test func `dropping old exposures does not change the result`() {
    for seed in UInt64(1)...50 {
      var state = seed
      func random(_ count: UInt64) -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return (state >> 33) % count
      }
      var exposures = Exposures()
      var all: [(identity: IntentionIdentity, command: UInt64, at: Duration?)] = []
      var (now, last, acknowledged) = (Duration.zero, UInt64(0), UInt64(0))
      for number in UInt64(1)...300 {
        now += .milliseconds(Int(random(60)))
        if random(3) > 0 {
          last += 1
          exposures.add(identity(number), command: last, at: now)
          all.append((identity(number), last, nil))
        } else if last > acknowledged {
          acknowledged += 1 + random(last - acknowledged)
          exposures.acknowledge(acknowledged, at: now, forgetting: .seconds(1))
          for index in all.indices where all[index].at == nil && all[index].command <= acknowledged {
            all[index].at = now
          }
        }
        let expected = all.filter { entry in entry.at.map { now - $0 <= .seconds(1) } ?? true }
        #expect(sequences(exposures, at: now) == expected.map(\.identity.sequence), "seed \(seed)")
      }
    }
  }
}
