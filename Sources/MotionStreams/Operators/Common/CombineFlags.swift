/// The result of `combine` for the last flag of each stream, emitted when any of them emits, once all have. Without
/// streams nothing is emitted.
func combineFlags(
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
