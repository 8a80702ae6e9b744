import MotionModel
import Testing

@testable import MotionCoordinator

struct InspectionsTests {
  private let tween = WorkerAddress("tween", 0)
  private let gesture = WorkerAddress("gesture", 0)
  private let plan = IntentionIdentity(sequence: 1, operation: 0)
  private let start = Duration.seconds(100)

  private var report: StreamReport {
    StreamReport([StreamReport.Plan(plan, [StreamDescription("x", calls: ["swing"])])])
  }

  private func asked() -> Inspections<String> {
    var inspections = Inspections<String>()
    inspections.begin("ball", for: "me", request: 7, asking: [tween: 3, gesture: 5], at: start)
    return inspections
  }

  @Test func `an inspection is answered when all workers have answered`() throws {
    var inspections = asked()
    #expect(inspections.nextDeadline == start + .milliseconds(500))
    inspections.heard(report, from: tween, number: 3) { _ in true }
    #expect(inspections.take(at: start).isEmpty)
    inspections.heard(StreamReport(), from: gesture, number: 5) { _ in true }
    let question = try #require(inspections.take(at: start).first)
    #expect(question.client == "me" && question.request == 7 && question.target == "ball")
    #expect(question.streams == [plan: [StreamDescription("x", calls: ["swing"])]])
    #expect(question.remarks == [])
    #expect(inspections.take(at: start + .seconds(9)).isEmpty)
    #expect(inspections.nextDeadline == nil)
  }

  @Test func `a worker that does not answer in time is named`() throws {
    var inspections = asked()
    inspections.heard(StreamReport(), from: gesture, number: 5) { _ in true }
    #expect(inspections.take(at: start + .milliseconds(499)).isEmpty)
    let question = try #require(inspections.take(at: start + .milliseconds(500)).first)
    #expect(question.remarks == ["tween.0 did not describe its streams within 0.5 seconds"])
    inspections.heard(report, from: tween, number: 3) { _ in true }
    #expect(inspections.take(at: start + .seconds(1)).isEmpty, "a late word is nobody's")
  }

  @Test func `an inspection does not wait for a worker that is gone`() throws {
    var inspections = asked()
    inspections.lost(tween)
    inspections.lost(tween)
    inspections.heard(report, from: gesture, number: 5) { _ in true }
    let question = try #require(inspections.take(at: start).first)
    #expect(question.remarks == ["tween.0 ended before it described its streams"])
  }

  @Test func `unrequested reports, and reports about plans of others, are ignored`() throws {
    var inspections = asked()
    inspections.heard(report, from: tween, number: 4) { _ in true }
    inspections.heard(report, from: WorkerAddress("tween", 1), number: 3) { _ in true }
    #expect(inspections.take(at: start).isEmpty)
    inspections.heard(StreamReport(report.plans, isCut: true), from: tween, number: 3) { _ in false }
    inspections.heard(report, from: gesture, number: 5) { _ in false }
    let question = try #require(inspections.take(at: start).first)
    #expect(question.streams == [:])
    #expect(question.remarks == ["tween.0 has more streams than one description can contain"])
  }

  @Test func `the number of waiting inspections is limited`() {
    var inspections = Inspections<Int>()
    for number in 0..<Inspections<Int>.limit {
      #expect(!inspections.isFull)
      inspections.begin(nil, for: number, request: 1, asking: [tween: UInt64(number)], at: start)
    }
    #expect(inspections.isFull)
    #expect(inspections.take(at: start + .seconds(1)).map(\.client) == Array(0..<Inspections<Int>.limit))
    #expect(!inspections.isFull)
  }
}
