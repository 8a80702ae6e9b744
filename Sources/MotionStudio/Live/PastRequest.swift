import MotionFiles
package import MotionHistory
package import MotionModel

/// A request about the last minutes that motiond keeps. Another thread answers it, so that live values go on meanwhile.
package enum PastRequest: Hashable, Sendable {
  /// Rows of one kind at a moment.
  case list(Query, RecordedMoment)
  /// Why a property had its value at a moment.
  case why(PropertyReference, RecordedMoment)
  /// The values and velocities of properties in a part.
  case curves(CurvesRequest)

  /// The curves that a viewer asks for.
  package struct CurvesRequest: Hashable, Sendable {
    /// The properties.
    package var properties: [PropertyReference]
    /// Where they begin and end; `nil` for the beginning and the end of what is kept.
    package var from, to: RecordedMoment?
    /// How many points a curve has at most, approximately.
    package var points: Int
  }

  /// Reads the request of a service; `nil` if it is about the present.
  package init?(_ service: Service, _ payload: [UInt8]) throws(ServiceRequest.FormError) {
    guard [.list, .why, .curves].contains(service) else { return nil }
    let root = try ServiceRequest.root(payload)
    let moment = try Self.moment(root)
    switch (service, moment) {
    case (.curves, _): self = .curves(try Self.curves(root))
    case (.why, let moment?): self = .why(try ServiceRequest.property(root?.member("property")), moment)
    case (_, let moment?): self = .list(try ServiceRequest.query(root), moment)
    case (_, nil): return nil
    }
  }

  private static func moment(_ root: JSONValue?) throws(ServiceRequest.FormError) -> RecordedMoment? {
    switch (root?.member("at"), root?.member("frame")) {
    case (nil, nil): return nil
    case (let text?, nil): return try moment(text, "at")
    case (nil, let number?):
      guard case .number(let number) = number.content, let frame = UInt64(exactly: number) else {
        throw ServiceRequest.FormError(description: "\"frame\" has to be a whole number")
      }
      return .frame(frame)
    case (.some, .some):
      throw ServiceRequest.FormError(description: "a moment is \"at\" or \"frame\", and not both")
    }
  }

  private static func moment(_ value: JSONValue, _ key: String) throws(ServiceRequest.FormError) -> RecordedMoment {
    guard case .string(let text) = value.content, text.utf8.count <= 64, let moment = RecordedMoment(parsing: text)
    else {
      throw ServiceRequest.FormError(
        description: "\"\(key)\" has to be a moment, such as \"-30s\", \"12.5s\" or \"01:58:12\"")
    }
    return moment
  }

  private static func curves(_ root: JSONValue?) throws(ServiceRequest.FormError) -> CurvesRequest {
    guard case .array(let names)? = root?.member("properties")?.content, !names.isEmpty,
      names.count <= StudioLimits.curves
    else {
      throw ServiceRequest.FormError(
        description: "\"properties\" has to be a list of 1 to \(StudioLimits.curves) properties")
    }
    var points = StudioLimits.curvePoints
    if let value = root?.member("points") {
      guard case .number(let number) = value.content, let given = Int(exactly: number), (2...points).contains(given)
      else {
        throw ServiceRequest.FormError(description: "\"points\" has to be a whole number from 2 to \(points)")
      }
      points = given
    }
    let properties = try names.map { name throws(ServiceRequest.FormError) in try ServiceRequest.property(name) }
    let from = try root?.member("from").map { value throws(ServiceRequest.FormError) in try moment(value, "from") }
    let to = try root?.member("to").map { value throws(ServiceRequest.FormError) in try moment(value, "to") }
    return CurvesRequest(properties: properties, from: from, to: to, points: points)
  }
}
