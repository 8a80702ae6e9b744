import MotionModel
import MotionWire
import Testing

@testable import MotionLink

/// Every state of both ends is combined with every event; the tables list the results.
@Suite struct LinkTransitionTests {
  @Test func `the coordinator link's transitions are those of the table`() {
    let starts: [(String, CoordinatorLink)] = [
      ("starting", .example()), ("welcomed", .welcomed()), ("provisioning", .provisioning()), ("ready", .ready()),
      ("draining", .draining()), ("fenced", .fenced()),
    ]
    // The columns are the starts in this order.
    let table: [(String, [String], (inout CoordinatorLink) -> Void)] = [
      (
        "hello", ["welcomed", "welcomed", "provisioning", "ready", "draining", "fenced"],
        { $0.hear(.hello(Fixture.hello)) }
      ),
      (
        "hello of another version", ["fenced", "fenced", "fenced", "fenced", "draining", "fenced"],
        {
          var hello = Fixture.hello
          hello.protocolVersions = 2...3
          $0.hear(.hello(hello))
        }
      ),
      (
        "hello of another worker", ["starting", "welcomed", "provisioning", "ready", "draining", "fenced"],
        {
          var hello = Fixture.hello
          hello.address = WorkerAddress("tween", 1)
          $0.hear(.hello(hello))
        }
      ),
      (
        "resync, snapshot", ["starting", "welcomed", "provisioning", "provisioning", "draining", "fenced"],
        {
          $0.hear(.resync(commandsApplied: 0))
          _ = $0.provide(Fixture.snapshot(), at: Fixture.start)
        }
      ),
      (
        "subscriptions, resync, snapshot",
        ["starting", "provisioning", "provisioning", "provisioning", "draining", "fenced"],
        {
          _ = $0.subscribed(to: Fixture.topics.commands, at: Fixture.start)
          _ = $0.subscribed(to: Fixture.topics.ticks, at: Fixture.start)
          $0.hear(.resync(commandsApplied: 0))
          _ = $0.provide(Fixture.snapshot(), at: Fixture.start)
        }
      ),
      (
        "update", ["starting", "welcomed", "ready", "ready", "draining", "fenced"],
        {
          $0.hear(.update(WorkerUpdate(frame: 0, commandsApplied: 0)))
        }
      ),
      (
        "heartbeat", ["starting", "welcomed", "ready", "ready", "draining", "fenced"],
        {
          $0.hear(
            .workerHeartbeat(
              WorkerHeartbeat(commandsApplied: 0, lastEvent: 0, tokens: TokenSet().stableHash, interval: 1)))
        }
      ),
      (
        "log", ["starting", "welcomed", "provisioning", "ready", "draining", "fenced"],
        {
          $0.hear(.log(LogLine(.info, "here")))
        }
      ),
      (
        "a message that no worker sends", ["starting", "welcomed", "provisioning", "ready", "draining", "fenced"],
        {
          $0.hear(.alive)
        }
      ),
      (
        "command", ["starting", "welcomed", "provisioning", "ready", "draining", "fenced"],
        {
          _ = $0.send(Fixture.command(1), at: Fixture.start)
        }
      ),
      (
        "tick", ["starting", "welcomed", "provisioning", "ready", "draining", "fenced"],
        {
          _ = $0.tick(Fixture.frame(1), at: Fixture.start)
        }
      ),
      (
        "drain", ["draining", "draining", "draining", "draining", "draining", "fenced"],
        {
          _ = $0.drain(at: Fixture.start)
        }
      ),
      ("silence", ["fenced", "fenced", "fenced", "fenced", "draining", "fenced"], { $0.pass(.seconds(60)) }),
      (
        "a stall", ["starting", "welcomed", "provisioning", "ready", "draining", "fenced"],
        {
          _ = $0.deadline(at: Fixture.start + .seconds(60))
        }
      ),
    ]
    for (name, ends, act) in table {
      for (start, end) in zip(starts, ends) {
        var link = start.1
        act(&link)
        #expect(link.state.word == end, "\(start.0), \(name)")
      }
    }
  }

