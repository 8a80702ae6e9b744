import MotionFiles
import Testing

@testable import MotionStudio

/// Messages of viewers: each form is read, and what breaks the protocol is an error with a reason.
struct ViewerMessageTests {
  private func read(_ text: String) throws -> ViewerMessage { try ViewerMessage(text: Array(text.utf8)) }

  @Test func `subscriptions are read with the numbers of the viewer`() throws {
    let message = try read(
      #"{"op":"subscribe","subscriptions":[{"id":7,"channelId":64},{"id":4294967295,"channelId":1,"more":true}]}"#)
    #expect(message == .subscribe([.init(id: 7, channel: 64), .init(id: .max, channel: 1)]))
    #expect(try read(#"{"op":"unsubscribe","subscriptionIds":[7]}"#) == .unsubscribe([7]))
  }

  @Test func `parameters are read with any value`() throws {
    let message = try read(
      #"{"op":"setParameters","id":"a","parameters":[{"name":"x","value":[1,true]},{"name":"y"}]}"#)
    #expect(
      message == .setParameters([Parameter("x", [.number(1), .flag(true)]), Parameter("y", .null)], id: "a"))
    #expect(try read(#"{"op":"getParameters","parameterNames":[]}"#) == .getParameters([], id: nil))
    #expect(try read(#"{"op":"subscribeParameterUpdates","parameterNames":["x"]}"#) == .subscribeParameters(["x"]))
    #expect(
      try read(#"{"op":"unsubscribeParameterUpdates","parameterNames":["x"]}"#) == .unsubscribeParameters(["x"]))
  }

  @Test func `a message without a capability is named`() throws {
    #expect(try read(#"{"op":"fetchAsset","uri":"a","requestId":1}"#) == .unsupported("fetchAsset"))
    #expect(try read(#"{"op":"subscribeConnectionGraph"}"#) == .subscribeGraph)
    #expect(try read(#"{"op":"unsubscribeConnectionGraph"}"#) == .unsubscribeGraph)
  }

  @Test(arguments: [
    ("", "not JSON"), ("[]", "\"op\" is missing"), (#"{"op":1}"#, "has to be a text"),
    (#"{"op":"subscribe"}"#, "has to be a list"), (#"{"op":"subscribe","subscriptions":[{"id":-1}]}"#, "whole number"),
    (#"{"op":"subscribe","subscriptions":[{"id":1}]}"#, "\"channelId\" is missing"),
    (#"{"op":"unsubscribe","subscriptionIds":[4294967296]}"#, "whole number"),
    (#"{"op":"getParameters","parameterNames":[1]}"#, "list of texts"), ("{\"op\":\"\u{0}\"}", "not JSON"),
  ])
  func `text that breaks the protocol is an error with a reason`(text: String, reason: String) {
    let error = #expect(throws: ViewerMessageError.self) { try read(text) }
    #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
  }

  @Test func `a call is read with its encoding and payload`() throws {
    let bytes: [UInt8] = [2, 6, 0, 0, 0, 9, 1, 0, 0, 4, 0, 0, 0] + Array("json{}".utf8)
    let call = ViewerMessage.Call(service: 6, call: 265, encoding: "json", payload: Array("{}".utf8))
    #expect(try ViewerMessage(binary: bytes) == .call(call))
    #expect(try ViewerMessage(binary: [1, 0]) == .unsupported("message data"))
  }

  // Clauses: S30.11
  @Test func `a request to playback is read, and every beginning of one is an error`() throws {
    let whole: [UInt8] = [3, 0, 0, 0, 0x20, 0x40, 1, 5, 1, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0] + Array("ab".utf8)
    let request = PlaybackRequest(plays: true, speed: 2.5, seek: 261, id: "ab")
    #expect(try ViewerMessage(binary: whole) == .playback(request))
    for count in 1..<whole.count {
      #expect(throws: ViewerMessageError.self) { try ViewerMessage(binary: Array(whole.prefix(count))) }
    }
    var other = whole
    (other[1], other[6]) = (1, 0)
    #expect(try ViewerMessage(binary: other) == .playback(PlaybackRequest(plays: false, speed: 2.5, id: "ab")))
    other[1] = 2
    #expect(throws: ViewerMessageError.self) { try ViewerMessage(binary: other) }
  }

  @Test func `every beginning of a call is an error`() throws {
    let whole: [UInt8] = [2, 6, 0, 0, 0, 9, 0, 0, 0, 4, 0, 0, 0] + Array("json".utf8)
    for count in whole.indices {
      #expect(throws: ViewerMessageError.self) { try ViewerMessage(binary: Array(whole[..<count])) }
    }
    // A length beyond the end, and one that is no text.
    #expect(throws: ViewerMessageError.self) {
      try ViewerMessage(binary: [2, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255])
    }
    #expect(throws: ViewerMessageError.self) {
      try ViewerMessage(binary: [2, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 255])
    }
    #expect(throws: ViewerMessageError.self) { try ViewerMessage(binary: [200]) }
  }
}
