/// The last values of streams, whenever one says something, once all have. Without streams there is nothing to say.
///
///     first   1---2
///     second  --7--
///     result  --1,7-2,7
///
/// State channel: of all together (`StateUnion`). Memory: the last value of each and which of them are active, of the
/// subscription.
public func combineLatest<each Value>(
  _ streams: repeat MotionObservable<each Value>
) -> MotionObservable<(repeat each Value)> {
  var arguments: [Any] = []
  for stream in repeat each streams { arguments.append(stream) }
  let labels = String(repeating: "_:", count: arguments.count)
  return MotionObservable(Metadata("combineLatest(\(labels))", args: arguments)) { observer in
    let latest = (repeat LatestValue<each Value>())
    func say() {
      do {
        let values = try (repeat (each latest).known())
        observer.next(values)
      } catch {}
    }
    let union = StateUnion(observer.state)
    var disconnects: [Disconnect] = []
    func follow<Other>(_ stream: MotionObservable<Other>, _ latest: LatestValue<Other>) {
      disconnects.append(
        stream.connect(
          MotionObserver(
            next: { value in
              latest.value = value
              say()
            }, state: union.channel(disconnects.count))))
    }
    repeat follow(each streams, each latest)
    return { for disconnect in disconnects { disconnect() } }
  }
}

/// Whether any of them is true, whenever one says something, once all have. Of none there is nothing to say.
///
///     first   t---f
///     second  --f--
///     anyOf   --t-f
///
/// State channel: of all together (`StateUnion`). Memory: the last flag of each and which of them are active, of the
/// subscription.
public func anyOf(_ streams: [MotionObservable<Bool>]) -> MotionObservable<Bool> {
  flags("anyOf(_:)", streams) { $0.contains(true) }
}

/// Whether all of them are true; otherwise like ``anyOf(_:)``.
///
///     first   t---f
///     second  --t--
///     allOf   --t-f
///
/// State channel and memory: see ``anyOf(_:)``.
public func allOf(_ streams: [MotionObservable<Bool>]) -> MotionObservable<Bool> {
  flags("allOf(_:)", streams) { !$0.contains(false) }
}

/// Whether none of them is true; otherwise like ``anyOf(_:)``.
///
///     first   t---f
///     second  --f--
///     noneOf  --f-t
///
/// State channel and memory: see ``anyOf(_:)``.
public func noneOf(_ streams: [MotionObservable<Bool>]) -> MotionObservable<Bool> {
  flags("noneOf(_:)", streams) { !$0.contains(true) }
}

/// Not each flag: ``MotionObservable/inverted()->MotionObservable<Bool>`` as a function.
///
///     flags  t-f
///     not    f-t
///
/// State channel: passed on. Memory: none.
public func not(_ stream: MotionObservable<Bool>) -> MotionObservable<Bool> {
  stream._map(Metadata("not(_:)", args: [stream])) { !$0 }
}

private func flags(
  _ name: String, _ streams: [MotionObservable<Bool>], _ combine: @escaping ([Bool]) -> Bool
) -> MotionObservable<Bool> {
  MotionObservable(Metadata(name, args: [streams])) { observer in
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
