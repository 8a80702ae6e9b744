/// Whether none of them is true, whenever one says something, once all have. Of none there is nothing to say.
///
///     first   t---f
///     second  --f--
///     noneOf  --f-t
///
/// State channel: of all together (`StateUnion`). Memory: the last flag of each and which of them are active, of the
/// subscription.
public func noneOf(_ streams: some Collection<MotionObservable<Bool>>) -> MotionObservable<Bool> {
  combineFlags("noneOf(_:)", Array(streams)) { !$0.contains(true) }
}

/// The same of streams that are listed one by one; see ``noneOf(_:)-(Collection<MotionObservable<Bool>>)``.
public func noneOf(_ streams: MotionObservable<Bool>...) -> MotionObservable<Bool> { noneOf(streams) }
