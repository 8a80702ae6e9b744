import LinuxSystem
import MotionLink
import MotionModel
import Testing
import ZeroMQ

@testable import MotionCoordinator

/// The states of a slot, and the table that holds the slots.
struct WorkerSlotTests {
  private let processes = RecordedProcesses()
  private let slot = RecordedProcesses.slot(WorkerAddress("tween", 0))

  private func connect(_ slot: WorkerSlot, incarnation: UInt64) {
    let process = WorkerProcess(slot.program.launch, on: processes) { _ in }
    slot.begin(
      conversation(slot, incarnation), .local(LocalProcess(process: process)), incarnation: incarnation)
  }

  private func conversation(_ slot: WorkerSlot, _ incarnation: UInt64) -> WorkerConversation {
    WorkerConversation(CoordinatorLink(epoch: 1, address: slot.address, incarnation: incarnation, at: .zero))
  }

  private func run(_ slot: WorkerSlot, _ id: Int32, in poller: Poller) throws {
    let handle = RecordedProcesses.Handle()
    slot.spawned(.init(id: id, handle: handle, registration: poller.add(descriptor: handle.descriptor)))
  }

  @Test func `the conversation and the process of a life end separately`() throws {
    let poller = Poller()
    #expect(slot.conversation == nil && slot.process == nil && slot.running == nil)
    connect(slot, incarnation: 1)
    #expect(slot.conversation != nil && slot.process != nil && slot.running == nil)
    try run(slot, 100, in: poller)
    #expect(slot.running?.id == 100 && slot.row.processID == 100)
    #expect(slot.disconnect() != nil && slot.disconnect() == nil)
    #expect(slot.conversation == nil && slot.running?.id == 100, "it is to be killed yet")
    slot.exited(at: .seconds(1), reasonDue: .seconds(2))
    #expect(slot.running == nil && slot.process != nil && slot.reasonDue == .seconds(2))
    slot.settle()
    #expect(slot.process == nil && slot.reasonDue == nil)
  }

  @Test func `the reason for the end of a life applies to that life alone`() {
    connect(slot, incarnation: 1)
    slot.fence(.silent("nothing was heard"), lastHeard: .seconds(3))
    _ = slot.disconnect()
    slot.exited(at: .seconds(5), reasonDue: .seconds(6))
    #expect(slot.fencing.reason == "nothing was heard" && slot.lastSign == .seconds(3))
    slot.settle()
    connect(slot, incarnation: 2)
    #expect(slot.fencing == .none && slot.lastSign == nil && slot.incarnation == 2)
    _ = slot.disconnect()
    slot.exited(at: .seconds(9), reasonDue: .seconds(10))
    #expect(slot.lastSign == .seconds(9))
  }

  @Test func `a remote process ends with its conversation`() {
    slot.remote = RemoteHolder(assignment: RemoteAssignment())
    slot.begin(conversation(slot, 1), .remote, incarnation: 1)
    #expect(slot.process == nil && slot.conversation != nil)
    _ = slot.disconnect()
    #expect(slot.row.reason.contains("waits"))
    slot.begin(conversation(slot, 2), .remote, incarnation: 2)
    #expect(slot.incarnation == 2)
  }

  // MARK: The table

  @Test func `slots are in order of their addresses`() {
    var table = WorkerTable()
    for address in [WorkerAddress("tween", 1), WorkerAddress("osc", 0), WorkerAddress("tween", 0)] {
      table.insert(RecordedProcesses.slot(address))
    }
    #expect(table.inOrder.map(\.address.description) == ["osc.0", "tween.0", "tween.1"])
    #expect(table.slots(of: "tween").count == 2)
    table.remove("tween")
    #expect(table.all.map(\.address) == [WorkerAddress("osc", 0)] && table[slot.address] == nil)
  }

  @Test func `a successor takes the slot, and the previous worker is found until it ends`() {
    var table = WorkerTable()
    let successor = RecordedProcesses.slot(slot.address)
    table.insert(slot)
    connect(slot, incarnation: table.nextIncarnation())
    table.connect(slot)
    table.add(successor: successor)
    connect(successor, incarnation: table.nextIncarnation())
    table.connect(successor)
    #expect(table.isAside(successor) && !table.isAside(slot) && table.all.count == 2)
    #expect(table.connected(2) === successor && table.slot(of: slot.address, incarnation: 2) === successor)
    #expect(table.promote(successor) === slot)
    table.depart(slot)
    table.depart(slot)
    #expect(table[slot.address] === successor && table.isAside(slot) && table.all.count == 2)
    #expect(table.slot(of: slot.address, incarnation: 1) === slot)
    table.disconnect(slot)
    table.removeDeparting(slot)
    #expect(table.connected(1) == nil && table.slot(of: slot.address, incarnation: 1) == nil)
    #expect(table.all.count == 1 && table.lastIncarnation == 2)
  }
}
