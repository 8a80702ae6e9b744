/// Whether any stream is true, emitted when any of them emits, once all have. Without streams nothing is emitted.
///
///     first   t---f
///     second  --f--
///     anyOf   --t-f
///
/// State channel: of all together (`StateUnion`). Memory: the last flag of each stream and which of them are active,
/// per subscription.
public func anyOf(_ streams: some Collection<MotionObservable<Bool>>) -> MotionObservable<Bool> {
  combineFlags("anyOf(_:)", Array(streams)) { $0.contains(true) }
}

/// The same for streams that are listed one by one; see ``anyOf(_:)-(Collection<MotionObservable<Bool>>)``.
public func anyOf(_ streams: MotionObservable<Bool>...) -> MotionObservable<Bool> { anyOf(streams) }
