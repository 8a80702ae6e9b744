import MotionFiles
import MotionModel
import MotionTestKit
import Testing

@Suite struct CueListFileTests {
  private func read(_ text: String) throws -> CueListFile {
    try CueListFile(Array(text.utf8), named: "show.json", catalog: .builtIn())
  }

  private func errors(_ text: String) -> [FileError] {
    do {
      _ = try read(text)
      return []
    } catch {
      return (error as? FileErrors)?.errors ?? []
    }
  }

  // Clauses: S23.1
  @Test func `a list is read, and is written so that it is read as the same`() throws {
    let file = try read(
      """
      {"list": "rain", "timeline": "show/time", "cues": [
        {"scene": "dusk"},
        {"cue": "2.5", "scene": "night", "fade": "2s", "wait": 0.5, "follow": "3s", "at": 12.5},
        {"scene": "night", "fade": "0s"},
        {"cue": "flash", "at": "1min", "transaction": [
          {"add": {"type": "SpringTo", "property": "level", "destination": 1}, "to": "lamp*"}, {"recall": "dusk"}]}]}
      """)
    var (dusk, night, snap, flash) = (Transaction(), Transaction(), Transaction(), Transaction())
    dusk.recall(SceneRecall("dusk"))
    night.recall(SceneRecall("night", .fade(2)))
    snap.recall(SceneRecall("night", .fade(0)))
    flash.add(.springTo("level", 1), toEach: "lamp*")
    flash.recall(SceneRecall("dusk"))
    let list = CueList(
      [
        CueList.Cue("1", dusk), CueList.Cue("2.5", night, wait: 0.5, follow: 3, at: 12.5),
        CueList.Cue("3", snap), CueList.Cue("flash", flash, at: 60),
      ], timeline: PropertyReference("show", "time"))
    #expect(file == CueListFile(list, named: "rain"))
    #expect(try read(file.encoded()) == file)
    #expect(try read(#"{"cues": [{"transaction": []}]}"#) == CueListFile(CueList([CueList.Cue("1")]), named: "main"))
  }

  // Clauses: S23.2
  @Test(arguments: [
    (#"{"cues": []}"#, "at least one cue"), (#"{"list": "a b", "cues": [{"scene": "s"}]}"#, "cue list"),
    (#"{"cues": [{"cue": "1"}]}"#, "nothing to do"),
    (#"{"cues": [{"scene": "s", "transaction": []}]}"#, "a scene and operations"),
    (#"{"cues": [{"transaction": [], "fade": "1s"}]}"#, "only a scene fades"),
    (#"{"cues": [{"scene": "s", "fade": "-2s"}]}"#, "no delay"),
    (#"{"cues": [{"scene": "s", "wait": "-1s"}]}"#, "no delay"),
    (#"{"cues": [{"scene": "s", "follow": true}]}"#, "no delay"),
    (#"{"cues": [{"scene": "s", "at": 3}]}"#, "no timeline"),
    (#"{"timeline": "show", "cues": [{"scene": "s"}]}"#, "no property"),
    (#"{"timeline": "lamp*/x", "cues": [{"scene": "s"}]}"#, "no property"),
    (#"{"cues": [{"cue": "2", "scene": "s"}, {"scene": "s"}]}"#, "two cues"),
    (#"{"cues": [{"scene": "s", "fades": 1}]}"#, "there is no entry \"fades\""),
    (#"{"cues": [{"transaction": [{"add": {"type": "Unknown"}, "to": "a"}]}]}"#, "Unknown"),
    (#"{"cues": [{"transaction": [{"go": "main"}]}]}"#, "no operation"), (#"{"cues": {}}"#, "not accepted"),
    (#"{"cue": []}"#, "\"cues\" is missing"),
  ])
  func `what is no list is refused with its place`(text: String, problem: String) {
    let errors = errors(text)
    #expect(errors.contains { $0.description.contains(problem) }, "\(errors)")
    #expect(errors.allSatisfy { $0.description.hasPrefix("show.json:1:") })
  }
}
