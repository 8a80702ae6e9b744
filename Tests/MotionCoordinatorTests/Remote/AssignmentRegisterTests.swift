import Foundation
import MotionModel
import Testing

@testable import MotionCoordinator

/// The assignment of slots to processes survives the coordinator.
@Suite(.timeLimit(.minutes(1))) struct AssignmentRegisterTests {
  private let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
  private let first = WorkerAddress("tween", 0)
  private let second = WorkerAddress("t.1", 1)

  private func register() throws -> AssignmentRegister {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    return try AssignmentRegister(in: directory.path)
  }

  /// Polls until it is on disk, as a claimant does: the register does not notify.
  private func save(_ claimant: UInt64, as worker: WorkerAddress, in register: AssignmentRegister) throws {
    while try !register.isSaved(claimant, as: worker) { usleep(Self.pause) }
  }

  /// Between two polls, so that the writing thread can run.
  private static let pause: UInt32 = 1000

  // Clauses: S14.8
  @Test func `a new register contains earlier assignments`() throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    let register = try register()
    #expect(register.holder(of: first) == nil)
    try save(7, as: first, in: register)
    try save(UInt64.max, as: second, in: register)
    #expect(try register.isSaved(7, as: first))
    try save(8, as: first, in: register)
    let next = try AssignmentRegister(in: directory.path)
    #expect(next.holder(of: first) == 8)
    #expect(next.holder(of: second) == UInt64.max)
    next.forget(first)
    // A deferred write is visible only to the next start.
    while try AssignmentRegister(in: directory.path).holder(of: first) != nil { usleep(Self.pause) }
  }

  @Test func `an assignment that cannot be written is not saved`() throws {
    let register = try register()
    try FileManager.default.removeItem(at: directory)
    #expect(throws: AssignmentRegisterError.self) {
      try save(7, as: first, in: register)
    }
  }

  @Test func `a damaged file of assignments is refused with the remedy`() throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    _ = try register()
    for text in ["tween.0\n", "tween.0 xyz\n", "tween 1\n"] {
      try Data(text.utf8).write(to: directory.appending(path: "assignments"))
      #expect(throws: StartError.self) { try AssignmentRegister(in: directory.path) }
    }
  }
}
