/// Arguments of operators as text, the same at each run but for objects that do not name themselves.
enum ArgumentText {
  static func text(of argument: Any) -> String {
    switch argument {
    case let named as any Inspectable: return indented(named.inspected)
    case let list as [Any]: return list.map(text).joined(separator: ", ")
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
    default: return "\(argument)"
    }
  }

  /// What an enum's case carries: one value, or several, of which some have labels.
  private static func payload(_ value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .tuple else { return "(\(text(of: value)))" }
    let pieces = mirror.children.map { label, value in
      // Without a label the mirror says the number.
      label.flatMap { $0.hasPrefix(".") ? nil : "\($0): " }.map { $0 + text(of: value) } ?? text(of: value)
    }
    return "(\(pieces.joined(separator: ", ")))"
  }

  /// An object that has no name: its type and its address, as the specification prints them.
  private static func object(_ object: AnyObject) -> String {
    let digits = String(UInt(bitPattern: ObjectIdentifier(object)), radix: 16)
    return
      "\(type(of: object))::ObjectIdentifier(0x\(String(repeating: "0", count: max(0, 16 - digits.count)))\(digits))"
  }

  /// A stream as an argument: its own chain, further in.
  private static func indented(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\n  ")
  }
}

extension MotionObservable: Inspectable {
  /// The chain of its source and operators.
  public var inspected: String { metadata.debugDescription }
}
