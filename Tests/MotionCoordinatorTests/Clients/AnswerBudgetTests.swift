import LinuxSystem
import MotionTestKit
import Testing
import ZeroMQ

@testable import MotionCoordinator

struct AnswerBudgetTests {
  @Test func `long answers share a budget, which each leaves when it is released`() {
    var budget = AnswerBudget()
    let long = [UInt8](repeating: 7, count: AnswerBudget.limit / 4)
    var held: [Message] = []
    for client in 1...5 {
      if let message = budget.share(of: RoutingID([UInt8(client)])).message(of: long) { held.append(message) }
    }
    #expect(held.count == 4 && budget.bytes == AnswerBudget.limit)
    let share = budget.share(of: RoutingID([6]))
    #expect(share.message(of: [UInt8](repeating: 7, count: AnswerBudget.longBytes)) == nil)
    // The queue bounds short answers, not the budget.
    #expect(share.message(of: [1, 2, 3])?.bytes == [1, 2, 3])
    held.removeLast()
    #expect(budget.bytes == AnswerBudget.limit / 4 * 3)
    #expect(share.message(of: long)?.count == long.count)
  }

  // Clauses: S11.22
  @Test func `a client that does not read leaves the others their share of the budget`() {
    var budget = AnswerBudget()
    let long = [UInt8](repeating: 7, count: 16 << 20)
    var held: [Message] = []
    while let message = budget.share(of: RoutingID([1])).message(of: long) { held.append(message) }
    #expect(budget.bytes == AnswerBudget.limitOfClient)
    #expect(budget.share(of: RoutingID([2])).message(of: long) != nil)
    for client in 2..<2000 { _ = budget.share(of: RoutingID([2, UInt8(client / 256), UInt8(client % 256)])) }
    #expect(budget.share(of: RoutingID([1])).bytes == AnswerBudget.limitOfClient)
    held = []
    #expect(budget.bytes == 0 && budget.share(of: RoutingID([1])).message(of: long) != nil)
  }

  @Test func `unread answers stay in the budget until their client has disconnected`() throws {
    let context = try ZeroMQContext()
    let folder = try TemporaryFolder()
    let endpoint = try Endpoint.ipc("\(folder.path)/control")
    let router = try RouterSocket(context, .mandatoryRouting(true))
    try router.bind(endpoint)
    var budget = AnswerBudget()
    let share = budget.share(of: RoutingID([9]))
    var lazy: DealerSocket? = try DealerSocket(ZeroMQContext(), .routingID([9]), .receiveHighWaterMark(1))
    try lazy?.connect(endpoint)
    _ = try lazy?.send([1])
    let poller = Poller()
    _ = poller.add(router)
    #expect(try poller.poll(timeout: .seconds(10)) == .ready(1))
    let long = [UInt8](repeating: 7, count: 16 << 20)
    var sent = 0
    while let message = share.message(of: long), sent < 100 {
      #expect(try router.send(message, to: RoutingID([9])) == .sent)
      sent += 1
    }
    // The kernel and the client's own queue hold one or two.
    #expect(sent >= 4 && sent < 8)
    lazy = nil
    let deadline = BootClock.now + .seconds(10)
    // libzmq cleans up a closed connection only once all messages received on it are read.
    while budget.bytes > 0, BootClock.now < deadline {
      _ = try router.receiveRouted()
      _ = try poller.poll(timeout: .milliseconds(1))
    }
    #expect(budget.bytes == 0)
  }
}
