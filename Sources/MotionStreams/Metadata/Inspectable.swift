/// A type whose values name themselves in metadata, the same at each run.
public protocol Inspectable {
  /// The name: `position of ball`.
  var inspected: String { get }
}
