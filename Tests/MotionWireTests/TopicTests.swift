import MotionModel
import MotionWire
import Testing

@Suite struct TopicTests {
  @Test func framesSplitWhereTheyWereJoined() throws {
    let envelope = Envelope(epoch: 3, sequence: 7, .alive)
    let (topic, message) = try Topic.split(Topic.frame("v/ball", envelope))
    #expect(topic == "v/ball")
    #expect(try Envelope(decoding: Array(message)) == envelope)
  }

  @Test(arguments: [[], Array("v/ball".utf8), [0xFF, 0], [UInt8](repeating: 65, count: 257) + [0]])
  func `frames without a valid topic are refused`(_ frame: [UInt8]) {
    #expect(throws: WireError.self) { _ = try Topic.split(frame) }
  }

  @Test func subscriptionsEndWithAZeroByte() throws {
    #expect(Topic.subscription("v/ball") == Array("v/ball".utf8) + [0])
    #expect(try Topic.topic(ofSubscription: Topic.subscription("v/ball")) == "v/ball")
  }

  @Test(arguments: [[], Array("v/".utf8), [0xC0, 0], [UInt8](repeating: 65, count: 257) + [0]])
  func `subscriptions to invalid topics are refused`(_ bytes: [UInt8]) {
    #expect(throws: WireError.self) { _ = try Topic.topic(ofSubscription: bytes) }
  }

  @Test func `a topic of 256 bytes is accepted, and the refusal of 257 states both numbers`() throws {
    let topic = String(repeating: "a", count: Topic.longestBytes)
    #expect(try Topic.topic(ofSubscription: Topic.subscription(topic)) == topic)
    #expect(try Topic.split(Topic.subscription(topic)).topic == topic)
    let error = #expect(throws: WireError.self) { try Topic.topic(ofSubscription: Topic.subscription(topic + "a")) }
    #expect(error?.message.contains("257 bytes") == true && error?.remedy.contains("256 bytes") == true)
    let other = #expect(throws: WireError.self) { try Topic.split(Topic.subscription(topic + "a")) }
    #expect(other?.message.contains("in the first 257 bytes") == true)
  }

  @Test func theLongestTopicFits() throws {
    let target = try TargetName(String(repeating: "t", count: Limits.targetNameBytes))
    let property = try PropertyName(String(repeating: "p", count: Limits.propertyNameBytes))
    let topic = Interest.motion(.property(PropertyReference(target, property))).topic
    #expect(topic.utf8.count <= Topic.longestBytes)
    let plugin = try PluginName(String(repeating: "p", count: Limits.pluginNameBytes))
    let worker = WorkerTopic(.commands, of: WorkerAddress(plugin, Limits.instancesPerPlugin - 1), incarnation: .max)
    #expect(worker.topic.utf8.count <= Topic.longestBytes)
    #expect(try WorkerTopic(topic: worker.topic) == worker)
  }
}

@Suite struct InterestTests {
  static let interests: [(String, Interest)] = [
    ("v/", .values(.everything)), ("v/ball", .values(.target("ball"))),
    ("v/ball/position", .values(.property(PropertyReference("ball", "position")))),
    ("m/", .motion(.everything)), ("m/room-3.wall:1", .motion(.target("room-3.wall:1"))),
    ("m/ball/scale", .motion(.property(PropertyReference("ball", "scale")))),
    ("o/", .outcomes(nil)), ("o/ball", .outcomes("ball")),
    ("d/", .drivers(.everything)), ("d/ball", .drivers(.target("ball"))),
    ("d/ball/position", .drivers(.property(PropertyReference("ball", "position")))),
  ]

  @Test(arguments: interests) func `interests and topics correspond`(_ topic: String, _ interest: Interest) throws {
    #expect(interest.topic == topic)
    #expect(try Interest(topic: topic) == interest)
  }

  @Test(arguments: [
    "", "v", "x/", "v//", "v/ball/", "v/a b", "v/ball/a.b", "v/ball/a/b", "o/ball/position", "o/ä", "c/tween.0/1",
    "/v/", "V/",
  ])
  func `invalid topics are refused`(_ topic: String) {
    #expect(throws: WireError.self) { _ = try Interest(topic: topic) }
  }

  @Test func `scopes contain the properties that they name`() {
    let position = PropertyReference("ball", "position")
    #expect(Interest.Scope.everything.contains(position))
    #expect(Interest.Scope.target("ball").contains(position))
    #expect(!Interest.Scope.target("balloon").contains(position))
    #expect(Interest.Scope.property(position).contains(position))
    #expect(!Interest.Scope.property(PropertyReference("ball", "scale")).contains(position))
  }
}

@Suite struct WorkerTopicTests {
  @Test(arguments: WorkerTopic.Kind.allCases) func `worker topics convert both ways`(_ kind: WorkerTopic.Kind) throws {
    let worker = WorkerTopic(kind, of: WorkerAddress("my.plugin", 3), incarnation: 12)
    #expect(worker.topic == "\(kind.rawValue)/my.plugin.3/12")
    #expect(try WorkerTopic(topic: worker.topic) == worker)
  }

  @Test(arguments: [
    "", "c/", "c/tween/1", "c/tween.0", "c/tween.0/", "c/tween.0/1/", "c/tween.00/1", "c/tween.-1/1", "c/tween.16/1",
    "c/tween.0/+1", "c/.0/1", "c/Tween.0/1", "v/tween.0/1", "c/tween.0/99999999999999999999",
  ])
  func `invalid topics of workers are refused`(_ topic: String) {
    #expect(throws: WireError.self) { _ = try WorkerTopic(topic: topic) }
  }
}
