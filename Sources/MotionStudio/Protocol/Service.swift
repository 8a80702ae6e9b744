import MotionFiles

/// The services that viewers may call. Requests and responses are JSON.
package enum Service: UInt32, Hashable, Sendable, CaseIterable {
  /// Commit a transaction, in the form of a transaction file.
  case commit = 1
  /// Pause simulated time.
  case pause = 2
  /// Resume simulated time.
  case resume = 3
  /// Run frames while paused.
  case step = 4
  /// Stop targets, or all.
  case stop = 5
  /// Explain why a property has its value.
  case why = 6
  /// List rows of one kind: targets, plans, plugins and so on.
  case list = 7
  /// Send events of pointers on a target.
  case input = 8
  /// Values and velocities of properties in the last minutes, with the hand-overs.
  case curves = 9
  /// A part of the rows of targets and properties.
  case rows = 10

  /// Whether a viewer needs the right to change motion to call it.
  package var changes: Bool { ![.why, .list, .curves, .rows].contains(self) }

  /// The name: `/motiond/commit`.
  package var name: String { "/motiond/\(self)" }

  private var request: ChannelSchema {
    switch self {
    case .commit:
      ChannelSchema(
        "motiond.CommitRequest",
        [
          "transaction": ["type": .text("array"), "items": ["type": .text("object")]],
          "whileConnected": ["type": .text("boolean")], "comment": ["type": .text("string")],
        ], required: ["transaction"])
    case .pause, .resume: ChannelSchema("motiond.Empty", [:])
    case .step: ChannelSchema("motiond.StepRequest", ["frames": ["type": .text("integer")]])
    case .stop:
      ChannelSchema(
        "motiond.StopRequest",
        [
          "targets": ["type": .text("array"), "items": ["type": .text("string")]],
          "outputs": ["type": .text("boolean")], "ramp": ["type": .text("boolean")],
        ])
    case .why:
      ChannelSchema(
        "motiond.WhyRequest",
        [
          "property": ["type": .text("string")], "at": ["type": .text("string")], "frame": ["type": .text("integer")],
        ], required: ["property"])
    case .list:
      ChannelSchema(
        "motiond.ListRequest",
        [
          "of": ["type": .text("string")], "target": ["type": .text("string")], "at": ["type": .text("string")],
          "frame": ["type": .text("integer")],
        ], required: ["of"])
    case .rows:
      ChannelSchema(
        "motiond.RowsRequest",
        [
          "search": ["type": .text("string")], "first": ["type": .text("integer")], "count": ["type": .text("integer")],
          "target": ["type": .text("string")], "property": ["type": .text("string")], "at": ["type": .text("string")],
          "frame": ["type": .text("integer")],
        ])
    case .curves:
      ChannelSchema(
        "motiond.CurvesRequest",
        [
          "properties": ["type": .text("array"), "items": ["type": .text("string")]], "from": ["type": .text("string")],
          "to": ["type": .text("string")], "points": ["type": .text("integer")],
        ], required: ["properties"])
    case .input:
      ChannelSchema(
        "motiond.InputRequest",
        ["target": ["type": .text("string")], "events": ["type": .text("array"), "items": ["type": .text("object")]]],
        required: ["target", "events"])
    }
  }

  private var response: ChannelSchema {
    switch self {
    case .commit: ChannelSchema("motiond.Receipt", ["sequence": ["type": .text("integer")]])
    case .pause, .resume, .step, .stop, .input:
      ChannelSchema(
        "motiond.Clock",
        [
          "time": ["type": .text("number")], "speed": ["type": .text("number")],
          "paused": ["type": .text("boolean")],
        ])
    case .why:
      ChannelSchema(
        "motiond.Explanation",
        [
          "target": ["type": .text("string")], "property": ["type": .text("string")],
          "plan": ["type": .text("object")],
        ])
    case .list: ChannelSchema("motiond.Rows", ["rows": ["type": .text("array")]])
    case .rows:
      ChannelSchema("motiond.Page", ["total": ["type": .text("integer")], "rows": ["type": .text("array")]])
    case .curves:
      ChannelSchema("motiond.Curves", ["curves": ["type": .text("array")], "marks": ["type": .text("array")]])
    }
  }

  var json: JSONOutput {
    func part(_ schema: ChannelSchema) -> JSONOutput {
      [
        "encoding": .text(schema.encoding), "schemaName": .text(schema.name),
        "schemaEncoding": .text(schema.schemaEncoding), "schema": .text(schema.text),
      ]
    }
    return [
      "id": .unsigned(UInt64(rawValue)), "name": .text(name), "type": .text("motiond/\(self)"),
      "request": part(request), "response": part(response),
    ]
  }
}
