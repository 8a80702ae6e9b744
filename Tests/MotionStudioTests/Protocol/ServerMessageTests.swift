import MotionFiles
import Testing

@testable import MotionStudio

/// Messages to viewers, byte by byte.
struct ServerMessageTests {
  @Test func `binary messages have their numbers least significant byte first`() {
    #expect(ServerMessage.data(0x0102_0304, at: 5, [9]) == .binary([1, 4, 3, 2, 1, 5, 0, 0, 0, 0, 0, 0, 0, 9]))
    #expect(ServerMessage.time(258) == .binary([2, 2, 1, 0, 0, 0, 0, 0, 0]))
    let call = ViewerMessage.Call(service: 1, call: 2, encoding: "json", payload: [])
    #expect(
      ServerMessage.response(call, [:])
        == .binary([3, 1, 0, 0, 0, 2, 0, 0, 0, 4, 0, 0, 0] + Array("json{}".utf8)))
  }

  @Test func `statuses and failures are JSON`() {
    #expect(
      ServerMessage.status(.error, "a \"b\"", id: "x")
        == .text(#"{"op":"status","level":2,"message":"a \"b\"","id":"x"}"#))
    #expect(ServerMessage.removeStatus("x") == .text(#"{"op":"removeStatus","statusIds":["x"]}"#))
    let call = ViewerMessage.Call(service: 1, call: 2, encoding: "json", payload: [])
    #expect(
      ServerMessage.failure(call, "no")
        == .text(#"{"op":"serviceCallFailure","serviceId":1,"callId":2,"message":"no"}"#))
  }

  @Test func `parameters have the types by which viewers tell numbers apart`() {
    let parameters = [
      Parameter("a", .number(1)), Parameter("b", [.number(1), .number(2)]), Parameter("c", .flag(true)),
      Parameter("d", []),
    ]
    #expect(
      ServerMessage.parameters(parameters, id: "7")
        == .text(
          #"{"op":"parameterValues","parameters":[{"name":"a","value":1,"type":"float64"},"#
            + #"{"name":"b","value":[1,2],"type":"float64_array"},{"name":"c","value":true},{"name":"d","value":[]}],"#
            + #""id":"7"}"#))
  }

  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
    ("foobar", "Zm9vYmFy"),
  ])
  func `base64 is that of RFC 4648`(bytes: String, text: String) {
    #expect(Base64.text(of: Array(bytes.utf8)) == text)
  }
}
