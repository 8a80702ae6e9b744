import MotionModel
import Testing
import ZeroMQ

@testable import MotionCoordinator

struct PriorityGrantsTests {
  private func highest(_ user: UInt32, _ grants: PriorityGrants) -> Int32 {
    grants.grant(of: .process(LocalPeer(userID: user, groupID: 5, processID: 7)), by: AuthorizedKeys()).highest
  }

  // Clauses: S16.22
  @Test func `without a setting, motiond's own user and root may state every priority, and others none above 0`() throws
  {
    for grants in [PriorityGrants(own: 1000), try PriorityGrants(nil, own: 1000)] {
      #expect([1000, 0, 1001].map { highest($0, grants) } == [100, 100, 0])
      #expect(grants.grant(of: nil, by: AuthorizedKeys()).highest == 0)
    }
    #expect(highest(0, PriorityGrants(own: 0)) == 100)
  }

  // Clauses: S16.22
  @Test func `users and keys have the priorities that the setting names`() throws {
    let key = try CurveKey.generate().publicKey
    let other = try CurveKey.generate().publicKey
    let keys = try AuthorizedKeys(parsing: "client \(key.z85) desk\nclient \(other.z85) wall", from: "keys")
    let grants = try PriorityGrants("user:1001=10, key:desk=50,users=3,keys=4 ,user:1000=20", own: 1000)
    #expect([1000, 0, 1001, 1002].map { highest($0, grants) } == [20, 100, 10, 3])
    #expect(grants.grant(of: .key(key), by: keys) == .init(highest: 50, holder: "key:desk"))
    #expect(grants.grant(of: .key(other), by: keys).highest == 4)
    #expect(grants.grant(of: .key(key), by: AuthorizedKeys()).highest == 4, "a name counts only while it is authorized")
    #expect(try PriorityGrants("key:desk=50", own: 1).grant(of: .key(other), by: keys).highest == 0)
  }

  @Test(arguments: [
    "", "5", "user=5", "user:=5", "user:a=5", "user:1=", "user:1=101", "user:1=-1", "key:=5", "keys:x=5", "gateway=3",
    "user:1=5,", "user:1=5 6", "user:1=5=6", "=5", ":=5",
  ])
  func `an entry that grants nothing is refused with the right form`(text: String) {
    let error = #expect(throws: StartError.self) { try PriorityGrants(text, own: 1) }
    #expect(error?.remedy.contains("user:1000=10") == true)
  }

  @Test(arguments: ["user:1=2,user:1=3", "users=1, users =1", "key:a=1,key:b=1,key:a=2"])
  func `a holder that is granted twice is refused`(text: String) {
    let error = #expect(throws: StartError.self) { try PriorityGrants(text, own: 1) }
    #expect("\(error.map { "\($0)" } ?? "")".contains("twice"))
  }

  // Clauses: S16.22
  @Test func `a transaction above the grant is refused at its highest priority`() throws {
    var transaction = Transaction()
    transaction.add(.springTo("x", 1).priority(5), to: "a")
    transaction.forget("b")
    transaction.add(.springTo("x", 1).priority(7), to: "a")
    let highest = try #require(HighestPriority(of: transaction))
    let grants = try PriorityGrants("users=6", own: 1)
    let refusal = #expect(throws: Refusal.self) { try grants.grant(of: nil, by: AuthorizedKeys()).check(highest) }
    #expect(refusal?.code.rawValue == "forbidden" && refusal?.operation == 2 && refusal?.field == "priority")
    #expect(refusal?.message.contains("7 is above 6") == true)
    #expect(refusal?.remedy.contains("--allow-priority users=7") == true)
    try PriorityGrants("users=7", own: 1).grant(of: nil, by: AuthorizedKeys()).check(highest)
    #expect(HighestPriority(of: Transaction(log: [.add(.springTo("x", 1).priority(-5), named: nil, to: "a")])) == nil)
  }
}
