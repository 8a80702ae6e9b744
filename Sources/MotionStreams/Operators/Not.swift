/// The negation of each flag: ``MotionObservable/inverted()->MotionObservable<Bool>`` as a function.
///
///     flags  t-f
///     not    f-t
///
/// State channel: passed on. Memory: none.
public func not(_ stream: MotionObservable<Bool>) -> MotionObservable<Bool> {
  stream._map(Metadata("not(_:)", args: [stream])) { !$0 }
}
