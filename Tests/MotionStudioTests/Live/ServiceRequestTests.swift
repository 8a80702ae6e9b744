import MotionModel
import Testing

@testable import MotionStudio

/// The requests of services.
struct ServiceRequestTests {
  private func read(_ service: Service, _ text: String) throws -> ServiceRequest {
    try ServiceRequest(service, Array(text.utf8))
  }

  @Test func `requests are read`() throws {
    #expect(try read(.pause, "") == .clock(.pause))
    #expect(try read(.resume, "{}") == .clock(.resume))
    #expect(try read(.step, "{}") == .clock(.step(1)))
    #expect(try read(.step, #"{"frames":3}"#) == .clock(.step(3)))
    #expect(try read(.stop, #"{"targets":["a"],"ramp":true}"#) == .stop(StopRequest(["a"], ramp: true)))
    #expect(try read(.why, #"{"property":"a.b/c"}"#) == .why(PropertyReference("a.b", "c")))
    #expect(try read(.why, #"{"property":"a.b.c"}"#) == .why(PropertyReference("a.b", "c")))
  }

  // Clauses: S30.13, S30.14
  @Test func `lists and pointers of the page are read`() throws {
    #expect(try read(.list, #"{"of":"targets"}"#) == .list(.targets))
    #expect(try read(.list, #"{"of":"properties","target":"ball"}"#) == .list(.properties("ball")))
    let events = #"[{"pointer":1,"phase":"down","at":[1,-2]},{"pointer":1,"phase":"move","at":[3,4],"age":0.5}]"#
    #expect(
      try read(.input, #"{"target":"ball","events":\#(events)}"#)
        == .input(
          PointerInput(
            "ball", from: "studio",
            [
              PointerEvent(id: 1, .down, at: [1, -2], time: 0), PointerEvent(id: 1, .move, at: [3, 4], time: -0.5),
            ])))
  }

  @Test(arguments: [
    "{}", #"{"target":"ball"}"#, #"{"target":"ball","events":[]}"#, #"{"target":"a b","events":[{}]}"#,
    #"{"target":"ball","events":[1]}"#, #"{"target":"ball","events":[{"pointer":-1,"phase":"up","at":[0,0]}]}"#,
    #"{"target":"ball","events":[{"pointer":1e300,"phase":"up","at":[0,0]}]}"#,
    #"{"target":"ball","events":[{"pointer":1,"phase":"jump","at":[0,0]}]}"#,
    #"{"target":"ball","events":[{"pointer":1,"phase":"up","at":[0]}]}"#,
    #"{"target":"ball","events":[{"pointer":1,"phase":"up","at":[0,0],"age":-1}]}"#,
    #"{"target":"ball","events":[{"pointer":1,"phase":"up","at":[0,0],"age":1e9}]}"#,
  ])
  func `pointers of another form are an error with a reason`(text: String) {
    let error = #expect(throws: ServiceRequest.FormError.self) { try read(.input, text) }
    #expect(error?.description.isEmpty == false)
  }

  @Test(arguments: [
    (Service.pause, "x"), (.pause, "[]"), (.step, #"{"frames":0}"#), (.step, #"{"frames":1.5}"#),
    (.step, #"{"frames":1e300}"#), (.stop, #"{"targets":"a"}"#), (.stop, #"{"targets":["a b"]}"#),
    (.stop, #"{"ramp":1}"#), (.why, "{}"), (.why, #"{"property":"a"}"#), (.why, #"{"property":"/"}"#), (.commit, "{}"),
    (.list, "{}"), (.list, #"{"of":"snapshot"}"#), (.list, #"{"of":1}"#), (.list, #"{"of":"tokens","target":1}"#),
  ])
  func `a request of another form is an error with a reason`(service: Service, text: String) {
    let error = #expect(throws: ServiceRequest.FormError.self) { try read(service, text) }
    #expect(error?.description.isEmpty == false)
  }
}
