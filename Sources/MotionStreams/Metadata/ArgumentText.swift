/// Arguments of operators as text, the same at each run except for objects without a name.
enum ArgumentText {
  static func text(of argument: Any) -> String {
    switch argument {
    case let named as any Inspectable: return indented(named.inspected)
    case let list as [Any]: return elements(list)
    case let text as String: return text
    case let point as SIMD2<Double>: return "(\(point.x), \(point.y))"
    case let value as SIMD3<Double>: return "(\(value.x), \(value.y), \(value.z))"
    case let value as SIMD4<Double>: return "(\(value.x), \(value.y), \(value.z), \(value.w))"
    default: break
    }
    let mirror = Mirror(reflecting: argument)
    switch mirror.displayStyle {
    case .optional: return mirror.children.first.map { text(of: $0.value) } ?? "nil"
    case .enum: return "." + (mirror.children.first.map { ($0.label ?? "") + payload($0.value) } ?? "\(argument)")
    case .class: return object(argument as AnyObject)
    case .collection, .set: return elements(mirror.children.map(\.value), inOrder: mirror.displayStyle != .set)
    case .dictionary: return "[\(mirror.children.map { entry($0.value) }.sorted().joined(separator: ", "))]"
    case .tuple: return payload(argument)
    case .struct where !namesItself(argument): return "\(type(of: argument))(\(fields(of: mirror)))"
    default: return "\(argument)"
    }
  }

  /// The elements of a list, or those of a set, whose own order differs at each run, in the order of their texts.
  private static func elements(_ elements: [Any], inOrder: Bool = true) -> String {
    let texts = elements.map(enclosed)
    return (inOrder ? texts : texts.sorted()).joined(separator: ", ")
  }

  /// An element within another value: lists and sets are in brackets, so that their elements are not mistaken for
  /// others.
  private static func enclosed(_ value: Any) -> String {
    let isList = [.collection, .set].contains(Mirror(reflecting: value).displayStyle)
    return isList ? "[\(text(of: value))]" : text(of: value)
  }

  /// A key and its value, as mirrors of dictionaries represent them.
  private static func entry(_ pair: Any) -> String {
    Mirror(reflecting: pair).children.map { enclosed($0.value) }.joined(separator: ": ")
  }

  private static func namesItself(_ argument: Any) -> Bool {
    argument is any CustomStringConvertible || argument is any CustomDebugStringConvertible
      || argument is any TextOutputStreamable
  }

  /// The fields of a structure, one by one: printed as a whole it would show sets in arbitrary order.
  private static func fields(of mirror: Mirror) -> String {
    mirror.children.map { "\($0.label.map { "\($0): " } ?? "")\(enclosed($0.value))" }.joined(separator: ", ")
  }

  /// The payload of an enum's case: one value, or several, of which some have labels.
  private static func payload(_ value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .tuple else { return "(\(text(of: value)))" }
    let pieces = mirror.children.map { label, value in
      // Without a label the mirror gives the index.
      label.flatMap { $0.hasPrefix(".") ? nil : "\($0): " }.map { $0 + enclosed(value) } ?? enclosed(value)
    }
    return "(\(pieces.joined(separator: ", ")))"
  }

  /// An object without a name: its type and its address, as the specification prints them.
  private static func object(_ object: AnyObject) -> String {
    let digits = String(UInt(bitPattern: ObjectIdentifier(object)), radix: 16)
    return
      "\(type(of: object))::ObjectIdentifier(0x\(String(repeating: "0", count: max(0, 16 - digits.count)))\(digits))"
  }

  /// A stream as an argument: its own chain, indented further.
  private static func indented(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\n  ")
  }
}
