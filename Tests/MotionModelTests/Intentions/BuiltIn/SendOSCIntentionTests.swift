import MotionModel
import Testing

struct SendOSCIntentionTests {
  private func intention(_ field: String, _ value: FieldValue) -> Intention {
    Intention("SendOSC", [.init("property", .reference(PropertyReference("ball", "x"))), .init(field, value)])
  }

  @Test func `the address is the property's unless it is given`() throws {
    let plan = try SendOSCIntention(Intention.sendOSC(PropertyReference("room-3.wall:panel", "position")))
    #expect(plan.address(on: "wall") == "/room-3.wall:panel/position")
    #expect(plan.host == "127.0.0.1" && plan.port == 9000 && plan.rate == 60)
    #expect(!plan.sendsVelocity && plan.timeTag == .frame && plan.keepAlive == .seconds(1))
    #expect(try SendOSCIntention(intention("address", .text("/a~b/<c>"))).address == "/a~b/<c>")
  }

  @Test(arguments: [
    "", "ball", " /ball", "/a b", "/#", "/*", "/a,b", "/?", "/[a]", "/{a}", "/ä", "/a\n", "/",
    "//a", "/a//b", "/a/",
    "/" + String(repeating: "a", count: 255),
  ]) func `an invalid address is refused with a remedy`(address: String) throws {
    let refusal = #expect(throws: Refusal.self) { try SendOSCIntention(intention("address", .text(address))) }
    #expect(refusal?.field == "address" && refusal?.remedy.isEmpty == false)
  }

  @Test(arguments: [
    ("port", FieldValue.number(0)), ("port", .number(65_536)), ("port", .number(9000.5)), ("rate", .number(0.5)),
    ("rate", .number(1001)), ("host", .text("")), ("host", .text("two words")), ("property", .text("x")),
    ("velocity", .number(1)), ("timeTag", .choice("never")), ("rate", .number(.nan)), ("rate", .number(.infinity)),
    ("keepAlive", .duration(.milliseconds(50))), ("keepAlive", .duration(.seconds(3601))), ("keepAlive", .number(1)),
  ]) func `a value out of range is refused with its field`(field: String, value: FieldValue) throws {
    let refusal = #expect(throws: Refusal.self) { try SendOSCIntention(intention(field, value)) }
    #expect(refusal?.field == field)
  }

  @Test func `a plan reads its property and writes nothing`() {
    let x = PropertyReference("ball", "x")
    let plan = Intention.sendOSC(x)
    #expect(SendOSCIntention.description.reads(of: plan, on: "output") == [x])
    #expect(SendOSCIntention.description.propertiesWritten(by: plan).isEmpty)
  }

  // Clauses: S18.17
  @Test func `a plan may send a property of its own target`() throws {
    let plan = SendOSCIntention("level", port: 9001).intention
    #expect(plan["property"] == .property("level"))
    #expect(SendOSCIntention.description.reads(of: plan, on: "lamp") == [PropertyReference("lamp", "level")])
    #expect(try SendOSCIntention(plan).address(on: "lamp") == "/lamp/level")
    #expect(try SendOSCIntention(plan).intention == plan)
    #expect(try SendOSCIntention(SendOSCIntention("level", address: "/1").intention).address(on: "lamp") == "/1")
  }

  @Test func `the catalogue refuses a plan with a bad address before it runs`() throws {
    var catalog = IntentionCatalog()
    try catalog.add(
      PluginManifest(name: "osc", executable: "osc", intentions: [SendOSCIntention.description]))
    #expect(throws: Refusal.self) { try catalog.check(intention("address", .text("ball"))) }
  }
}
