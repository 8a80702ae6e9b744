/// The last values of two streams, whenever either says something, once both have.
///
/// State channel: of both together (`StateUnion`). Memory: the last value of each and which of them are active, of the
/// subscription.
public func combineLatest<A, B>(
  _ first: MotionObservable<A>, _ second: MotionObservable<B>
) -> MotionObservable<(A, B)> {
  combined(Metadata("combineLatest(_:_:)", args: [first, second]), first, second) { ($0, $1) }
}

/// What `transform` makes of the last values of two streams; see ``combineLatest(_:_:)``.
func combined<A, B, Result>(
  _ metadata: Metadata, _ first: MotionObservable<A>, _ second: MotionObservable<B>,
  _ transform: @escaping (A, B) -> Result
) -> MotionObservable<Result> {
  MotionObservable(metadata) { observer in
    var (lastA, lastB): (A?, B?)
    func say() {
      if let lastA, let lastB { observer.next(transform(lastA, lastB)) }
    }
    let union = StateUnion(observer.state)
    let one = first.connect(
      MotionObserver(
        next: {
          lastA = $0
          say()
        }, state: union.channel(0)))
    let two = second.connect(
      MotionObserver(
        next: {
          lastB = $0
          say()
        }, state: union.channel(1)))
    return {
      one()
      two()
    }
  }
}

/// Whether any of them is true, whenever one says something, once all have.
///
/// State channel: of all together (`StateUnion`). Memory: the last flag of each and which of them are active, of the
/// subscription.
public func anyOf(_ streams: [MotionObservable<Bool>]) -> MotionObservable<Bool> {
  flags(Metadata("anyOf(_:)", args: streams), streams) { $0.contains(true) }
}

/// Whether all of them are true; see ``anyOf(_:)``.
public func allOf(_ streams: [MotionObservable<Bool>]) -> MotionObservable<Bool> {
  flags(Metadata("allOf(_:)", args: streams), streams) { !$0.contains(false) }
}

/// Whether none of them is true; see ``anyOf(_:)``.
public func noneOf(_ streams: [MotionObservable<Bool>]) -> MotionObservable<Bool> {
  flags(Metadata("noneOf(_:)", args: streams), streams) { !$0.contains(true) }
}

/// Not each flag; see ``MotionObservable/inverted()->MotionObservable<Bool>``.
public func not(_ stream: MotionObservable<Bool>) -> MotionObservable<Bool> { stream.inverted() }

private func flags(
  _ metadata: Metadata, _ streams: [MotionObservable<Bool>], _ combine: @escaping ([Bool]) -> Bool
) -> MotionObservable<Bool> {
  MotionObservable(metadata) { observer in
    var last: [Bool] = Array(repeating: false, count: streams.count)
    var unknown = Set(streams.indices)
    let union = StateUnion(observer.state)
    let disconnects = streams.enumerated().map { index, stream in
      stream.connect(
        MotionObserver(
          next: { flag in
            last[index] = flag
            unknown.remove(index)
            if unknown.isEmpty { observer.next(combine(last)) }
          }, state: union.channel(index)))
    }
    return { for disconnect in disconnects { disconnect() } }
  }
}

extension MotionObservable {
  /// The values that come while the condition was last true; none before it has said anything.
  ///
  ///     values     1-2-3-4
  ///     condition  -t--f--
  ///     result     --2----
  ///
  /// State channel: upstream's. Memory: the condition, of the subscription.
  public func when(_ condition: MotionObservable<Bool>) -> MotionObservable<Value> {
    MotionObservable(metadata.with("when(_:)", args: [condition])) { [self] observer in
      var holds = false
      let subscription = condition.subscribe { holds = $0 }
      let disconnect = connect(MotionObserver(next: { if holds { observer.next($0) } }, state: observer.state))
      return {
        disconnect()
        subscription.unsubscribe()
      }
    }
  }
}
