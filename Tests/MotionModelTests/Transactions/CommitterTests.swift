import MotionModel
import Testing

struct CommitterTests {
  @Test func descriptionNamesAClientByUserAndProcessWhereItHasNoName() {
    #expect(Committer(name: "desk", user: 7, process: 4711).description == "desk (user 7, process 4711)")
    #expect(Committer(user: 7, process: 4711).description == "a client (user 7, process 4711)")
    #expect(Committer(name: "").description == "a client without a name")
  }
}
