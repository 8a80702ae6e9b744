import Testing
import ZeroMQ

@Suite(.timeLimit(.minutes(1)))
struct CurveKeyTests {
  @Test func keysAreWrittenAndReadAlike() throws {
    try #require(ZeroMQContext.has("curve"))
    let keys = try CurveKey.generate()
    #expect(keys.public != keys.secret)
    #expect(keys.public.bytes.count == 32)
    #expect(CurveKey(z85: keys.public.z85) == keys.public)
  }

  @Test(arguments: [
    "", "short", String(repeating: "a", count: 39), String(repeating: "a", count: 41),
    String(repeating: " ", count: 40), String(repeating: "é", count: 20),
    "aaaaa\0" + String(repeating: "a", count: 34), "\0" + String(repeating: "a", count: 39),
  ])
  func theseAreNoKeys(_ text: String) {
    #expect(CurveKey(z85: text) == nil)
  }

  @Test func aKeyIsNotPrinted() throws {
    let secret = try CurveKey.generate().secret
    #expect("\(secret)" == "CurveKey(hidden)")
    #expect(String(reflecting: secret) == "CurveKey(hidden)")
    #expect(!"\(SocketOption.curveServer(secret: secret))".contains(secret.z85))
  }

  @Test func clientsThatKnowTheServerTalkToIt() throws {
    let bench = try Bench()
    let server = try CurveKey.generate()
    let client = try CurveKey.generate()
    let router = try RouterSocket(bench.context, .curveServer(secret: server.secret))
    let dealer = try DealerSocket(
      bench.context, .curveClient(public: client.public, secret: client.secret, server: server.public))
    try dealer.connect(bench.bind(router, .tcp))
    #expect(try dealer.send([1, 2, 3]) == .sent)
    #expect(try router.awaitRouted().1.bytes == [1, 2, 3])
  }
}
