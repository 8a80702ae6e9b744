import Glibc
import LinuxSystem
import MotionClient
import MotionModel
import MotionTestKit
import MotionWire
import ZeroMQ

/// A client that commits without a pause, and records its receipts.
struct Committer {
  /// The number of targets that it keeps: more than it commits between two audits. It forgets older ones, so that the
  /// state does not grow, but none before it was compared: plans lost by a kill would otherwise be forgotten before any
  /// audit.
  static let kept = 2000
  /// The limit of a commit's duration: longer than any fault lasts.
  static let timeout = Duration.seconds(60)

  let number: Int
  let paths: RuntimePaths
  let ledger: Ledger
  var random: SeededRandom

  private var count = 0
  /// The targets that it keeps, the oldest first, and the number of audits at their acknowledgement.
  private var mine: [(target: TargetName, audits: Int)] = []

  init(_ number: Int, _ paths: RuntimePaths, _ ledger: Ledger, seed: UInt64) {
    (self.number, self.paths, self.ledger) = (number, paths, ledger)
    random = SeededRandom(seed: seed &+ UInt64(number))
  }

  /// Commits until the run is over, on a thread of its own.
  mutating func run() {
    defer { ledger.finish() }
    do {
      let client = try MotionClient(connectingTo: [paths], name: "committer \(number)", timeout: .seconds(20))
      while !ledger.isOver {
        if ledger.isPaused {
          rest()
          continue
        }
        try commitNext(client)
        usleep(UInt32.random(in: 0...20_000, using: &random))
      }
    } catch {
      ledger.problem("committer \(number): \(error)")
    }
  }

  private func rest() {
    ledger.rest(true)
    while ledger.isPaused, !ledger.isOver { usleep(5000) }
    ledger.rest(false)
  }

  /// The targets that the next commit forgets: surplus ones that were compared, two at most, so that their number falls
  /// again.
  private mutating func takeOld() -> [TargetName] {
    var audits = 0
    ledger.change { audits = $0.audits }
    let old = mine.prefix(min(2, max(0, mine.count + 1 - Self.kept))).prefix { $0.audits < audits }.map(\.target)
    mine.removeFirst(old.count)
    return old
  }

  private mutating func commitNext(_ client: MotionClient) throws {
    count += 1
    let target = try TargetName("keep-\(number).\(count)")
    var transaction = Transaction()
    transaction.add(.anchoredSpring("x", Lanes(Double.random(in: -10...10, using: &random))), to: target)
    var hasTween = count % 10 == 0
    let old = takeOld()
    for target in old { transaction.forget(target) }
    let plain = transaction
    if hasTween { transaction.add(.tween("y", to: 1, duration: .milliseconds(500)), to: target) }
    let start = BootClock.now
    var id = TransactionID.random()
    while true {
      do {
        let receipt = try client.commit(hasTween ? transaction : plain, id: id, timeout: Self.timeout)
        let time = BootClock.now - start
        ledger.change {
          $0.acknowledge(target.text, receipt.sequence, forgetting: old.map(\.text))
          $0.slowest = max($0.slowest, time)
          mine.append((target, $0.audits))
        }
        return
      } catch {
        switch error.refusal?.code {
        case .storage?:
          // Committing it again with the same id is safe, whatever became of it.
          ledger.change { $0.refusals += 1 }
          guard BootClock.now - start < Self.timeout else { throw error }
          usleep(50_000)
        case .quarantined? where hasTween:
          // The plugin was given up: the commit is repeated without it, as another commit.
          hasTween = false
          id = .random()
        default: throw error
        }
      }
    }
  }
}
