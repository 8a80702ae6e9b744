import MotionFiles
import MotionModel

/// The requests that the page and motion.js make besides those of other viewers.
extension ServiceRequest {
  /// The longest time that an event of a pointer waits in a browser before it is sent.
  static let oldestEvent = 10.0

  /// Reads `{"of": "properties", "target": "ball"}`.
  static func query(_ root: JSONValue?) throws(FormError) -> Query {
    guard case .string(let kind)? = root?.member("of")?.content else {
      throw FormError(description: "\"of\" has to be a text, such as \"targets\"")
    }
    let target = try root?.member("target").map { value throws(FormError) in try targetName(value) }
    switch kind {
    case "targets": return .targets
    case "properties": return .properties(target)
    case "executors": return .executors(target)
    case "intentions": return .intentions(target)
    case "tokens": return .tokens(target)
    case "plugins": return .plugins
    case "types": return .types(nil)
    case "graph": return .graph(target)
    case "waiting": return .waiting
    case "inputs": return .inputs
    case "groups": return .groups
    case "clients": return .clients
    case "status": return .status
    default:
      throw FormError(
        description: """
          there is no list of \"\(kind.prefix(64))\"; ask for targets, properties, executors, intentions, tokens, plugins, \
          types, graph, waiting, inputs, groups, clients or status
          """)
    }
  }

  /// Reads `{"target": "ball", "events": [{"pointer": 1, "phase": "down", "at": [10, 20], "age": 0.01}]}`.
  static func input(_ root: JSONValue?) throws(FormError) -> PointerInput {
    guard let name = root?.member("target") else { throw FormError(description: "the member \"target\" is missing") }
    let target = try targetName(name)
    guard case .array(let elements)? = root?.member("events")?.content, !elements.isEmpty,
      elements.count <= Limits.pointerEventsPerInput
    else { throw FormError(description: "\"events\" has to be a list of 1 to \(Limits.pointerEventsPerInput) events") }
    return PointerInput(
      target, from: "studio", try elements.map { value throws(FormError) in try event(value) })
  }

  private static func event(_ value: JSONValue) throws(FormError) -> PointerEvent {
    guard case .number(let number)? = value.member("pointer")?.content, let pointer = UInt64(exactly: number) else {
      throw FormError(description: "\"pointer\" has to be a whole number of 0 or more")
    }
    guard case .string(let name)? = value.member("phase")?.content, let phase = PointerEvent.Phase(rawValue: name)
    else {
      throw FormError(description: "\"phase\" has to be down, move, up or cancel")
    }
    guard case .array(let lanes)? = value.member("at")?.content, lanes.count == 2,
      case .number(let x) = lanes[0].content, case .number(let y) = lanes[1].content
    else { throw FormError(description: "\"at\" has to be a list of x and y") }
    var age = 0.0
    if let given = value.member("age") {
      guard case .number(let seconds) = given.content, (0...oldestEvent).contains(seconds) else {
        throw FormError(description: "\"age\" has to be a number of seconds from 0 to \(oldestEvent)")
      }
      age = seconds
    }
    return PointerEvent(id: pointer, phase, at: SIMD2(x, y), time: -age)
  }

  static func propertyName(_ value: JSONValue) throws(FormError) -> PropertyName {
    guard case .string(let text) = value.content else {
      throw FormError(description: "\"property\" has to be a name")
    }
    return try named { () throws(NameError) in try PropertyName(text) }
  }

  static func targetName(_ value: JSONValue) throws(FormError) -> TargetName {
    guard case .string(let text) = value.content else {
      throw FormError(description: "\"target\" has to be a name")
    }
    return try named { () throws(NameError) in try TargetName(text) }
  }
}