  @Test func `the worker link's transitions are those of the table`() {
    let starts: [(String, WorkerLink)] = [
      ("greeting", .greeting()), ("subscribing", .subscribing()), ("awaiting", .awaitingSnapshot()),
      ("serving", .serving()), ("draining", .draining()), ("ended", .ended()),
    ]
    let table: [(String, [String], (inout WorkerLink) -> Void)] = [
      (
        "welcome", ["subscribing", "subscribing", "awaiting", "serving", "draining", "ended"],
        {
          $0.hear(.welcome(Fixture.welcome))
        }
      ),
      (
        "welcome of another version", ["ended", "subscribing", "awaiting", "serving", "draining", "ended"],
        {
          var welcome = Fixture.welcome
          welcome.protocolVersion = 9
          $0.hear(.welcome(welcome))
        }
      ),
      (
        "refusal", ["ended", "ended", "ended", "ended", "ended", "ended"],
        {
          $0.hear(.refusal(Refusal(.stopping, "no")))
        }
      ),
      (
        "subscription", ["greeting", "awaiting", "awaiting", "serving", "draining", "ended"],
        {
          _ = $0.subscribed(to: Fixture.topics.events, at: Fixture.start)
        }
      ),
      (
        "subscription to another topic", ["greeting", "subscribing", "awaiting", "serving", "draining", "ended"],
        {
          _ = $0.subscribed(to: "e/tween.0/4", at: Fixture.start)
        }
      ),
      (
        "snapshot", ["greeting", "subscribing", "serving", "serving", "draining", "ended"],
        {
          $0.hear(.snapshot(command: 5, Fixture.snapshot()), replyTo: 2)
        }
      ),
      (
        "answer to an older question", ["greeting", "subscribing", "awaiting", "serving", "draining", "ended"],
        {
          $0.hear(.snapshot(command: 5, Fixture.snapshot()), replyTo: 1)
        }
      ),
      (
        "next command", ["greeting", "subscribing", "awaiting", "serving", "draining", "ended"],
        {
          $0.hear(.command(number: 6, Fixture.command(6)))
        }
      ),
      (
        "command after a gap", ["greeting", "subscribing", "awaiting", "awaiting", "draining", "ended"],
        {
          $0.hear(.command(number: 8, Fixture.command(8)))
        }
      ),
      (
        "old command", ["greeting", "subscribing", "awaiting", "serving", "draining", "ended"],
        {
          $0.hear(.command(number: 4, Fixture.command(4)))
        }
      ),
      (
        "shutdown", ["greeting", "subscribing", "awaiting", "draining", "draining", "ended"],
        {
          $0.hear(.command(number: 6, .shutdown(isFinal: false)))
        }
      ),
      (
        "heartbeat", ["greeting", "subscribing", "awaiting", "serving", "draining", "ended"],
        {
          $0.hear(.coordinatorHeartbeat(CoordinatorHeartbeat(lastCommand: 5, lastEventApplied: 0, interval: 1)))
        }
      ),
      (
        "heartbeat with a command unheard", ["greeting", "subscribing", "awaiting", "awaiting", "draining", "ended"],
        {
          $0.hear(.coordinatorHeartbeat(CoordinatorHeartbeat(lastCommand: 6, lastEventApplied: 0, interval: 1)))
        }
      ),
      (
        "heartbeat that acknowledges", ["greeting", "subscribing", "awaiting", "serving", "ended", "ended"],
        {
          $0.hear(.coordinatorHeartbeat(CoordinatorHeartbeat(lastCommand: 5, lastEventApplied: 1, interval: 1)))
        }
      ),
      (
        "tick", ["greeting", "subscribing", "awaiting", "serving", "draining", "ended"],
        {
          $0.hear(.tick(Tick(frame: Fixture.frame(11), lastCommand: 5)))
        }
      ),
      (
        "early tick, timeout over", ["greeting", "subscribing", "awaiting", "awaiting", "draining", "ended"],
        {
          $0.hear(.tick(Tick(frame: Fixture.frame(11), lastCommand: 6)))
          $0.pass(.milliseconds(250))
        }
      ),
      (
        "newer epoch", ["ended", "ended", "ended", "ended", "ended", "ended"],
        {
          _ = $0.received(Envelope(epoch: 8, .welcome(Fixture.welcome)), at: Fixture.start)
        }
      ),
      (
        "older epoch", ["greeting", "subscribing", "awaiting", "serving", "draining", "ended"],
        {
          _ = $0.received(Envelope(epoch: 6, .refusal(Refusal(.version, "no"))), at: Fixture.start)
        }
      ),
      (
        "a message that no coordinator sends", ["greeting", "subscribing", "awaiting", "serving", "draining", "ended"],
        {
          $0.hear(.alive)
        }
      ),
      (
        "silence of a second", ["greeting", "subscribing", "awaiting", "serving", "ended", "ended"],
        {
          $0.pass(.seconds(1))
        }
      ),
      (
        "silence of six seconds", ["greeting", "subscribing", "awaiting", "greeting", "ended", "ended"],
        {
          $0.pass(.seconds(6))
        }
      ),
      ("silence of two minutes", ["ended", "ended", "ended", "ended", "ended", "ended"], { $0.pass(.seconds(120)) }),
      (
        "a stall", ["greeting", "subscribing", "awaiting", "serving", "ended", "ended"],
        {
          _ = $0.deadline(at: Fixture.start + .seconds(30))
        }
      ),
    ]
    for (name, ends, act) in table {
      for (start, end) in zip(starts, ends) {
        var link = start.1
        act(&link)
        #expect(link.state.word == end, "\(start.0), \(name)")
      }
    }
  }
}

extension CoordinatorLink.State {
  fileprivate var word: String {
    switch self {
    case .starting: "starting"
    case .welcomed: "welcomed"
    case .provisioning: "provisioning"
    case .ready: "ready"
    case .draining: "draining"
    case .fenced: "fenced"
    }
  }
}
