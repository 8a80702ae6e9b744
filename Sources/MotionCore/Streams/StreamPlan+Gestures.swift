public import MotionModel
public import MotionStreams

extension StreamPlan {
  /// Calls `receive` with each event of a pointer on the target, as long as the plan exists, whatever its streams do.
  ///
  /// Pointers of several devices have different numbers. Only plans of the kind manipulation receive pointers.
  public func onPointers(_ receive: @escaping (PointerEvent) -> Void) {
    inputs.append(pointers.subscribe(next: receive))
  }

  /// A property that the plan writes, as the start of a gesture: its present value or, if that is unknown, its value
  /// when the plan began. A write leaves it at rest.
  ///
  /// - Throws: `Refusal` if the plan does not write it, or it has other lanes.
  public func place<Value: MotionValue>(of property: PropertyName) throws -> ReactiveProperty<Value> {
    let start: Moving<Value> = try start(of: property)
    return ReactiveProperty(
      property.text, of: context.target.text,
      read: { [context] in (context.state(of: property).flatMap(Moving.init) ?? start).value },
      write: { [context] in context.write(property, Moving($0).state) })
  }

  /// Lets a stream hold a property while it is active: as a manipulation, it drives the property over every other
  /// movement, and imposes both value and velocity.
  ///
  /// While the stream is active the plan holds the token `token`. Of several plans that hold by the same token the
  /// latest does. A stream whose property is displaced stays subscribed to, and its values are dropped; it is subscribed
  /// to again when the property is given back.
  ///
  /// - Parameters:
  ///   - property: the property, which the plan's description declares as written.
  ///   - stream: its values and velocities; those that it emits at rest are dropped.
  ///   - token: the name of what it does, as inspection shows it: `drag`.
  ///   - isRelative: whether the values count from the property's value at the start, as those of a drag do. The
  ///     movement of the property until the runtime receives the start is then added to them.
  /// - Throws: `Refusal` if the plan does not write the property, or it has other lanes.
  public func hold<Value: MotionValue>(
    _ property: PropertyName, by stream: MotionObservable<Moving<Value>>, as token: TokenName, isRelative: Bool = true
  ) throws {
    let _: Moving<Value> = try start(of: property)
    let writes = stream._map(stream.metadata) { StreamWrite($0.state, imposing: [.value, .velocity]) }
    bindings.append(StreamBinding(writes, to: property, token: token, hold: isRelative ? .relative : .absolute))
  }
}
