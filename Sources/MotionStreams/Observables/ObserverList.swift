/// The observers of something shared, in order of subscription.
///
/// Observers may come and go while a value is handed round: who has gone hears nothing more, who has come waits for the
/// next. Handing round allocates nothing.
@usableFromInline
struct ObserverList<Value> {
  /// Which observer.
  @usableFromInline typealias ID = UInt64

  @usableFromInline
  struct Entry {
    @usableFromInline let id: ID
    /// `nil` once it is gone, until nothing is handed round any more.
    @usableFromInline var observer: MotionObserver<Value>?

    @inlinable init(id: ID, observer: MotionObserver<Value>?) {
      self.id = id
      self.observer = observer
    }
  }

  @usableFromInline var entries: [Entry] = []
  @usableFromInline var lastID: ID = 0
  @usableFromInline var depth = 0
  @usableFromInline var count = 0

  @inlinable init() {}

  @inlinable var isEmpty: Bool { count == 0 }
  /// Where the next round ends.
  @inlinable var endIndex: Int { entries.count }

  @inlinable mutating func add(_ observer: MotionObserver<Value>) -> ID {
    lastID += 1
    count += 1
    entries.append(Entry(id: lastID, observer: observer))
    return lastID
  }

  @inlinable mutating func remove(_ id: ID) {
    guard let index = entries.firstIndex(where: { $0.id == id && $0.observer != nil }) else { return }
    count -= 1
    if depth == 0 { entries.remove(at: index) } else { entries[index].observer = nil }
  }

  @inlinable mutating func beginRound() { depth += 1 }

  @inlinable mutating func endRound() {
    depth -= 1
    if depth == 0, entries.count != count { entries.removeAll { $0.observer == nil } }
  }

  /// The observer at a place of the round, unless it has gone.
  @inlinable func observer(at index: Int) -> MotionObserver<Value>? { entries[index].observer }
}
