/// The last values of all streams, emitted when any of them emits, once all have. Without streams nothing is emitted.
///
///     first   1---2
///     second  --7--
///     result  --1,7-2,7
///
/// State channel: of all together (`StateUnion`). Memory: the last value of each stream and which of them are active,
/// per subscription.
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

/// The last values of streams of one type, in their order, emitted when any of them emits, once all have. Without
/// streams nothing is emitted.
///
///     first   1---2
///     second  --7--
///     result  --[1,7]-[2,7]
///
/// State channel: of all together (`StateUnion`). Memory: the last value of each stream and which of them are active,
/// per subscription.
public func combineLatest<Value>(
  _ streams: some Collection<MotionObservable<Value>>
) -> MotionObservable<[Value]> {
  let streams = Array(streams)
  return MotionObservable(Metadata("combineLatest(_:)", args: [streams])) { observer in
    var latest = [Value?](repeating: nil, count: streams.count)
    var unknown = streams.count
    let union = StateUnion(observer.state)
    let disconnects = streams.enumerated().map { index, stream in
      stream.connect(
        MotionObserver(
          next: { value in
            if latest[index] == nil { unknown -= 1 }
            latest[index] = value
            if unknown == 0 { observer.next(latest.compactMap(\.self)) }
          }, state: union.channel(index)))
    }
    return { for disconnect in disconnects { disconnect() } }
  }
}
