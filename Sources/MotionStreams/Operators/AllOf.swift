/// Whether all streams are true, emitted when any of them emits, once all have. Without streams nothing is emitted.
///
///     first   t---f
///     second  --t--
///     allOf   --t-f
///
/// State channel: of all together (`StateUnion`). Memory: the last flag of each stream and which of them are active,
/// per subscription.
public func allOf(_ streams: some Collection<MotionObservable<Bool>>) -> MotionObservable<Bool> {
  combineFlags("allOf(_:)", Array(streams)) { !$0.contains(false) }
}

/// The same for streams that are listed one by one; see ``allOf(_:)-(Collection<MotionObservable<Bool>>)``.
public func allOf(_ streams: MotionObservable<Bool>...) -> MotionObservable<Bool> { allOf(streams) }
