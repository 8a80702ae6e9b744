import MotionClient
import MotionHistory
import MotionModel
import Testing

@testable import MotionStudio

/// The requests whose answers take long.
struct LongRequestTests {
  private static let longText = String(repeating: "a", count: 257)
  private static let manyNames = repeatElement(#""a/b""#, count: 33).joined(separator: ",")

  private func read(_ service: Service, _ text: String) throws -> LongRequest? {
    try LongRequest(service, Array(text.utf8))
  }

  // Clauses: S30.16
  @Test func `a list and an explanation with a moment are about the past`() throws {
    #expect(try read(.list, #"{"of":"targets"}"#) == nil)
    #expect(try read(.why, #"{"property":"a/b"}"#) == nil)
    #expect(try read(.pause, #"{"at":"-1s"}"#) == nil)
    #expect(try read(.list, #"{"of":"targets","at":"-30s"}"#) == .list(.targets, .beforeEnd(30)))
    #expect(try read(.list, #"{"of":"properties","target":"a","frame":7}"#) == .list(.properties("a"), .frame(7)))
    #expect(try read(.why, #"{"property":"a/b","at":"12.5s"}"#) == .why(PropertyReference("a", "b"), .simulated(12.5)))
  }

  // Clauses: S30.17
  @Test func `the request of curves is read`() throws {
    #expect(
      try read(.curves, #"{"properties":["a/b","c.d"],"from":"-30s","points":100}"#)
        == .curves(
          .init(
            properties: [PropertyReference("a", "b"), PropertyReference("c", "d")], from: .beforeEnd(30), to: nil,
            points: 100)))
    #expect(
      try read(.curves, #"{"properties":["a/b"]}"#)
        == .curves(.init(properties: [PropertyReference("a", "b")], from: nil, to: nil, points: 4000)))
  }

  // Clauses: S30.20
  @Test func `the request of rows is read`() throws {
    #expect(try read(.rows, "") == .rows(.init(count: 500), nil))
    #expect(
      try read(
        .rows, #"{"search":" Ball  TWEEN ","first":7,"count":20,"target":"a","property":"x","at":"-30s"}"#)
        == .rows(.init(words: ["ball", "tween"], first: 7, count: 20, selected: .init("a", "x")), .beforeEnd(30)))
    #expect(try read(.rows, #"{"target":"a","frame":7}"#) == .rows(.init(count: 500, selected: .init("a")), .frame(7)))
  }

  // Clauses: S30.16, S30.17, S30.20
  @Test(arguments: [
    (Service.list, #"{"of":"targets","at":"yesterday"}"#), (.list, #"{"of":"targets","at":7}"#),
    (.list, #"{"of":"targets","frame":-1}"#), (.list, #"{"of":"targets","frame":0.5}"#),
    (.why, #"{"property":"a/b","at":"-1s","frame":3}"#), (.why, #"{"at":"-1s"}"#), (.list, #"{"at":"-1s"}"#),
    (.rows, #"{"first":-1}"#), (.rows, #"{"first":1e10}"#), (.rows, #"{"count":0}"#), (.rows, #"{"count":501}"#),
    (.rows, #"{"search":7}"#), (.rows, #"{"search":"\#(longText)"}"#),
    (.rows, #"{"target":""}"#), (.rows, #"{"target":"a","property":"/"}"#), (.rows, "[]"),
    (.curves, ""), (.curves, "[]"), (.curves, #"{"properties":[]}"#), (.curves, #"{"properties":["a"]}"#),
    (.curves, #"{"properties":["a/b"],"points":1}"#), (.curves, #"{"properties":["a/b"],"points":1e9}"#),
    (.curves, #"{"properties":["a/b"],"from":"12:99"}"#),
    (.curves, #"{"properties":[\#(manyNames)]}"#),
  ])
  func `a request that cannot be read is refused with the form`(_ service: Service, _ text: String) {
    #expect(throws: ServiceRequest.FormError.self) { try read(service, text) }
  }
}
