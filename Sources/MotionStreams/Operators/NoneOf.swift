/// Whether no stream is true, emitted when any of them emits, once all have. Without streams nothing is emitted.
///
///     first   t---f
///     second  --f--
///     noneOf  --f-t
///
/// State channel: of all together (`StateUnion`). Memory: the last flag of each stream and which of them are active,
/// per subscription.
public func noneOf(_ streams: some Collection<MotionObservable<Bool>>) -> MotionObservable<Bool> {
  combineFlags("noneOf(_:)", Array(streams)) { !$0.contains(true) }
}

/// The same for streams that are listed one by one; see ``noneOf(_:)-(Collection<MotionObservable<Bool>>)``.
public func noneOf(_ streams: MotionObservable<Bool>...) -> MotionObservable<Bool> { noneOf(streams) }
