package import MotionFiles

/// A parameter of the protocol: a named value that viewers show and may set.
package struct Parameter: Hashable, Sendable {
  /// The name, such as `/clock/speed`.
  package var name: String
  /// The value: any JSON.
  package var value: JSONOutput

  /// A parameter.
  package init(_ name: String, _ value: JSONOutput) { (self.name, self.value) = (name, value) }

  /// The parameter in JSON. Viewers distinguish 1 and 1.0 by the type only.
  var json: JSONOutput {
    var members = [
      JSONOutput.Member(key: "name", value: .text(name)), JSONOutput.Member(key: "value", value: value),
    ]
    switch value {
    case .number: members.append(JSONOutput.Member(key: "type", value: .text("float64")))
    case .list(let elements) where !elements.isEmpty && elements.allSatisfy(\.isNumber):
      members.append(JSONOutput.Member(key: "type", value: .text("float64_array")))
    default: break
    }
    return .object(members)
  }
}

extension JSONOutput {
  /// Whether it is a number.
  fileprivate var isNumber: Bool {
    switch self {
    case .number, .unsigned: true
    default: false
    }
  }
}
