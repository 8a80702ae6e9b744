/// Something that names itself in metadata, the same at each run.
public protocol Inspectable {
  /// Its name: `position of ball`.
  var inspected: String { get }
}
