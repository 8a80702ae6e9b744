/// Whether any of them is true, whenever one says something, once all have. Of none there is nothing to say.
///
///     first   t---f
///     second  --f--
///     anyOf   --t-f
///
/// State channel: of all together (`StateUnion`). Memory: the last flag of each and which of them are active, of the
/// subscription.
public func anyOf(_ streams: some Collection<MotionObservable<Bool>>) -> MotionObservable<Bool> {
  combineFlags("anyOf(_:)", Array(streams)) { $0.contains(true) }
}

/// The same of streams that are listed one by one; see ``anyOf(_:)-(Collection<MotionObservable<Bool>>)``.
public func anyOf(_ streams: MotionObservable<Bool>...) -> MotionObservable<Bool> { anyOf(streams) }
