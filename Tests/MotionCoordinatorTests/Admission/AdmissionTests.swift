import Testing
import ZeroMQ

@testable import MotionCoordinator

struct AdmissionTests {
  private let own: UInt32 = 1000

  private func request(
    _ domain: AdmissionDomain, user: UInt32 = 1000, process: Int32 = 50
  ) -> AuthenticationRequest {
    AuthenticationRequest(domain: domain.rawValue, address: "localhost:\(user):7:\(process)")
  }

  private func peer(_ user: UInt32, _ process: Int32 = 50) -> PeerName.Peer {
    .process(LocalPeer(userID: user, groupID: 7, processID: process))
  }

  private func admission(users: Set<UInt32> = [], group: UInt32? = nil) -> Admission {
    Admission(clients: group.map { AllowedClients(groupID: $0, own: own) } ?? AllowedClients(userIDs: users, own: own))
  }

  // MARK: Clients

  // Clauses: S16.1
  @Test func `clients are motiond's own user, root, and those that are allowed`() {
    let admission = admission(users: [1001])
    for user in [1000, 0, 1001] as [UInt32] {
      #expect(admission.verdict(on: request(.clients, user: user), start: nil) == .admit(peer(user)))
    }
    #expect(admission.verdict(on: request(.clients, user: 1002), start: nil) == .refuse(.user))
  }

  @Test func `a user that can open the sockets of the allowed group is admitted as a client`() {
    let admission = admission(group: 7)
    #expect(admission.verdict(on: request(.clients, user: 1002), start: nil) == .admit(peer(1002)))
    #expect(admission.verdict(on: request(.workers, user: 1002), start: 1) == .refuse(.process))
  }

  // MARK: Workers

  // Clauses: S16.2
  @Test func `only the started process is admitted as a worker, not a client, a child or a stranger`() {
    var admission = admission()
    admission.willStart(1)
    admission.hasStarted(1, as: 50, at: 900)
    #expect(admission.verdict(on: request(.workers), start: 900) == .admit(peer(1000)))
    // Not even root, and not another process of the same user: only the process number and its start time count.
    #expect(admission.verdict(on: request(.workers, user: 0, process: 51), start: 900) == .refuse(.process))
    #expect(admission.verdict(on: request(.workers, process: 0), start: nil) == .refuse(.process))
  }

  // Clauses: S16.2
  @Test func `a reused process ID is not admitted as a worker`() {
    var admission = admission()
    admission.hasStarted(1, as: 50, at: 900)
    #expect(admission.verdict(on: request(.workers), start: 901) == .refuse(.process))
    #expect(admission.verdict(on: request(.workers), start: nil) == .refuse(.process))
    admission.hasEnded(50)
    #expect(admission.verdict(on: request(.workers), start: 900) == .refuse(.process))
    // A process without a known start time is never admitted, whatever is known of the requesting peer.
    admission.hasStarted(2, as: 60, at: nil)
    #expect(admission.verdict(on: request(.workers, process: 60), start: nil) == .refuse(.process))
  }

  // Clauses: S16.3
  @Test func `a peer that connects while workers are being started waits until each of them is known`() {
    var admission = admission()
    for number in [1, 2] as [UInt64] { admission.willStart(number) }
    let asked = request(.workers, process: 52)
    #expect(admission.verdict(on: asked, start: 5) == .wait)
    let awaited = admission.underWay
    admission.hasStarted(1, as: 51, at: 4)
    #expect(admission.verdict(on: asked, start: 5, awaiting: awaited) == .wait)
    // A further start that begins meanwhile does not prolong the wait.
    admission.willStart(3)
    var known = admission
    known.hasStarted(2, as: 52, at: 5)
    #expect(known.verdict(on: asked, start: 5, awaiting: awaited) == .admit(peer(1000, 52)))
    admission.hasStarted(2, as: nil, at: nil)
    #expect(admission.verdict(on: asked, start: 5, awaiting: awaited) == .refuse(.process))
  }

  // MARK: Keys

  // Clauses: S16.6
  @Test func `a key is admitted only in its role, and only over tcp`() throws {
    var admission = admission()
    let (client, worker, other) = (
      try CurveKey.generate().publicKey, try CurveKey.generate().publicKey, try CurveKey.generate().publicKey
    )
    admission.keys = try AuthorizedKeys(
      parsing: "# ours\nclient \(client.z85) desk\n\nworker \(worker.z85) tween.1\n", from: "keys")
    func verdict(_ key: CurveKey, _ domain: AdmissionDomain) -> Admission.Verdict {
      let request = AuthenticationRequest(domain: domain.rawValue, address: "10.0.0.1", proof: .curve(key))
      return admission.verdict(on: request, start: nil)
    }
    #expect(verdict(client, .remoteClients) == .admit(.key(client)))
    #expect(verdict(worker, .remoteWorkers) == .admit(.key(worker)))
    #expect(verdict(client, .remoteWorkers) == .refuse(.key))
    #expect(verdict(worker, .remoteClients) == .refuse(.key))
    #expect(verdict(other, .remoteClients) == .refuse(.key))
    #expect(verdict(client, .clients) == .refuse(.proof))
    #expect(verdict(worker, .workers) == .refuse(.proof))
    admission.keys = AuthorizedKeys()
    #expect(verdict(client, .remoteClients) == .refuse(.key))
  }

  @Test(arguments: ["clients", "workers", "clients-tcp", "workers-tcp", "", "else"])
  func `a peer without a key from another machine, or with a password, is refused`(domain: String) {
    let admission = admission(group: 7)
    for proof in [.none, .other("PLAIN"), .other("GSSAPI")] as [AuthenticationRequest.Proof] {
      let request = AuthenticationRequest(domain: domain, address: "127.0.0.1", proof: proof)
      #expect(admission.verdict(on: request, start: 1) == .refuse(.proof))
    }
  }

  // MARK: Reports

  // Clauses: S16.1
  @Test func `refusals for one reason are logged once in ten seconds, with the number left out`() {
    var log = RefusalLog()
    let asked = request(.workers)
    let first = log.line(for: asked, .process, at: .seconds(1))
    #expect(first?.contains("process 50 of user 1000") == true)
    for _ in 0..<3 { #expect(log.line(for: asked, .process, at: .seconds(2)) == nil) }
    #expect(log.line(for: asked, .user, at: .seconds(2)) != nil, "another reason has its own line")
    #expect(log.line(for: asked, .process, at: .seconds(11))?.contains("and 3 more") == true)
    #expect(log.line(for: asked, .process, at: .seconds(22))?.contains("more") == false)
  }

  @Test func `the start time of a process is read whatever its name contains`() {
    let rest = "S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 4242 20 21"
    for name in ["cat", "a b", "x) S 9 (y", ")", ""] { #expect(ProcessStart.time(in: "7 (\(name)) \(rest)") == 4242) }
    for line in ["", "7 (cat", "7 (cat) S 1", "7 (cat) " + "S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 x 20"] {
      #expect(ProcessStart.time(in: line) == nil)
    }
    #expect(ProcessStart.time(of: 1) != nil)
    #expect(ProcessStart.time(of: 0) == nil)
    #expect(ProcessStart.time(of: -1) == nil)
  }
}
