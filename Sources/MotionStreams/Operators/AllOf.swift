/// Whether all of them are true, whenever one says something, once all have. Of none there is nothing to say.
///
///     first   t---f
///     second  --t--
///     allOf   --t-f
///
/// State channel: of all together (`StateUnion`). Memory: the last flag of each and which of them are active, of the
/// subscription.
public func allOf(_ streams: some Collection<MotionObservable<Bool>>) -> MotionObservable<Bool> {
  combineFlags("allOf(_:)", Array(streams)) { !$0.contains(false) }
}

/// The same of streams that are listed one by one; see ``allOf(_:)-(Collection<MotionObservable<Bool>>)``.
public func allOf(_ streams: MotionObservable<Bool>...) -> MotionObservable<Bool> { allOf(streams) }
