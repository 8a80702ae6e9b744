import Testing
import ZeroMQ

@Suite(.timeLimit(.minutes(1)))
struct CurveKeyTests {
  @Test func `keys are the same after writing and parsing`() throws {
    try #require(ZeroMQContext.has("curve"))
    let keys = try CurveKey.generate()
    #expect(keys.publicKey != keys.secretKey)
    #expect(keys.publicKey.bytes.count == 32)
    #expect(CurveKey(z85: keys.publicKey.z85) == keys.publicKey)
  }

  @Test(arguments: [
    "", "short", String(repeating: "a", count: 39), String(repeating: "a", count: 41),
    String(repeating: " ", count: 40), String(repeating: "é", count: 20),
    "aaaaa\0" + String(repeating: "a", count: 34), "\0" + String(repeating: "a", count: 39),
  ])
  func `invalid keys are refused`(_ text: String) {
    #expect(CurveKey(z85: text) == nil)
  }

  @Test func aKeyIsNotPrinted() throws {
    let secret = try CurveKey.generate().secretKey
    #expect("\(secret)" == "CurveKey(hidden)")
    #expect(String(reflecting: secret) == "CurveKey(hidden)")
    #expect(!"\(SocketOption.curveServer(secretKey: secret))".contains(secret.z85))
  }

  @Test func `a client with the server's key can send to it`() throws {
    let bench = try Bench()
    let server = try CurveKey.generate()
    let client = try CurveKey.generate()
    let router = try RouterSocket(bench.context, .curveServer(secretKey: server.secretKey))
    let dealer = try DealerSocket(
      bench.context,
      .curveClient(
        publicKey: client.publicKey, secretKey: client.secretKey, serverKey: server.publicKey))
    try dealer.connect(bench.bind(router, .tcp))
    #expect(try dealer.send([1, 2, 3]) == .sent)
    #expect(try router.awaitRouted().1.bytes == [1, 2, 3])
  }
}
