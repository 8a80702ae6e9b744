import MotionFiles
import MotionModel
import MotionWire
import Testing

@testable import MotionStudio

/// Parameters, and what setting them does.
struct ParameterTableTests {
  private let table: ParameterTable

  init() throws {
    let reference = PropertyReference("ball", "x")
    var row = PropertyRow(
      reference: reference, handle: PropertyHandle(1), state: PropertyState([0]), driver: nil, because: [], waiting: [],
      changedFrame: 0, isLate: false)
    row.limits = .limits(PropertyLimits(velocity: [3]))
    let plan = IntentionRow(
      identity: IntentionIdentity(sequence: 4, operation: 0), target: "ball", name: "a \"b\"",
      intention: .anchoredSpring("x", [5]), kind: .standing, executor: "Physics", state: .added)
    table = try ParameterTable(
      ClockState(), pattern: nil, properties: EncodedRows([row]), plans: EncodedRows([plan]))
  }

  @Test func `limits and fields of named standing plans are parameters`() {
    #expect(
      table.values(of: []).map(\.name) == [
        "/clock/speed", "/clock/paused", "/studio/channels", "/limits/ball/x", "/plans/ball/a \"b\"/property",
        "/plans/ball/a \"b\"/destination",
      ])
    #expect(table.values(of: ["/limits/ball/x", "/none"]) == [Parameter("/limits/ball/x", ["velocity": [.number(3)]])])
  }

  @Test func `setting one is a command to the clock, or a transaction file`() throws {
    #expect(try table.change(to: Parameter("/clock/speed", .number(2))) == .clock(.speed(2)))
    #expect(try table.change(to: Parameter("/clock/paused", .flag(true))) == .clock(.pause))
    #expect(try table.change(to: Parameter("/clock/paused", .flag(false))) == .clock(.resume))
    #expect(try table.change(to: Parameter("/studio/channels", .text(""))) == .channels(nil))
    let selector = TargetSelector.channels("a*")
    #expect(try table.change(to: Parameter("/studio/channels", .text("a*"))) == .channels(selector))
    func file(_ name: String, _ value: JSONOutput) throws -> String {
      guard case .transaction(let bytes) = try table.change(to: Parameter(name, value)) else { return "" }
      return String(decoding: bytes, as: UTF8.self)
    }
    #expect(
      try file("/limits/ball/x", ["velocity": .number(9)])
        == #"{"transaction":[{"limit":{"velocity":9},"property":"x","on":"ball"}],"comment":"set in a viewer"}"#)
    #expect(
      try file("/plans/ball/a \"b\"/destination", .number(7))
        == #"{"transaction":[{"add":{"type":"AnchoredSpring","property":"x","destination":7},"named":"a \"b\"","#
        + #""to":"ball"}],"comment":"set in a viewer"}"#)
  }

  @Test(arguments: [
    Parameter("/clock/speed", .number(0)), Parameter("/clock/speed", .number(1e9)),
    Parameter("/clock/speed", .text("1")),
    Parameter("/clock/paused", .number(1)), Parameter("/studio/channels", .text("a b")),
    Parameter("/studio/channels", .null), Parameter("/none", .null), Parameter("", .null),
  ])
  func `a parameter that cannot be set like that is an error with a reason`(parameter: Parameter) {
    let error = #expect(throws: ParameterTable.ChangeError.self) { try table.change(to: parameter) }
    #expect(error?.description.isEmpty == false)
  }
}
