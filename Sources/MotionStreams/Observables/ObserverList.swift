/// The observers of something shared, in order of subscription.
///
/// Observers may come and go while a value is handed round: who has gone hears nothing more, who has come waits for the
/// next. Handing round allocates nothing.
struct ObserverList<Value> {
  /// Which observer.
  typealias ID = UInt64

  private struct Entry {
    let id: ID
    /// `nil` once it is gone, until nothing is handed round any more.
    var observer: MotionObserver<Value>?
  }

  private var entries: [Entry] = []
  private var lastID: ID = 0
  private var depth = 0
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }
  /// Where the next round ends.
  var endIndex: Int { entries.count }

  mutating func add(_ observer: MotionObserver<Value>) -> ID {
    lastID += 1
    count += 1
    entries.append(Entry(id: lastID, observer: observer))
    return lastID
  }

  mutating func remove(_ id: ID) {
    guard let index = entries.firstIndex(where: { $0.id == id && $0.observer != nil }) else { return }
    count -= 1
    if depth == 0 { entries.remove(at: index) } else { entries[index].observer = nil }
  }

  mutating func beginRound() { depth += 1 }

  mutating func endRound() {
    depth -= 1
    if depth == 0, entries.count != count { entries.removeAll { $0.observer == nil } }
  }

  /// The observer at a place of the round, unless it has gone.
  func observer(at index: Int) -> MotionObserver<Value>? { entries[index].observer }
}
