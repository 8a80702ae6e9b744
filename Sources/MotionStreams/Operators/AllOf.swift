/// Whether all of them are true, whenever one says something, once all have. Of none there is nothing to say.
///
///     first   t---f
///     second  --t--
///     allOf   --t-f
///
/// State channel: of all together (`StateUnion`). Memory: the last flag of each and which of them are active, of the
/// subscription.
public func allOf(_ streams: [MotionObservable<Bool>]) -> MotionObservable<Bool> {
  combineFlags("allOf(_:)", streams) { !$0.contains(false) }
}
