import Glibc
import Logging
import MotionCore
import MotionModel
import MotionTestKit
import MotionWire
import Testing
import ZeroMQ

@testable import MotionCoordinator

/// The coordinator as a library, in the test's own process.
struct CoordinatorTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func coordinator(
    runtime: String = "run", state: String = "state", plugins: [String] = []
  ) throws -> Coordinator {
    let settings = CoordinatorSettings(
      runtimeDirectory: "\(folder.path)/\(runtime)", stateDirectory: "\(folder.path)/\(state)", pluginPaths: plugins)
    return try Coordinator(settings, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
  }

  @Test(.timeLimit(.minutes(1)))
  func `a call after the end of the coordinator is answered`() async throws {
    let coordinator = try coordinator()
    await coordinator.start()
    #expect(await coordinator.status().epoch == 1)
    await coordinator.stop()
    try await coordinator.untilEnded()
    // Concurrently from many tasks, and one after the other.
    await withTaskGroup(of: UInt64.self) { group in
      for _ in 0..<100 { group.addTask { await coordinator.status().epoch } }
      for await epoch in group { #expect(epoch == 1) }
    }
    for _ in 0..<100 { #expect(await coordinator.status().epoch == 1) }
    await coordinator.reload()
    await coordinator.stop()
    coordinator.stopNow()
  }

  @Test(.timeLimit(.minutes(1)))
  func `calls during the end of the coordinator are all answered`() async throws {
    for number in 0..<20 {
      let coordinator = try coordinator(runtime: "run\(number)", state: "state\(number)")
      await coordinator.start()
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await coordinator.stop() }
        for _ in 0..<50 { group.addTask { _ = await coordinator.status() } }
      }
    }
  }

  @Test(.timeLimit(.minutes(1)), arguments: [true, false])
  func `a coordinator that was never started can be stopped, and then does not start`(gently: Bool) async throws {
    let coordinator = try coordinator()
    if gently { await coordinator.stop() } else { coordinator.stopNow() }
    try await coordinator.untilEnded()
    await coordinator.start()
    await coordinator.stop()
    #expect(access("\(folder.path)/run/client/control.ipc", F_OK) != 0)
  }

  @Test(.timeLimit(.minutes(1)), arguments: [200, Topic.longestSubscription + 1])
  func `a subscription to an invalid topic is counted, and affects no other of its socket`(bytes: Int) async throws {
    let coordinator = try coordinator()
    await coordinator.start()
    let subscriber = try SubscribeSocket(ZeroMQContext())
    try subscriber.connect(.ipc(RuntimePaths(directory: "\(folder.path)/run").valuesSocket))
    try subscriber.subscribe(Topic.subscription("v/ball"))
    // Including the byte that marks a subscription, and the one that ends a topic. Newer libzmqs send it in a few bytes
    // more. (4.3.4 sends topics of 246 to 255 bytes wrongly.)
    try subscriber.subscribe(Topic.subscription("v/" + String(repeating: "a", count: bytes - 4)))
    try subscriber.subscribe(Topic.subscription("v/lamp"))
    let poller = Poller()
    _ = poller.add(subscriber)
    var heard: Set<String> = []
    while heard != ["v/ball", "v/lamp"], try poller.poll(timeout: .seconds(10)) == .ready(1) {
      while let message = try subscriber.receiveOne().message { heard.insert(try Topic.split(message.bytes).topic) }
    }
    #expect(heard == ["v/ball", "v/lamp"])
    let counters = await coordinator.status().counters
    #expect(counters.first { $0.name == "refused-subscriptions" }?.value == 1)
    #expect(counters.first { $0.name == "topics" }?.value == 2)
    await coordinator.stop()
  }

  private func writePlugin(_ name: String, type: String) throws {
    for path in ["plugins", "plugins/\(name)"] { folder.make(path) }
    let manifest = """
      {"name": "\(name)", "executable": "run", "protocol": 1, "intentions": [
        {"type": "\(type)", "kind": "one-shot", "executor": "\(type)", "documentation": "Glides.", "fields": []}]}
      """
    try folder.write(manifest, to: "plugins/\(name)/plugin.json")
    try folder.write("#!/bin/sh\n", to: "plugins/\(name)/run", mode: 0o700)
  }

  @Test(.timeLimit(.minutes(1)))
  func `a plugin removed from disk is dropped at a reload, and found again when it is back`() async throws {
    try writePlugin("ape", type: "Glide")
    try writePlugin("zebra", type: "Jump")
    let coordinator = try coordinator(plugins: ["\(folder.path)/plugins"])
    await coordinator.start()
    unlink("\(folder.path)/plugins/ape/plugin.json")
    #expect(await coordinator.known() == ["ape: Glide", "zebra: Jump"])
    await coordinator.reload()
    #expect(await coordinator.known() == ["zebra: Jump"])
    try writePlugin("ape", type: "Slide")
    await coordinator.reload()
    #expect(await coordinator.known() == ["ape: Slide", "zebra: Jump"])
    #expect(await coordinator.status().plugins.map(\.problem) == ["", ""])
    await coordinator.stop()
  }

  @Test(.timeLimit(.minutes(1)))
  func `a plugin removed from disk stays while a plan waits for it, with a problem`() async throws {
    try writePlugin("ape", type: "Glide")
    let coordinator = try coordinator(plugins: ["\(folder.path)/plugins"])
    await coordinator.start()
    try await coordinator.commit("Glide", at: 1000)
    unlink("\(folder.path)/plugins/ape/plugin.json")
    await coordinator.reload()
    #expect(await coordinator.known() == ["ape: Glide"])
    #expect(await coordinator.status().plugins.first?.problem.contains("removed") == true)
    await coordinator.withdrawEverything()
    await coordinator.reload()
    #expect(await coordinator.known() == [])
    // Again, but the plugin is back before it is dropped.
    try writePlugin("ape", type: "Glide")
    await coordinator.reload()
    try await coordinator.commit("Glide", at: 1000)
    unlink("\(folder.path)/plugins/ape/plugin.json")
    await coordinator.reload()
    try writePlugin("ape", type: "Glide")
    await coordinator.reload()
    #expect(await coordinator.status().plugins.first?.problem == "")
    await coordinator.stop()
  }

  @Test(.timeLimit(.minutes(1)))
  func `a second coordinator with the same state directory is refused and uses no epoch`() async throws {
    let first = try coordinator()
    let error = #expect(throws: StartError.self) { try coordinator(runtime: "other") }
    #expect(error?.description.contains("--state-dir") == true)
    await first.start()
    await first.stop()
    #expect(first.epoch == 1)
  }
}

extension Coordinator {
  /// The plugins with their types that are registered in the runtime.
  fileprivate func known() -> [String] {
    workers.library.plugins.map { plugin in
      let types = runtime.registry.catalog.entries.filter { $0.provider == .plugin(plugin.name) }
      return "\(plugin.name): \(types.map(\.description.type.text).joined(separator: ", "))"
    }
  }

  fileprivate func commit(_ type: IntentionType, at time: Double) throws {
    var transaction = Transaction()
    transaction.add(Intention(type, []), to: "ball")
    _ = try runtime.commit(transaction, at: time)
  }

  fileprivate func withdrawEverything() { runtime.applyNow(.stop([])) }
}
