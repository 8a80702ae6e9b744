import Foundation
import MotionLink
import MotionModel
import MotionWire
import Testing
import ZeroMQ

@testable import MotionCoordinator

/// Claims are decided without sockets and processes.
@Suite(.timeLimit(.minutes(1))) struct RemoteClaimsTests {
  private static let worker = WorkerAddress("tween", 1)
  private static let start = Duration.seconds(1000)

  private let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
  private let register: AssignmentRegister
  private var claims: RemoteClaims
  private let key: CurveKey
  private let keys: AuthorizedKeys

  init() throws {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    register = try AssignmentRegister(in: directory.path)
    claims = RemoteClaims(register, at: Self.start)
    key = try CurveKey.generate().publicKey
    keys = try AuthorizedKeys(parsing: "worker \(key.z85) tween.1\n", from: "keys")
  }

  private func claim(
    _ claimant: UInt64 = 7, attempt: UInt64 = 1, as worker: WorkerAddress = worker,
    handshake: ClosedRange<Int> = ProtocolVersion.handshake
  ) -> Claim {
    Claim(
      handshakeVersions: handshake, address: worker, claimant: claimant, attempt: attempt, processID: 1, host: "far")
  }

  private func refusal(_ body: () throws(Refusal) -> Void) -> Refusal.Code? {
    do throws(Refusal) {
      try body()
      return nil
    } catch {
      return error.code
    }
  }

  /// Decides until the assignment is on disk, as a claimant resends its claim: the register does not notify.
  private func decideWhenSaved(_ claim: Claim, _ holder: RemoteHolder) throws -> RemoteClaims.Decision {
    while true {
      let decision = try claims.decide(claim, against: holder, at: Self.start)
      if decision != .unanswered { return decision }
      usleep(1000)
    }
  }

  // Clauses: S16.6
  @Test func `a claim needs a key that is authorized for the worker, and a common handshake`() throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    let other = try CurveKey.generate().publicKey
    #expect(refusal { () throws(Refusal) in try claims.check(claim(), with: key, by: keys) } == nil)
    #expect(refusal { () throws(Refusal) in try claims.check(claim(), with: other, by: keys) } == .noAssignment)
    #expect(refusal { () throws(Refusal) in try claims.check(claim(), with: nil, by: keys) } == .noAssignment)
    #expect(
      refusal { () throws(Refusal) in
        try claims.check(claim(as: WorkerAddress("tween", 0)), with: key, by: keys)
      } == .noAssignment)
    #expect(
      refusal { () throws(Refusal) in try claims.check(claim(handshake: 90...99), with: key, by: keys) } == .version)
    #expect(
      refusal { () throws(Refusal) in try claims.check(claim(), with: key, by: AuthorizedKeys()) } == .noAssignment)
  }

  // Clauses: S14.8
  @Test func `an assignment is given away only when it is on disk, and to one process`() throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    var holder = claims.holder(of: Self.worker)
    #expect(holder.assignment.holder == nil)
    #expect(try claims.decide(claim(), against: holder, at: Self.start) == .unanswered, "it is written first")
    let decision = try decideWhenSaved(claim(), holder)
    guard case .begin(let assignment) = decision else { throw Unexpected(decision) }
    #expect(register.holder(of: Self.worker) == 7)
    holder.assignment = assignment
    #expect(try claims.decide(claim(), against: holder, at: Self.start) == .resend)
    #expect(
      refusal { () throws(Refusal) in
        _ = try claims.decide(claim(8), against: holder, at: Self.start)
      } == .assignmentTaken)
    // The same process begins its next life; its earlier claim is late.
    guard case .begin(let next) = try claims.decide(claim(attempt: 2), against: holder, at: Self.start) else {
      throw Unexpected(decision)
    }
    holder.assignment = next
    #expect(try claims.decide(claim(), against: holder, at: Self.start) == .unanswered)
  }

  // Clauses: S14.8
  @Test func `the holder of an earlier start keeps its assignment until its lease is over`() throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    _ = try decideWhenSaved(claim(), claims.holder(of: Self.worker))
    let later = RemoteClaims(register, at: Self.start)
    let holder = later.holder(of: Self.worker)
    let end = Self.start + LinkTiming.network.longestLease
    #expect(
      refusal { () throws(Refusal) in
        _ = try later.decide(claim(8), against: holder, at: end - .milliseconds(1))
      } == .assignmentTaken)
    #expect(refusal { () throws(Refusal) in _ = try later.decide(claim(8), against: holder, at: end) } == nil)
    later.forget(Self.worker)
    #expect(refusal { () throws(Refusal) in _ = try later.decide(claim(7), against: holder, at: Self.start) } == nil)
  }

  @Test mutating func `refused claims are counted, and logged once in ten seconds`() {
    defer { try? FileManager.default.removeItem(at: directory) }
    let logged = (0..<30).map { claims.noteRefusal(at: Self.start + .seconds($0)) }
    #expect(claims.refused == 30)
    #expect(logged.count(where: \.self) == 3)
  }
}

private struct Unexpected: Error {
  let decision: RemoteClaims.Decision
  init(_ decision: RemoteClaims.Decision) { self.decision = decision }
}
