/// A stream of any type, as an argument.
protocol StreamArgument: Inspectable {
  var metadata: Metadata { get }
}

/// A property of any type, as an argument.
protocol PropertyArgument: AnyObject, Inspectable {
  var name: String { get }
  var owner: String? { get }
}
