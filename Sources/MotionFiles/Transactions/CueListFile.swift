public import MotionModel

/// A list of cues as a file.
///
///     {"list": "main", "timeline": "show/time", "cues": [
///       {"cue": "1", "scene": "dusk", "fade": "2s", "follow": "5s"},
///       {"cue": "2", "scene": "night", "wait": "500ms", "at": 12.5},
///       {"cue": "blackout", "transaction": [{"add": {"type": "SpringTo", "property": "level", "destination": 0}, "to": "lamp*"}]}
///     ]}
///
/// Each cue recalls a `scene`, in the time `fade` or by springs, or has the operations of a ``TransactionFile``. A cue
/// without a name is called by its number, from 1. All other members are optional: `wait` is the time from its `go` to its
/// beginning, `follow` that from its beginning to the `go` of the next cue, and `at` its place on the `timeline`, a
/// property.
public struct CueListFile: Hashable, Sendable {
  /// The list.
  public var list: CueList
  /// Its name.
  public var name: CueListName

  /// The name of a list without one.
  public static let usualName: CueListName = "main"

  /// Creates the file of a list.
  public init(_ list: CueList, named name: CueListName = usualName) { (self.list, self.name) = (list, name) }

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - bytes: the file's contents: JSON in UTF-8, at most ``/MotionModel/Limits/transactionFileBytes``.
  ///   - name: the file's name, for the errors.
  ///   - catalog: the known types of intentions; it decides how each JSON value is interpreted.
  /// - Throws: ``FileErrors`` with all errors: field, line, column and remedy.
  public init(_ bytes: [UInt8], named name: String, catalog: IntentionCatalog) throws(FileErrors) {
    var reader = CueListFileReader(
      TransactionFileReader(
        try FileReader(bytes, named: name, limit: Limits.transactionFileBytes), catalog: catalog))
    let file = reader.read()
    guard reader.errors.isEmpty, let file else { throw FileErrors(reader.errors) }
    self = file
  }

  /// Returns the file's text, one cue a line.
  public func encoded() -> String {
    let cues = list.cues.map { "  " + $0.layout.line }.joined(separator: ",\n")
    return "{\(head.map { "\"\($0.key)\": \($0.value.line), " }.joined())\"cues\": [\n\(cues)\n]}\n"
  }

  private var head: [(key: String, value: JSONLayout)] {
    [(key: "list", value: .text(name.text))]
      + (list.timeline.map { [(key: "timeline", value: .text("\($0.target)/\($0.property)"))] } ?? [])
  }

  /// The file as a value.
  var layout: JSONLayout { .object(head + [(key: "cues", value: .array(list.cues.map(\.layout)))]) }
}

extension CueList.Cue {
  /// The cue in the form of a file.
  fileprivate var layout: JSONLayout {
    var members = [(key: "cue", value: JSONLayout.text(name.text))]
    if content.log.count == 1, let recall = content.recalls[0] {
      members.append((key: "scene", value: .text(recall.scene.text)))
      if case .fade(let seconds) = recall.transition { members.append((key: "fade", value: .number(seconds))) }
    } else {
      members.append((key: "transaction", value: .array(content.layouts)))
    }
    if wait != 0 { members.append((key: "wait", value: .number(wait))) }
    if let follow { members.append((key: "follow", value: .number(follow))) }
    if let at { members.append((key: "at", value: .number(at))) }
    return .object(members)
  }
}

/// Reads a list of cues out of a JSON file.
private struct CueListFileReader {
  private var reader: TransactionFileReader

  init(_ reader: TransactionFileReader) { self.reader = reader }

  var errors: [FileError] { reader.errors }

  mutating func read() -> CueListFile? {
    let root = reader.file.root
    guard let members = reader.file.members(of: root, known: ["list", "timeline", "cues"], required: ["cues"]) else {
      return nil
    }
    let name: CueListName? = reader.file.name(members["list"], field: "list")
    var list = CueList(timeline: readTimeline(members["timeline"]))
    var names: Set<CueName> = []
    let values = reader.file.elements(members["cues"], field: "cues", most: Limits.cuesPerList)
    if values?.isEmpty == true, let cues = members["cues"] {
      reader.file.report("a list has at least one cue", "Add one.", field: "cues", at: cues.offset)
    }
    for (index, value) in (values ?? []).enumerated() where !reader.file.isFull {
      guard let cue = readCue(value, number: index + 1) else { continue }
      if !names.insert(cue.name).inserted {
        reader.file.report("two cues have the name \"\(cue.name)\"", "Give each its own.", at: value.offset)
      }
      if cue.at != nil, list.timeline == nil {
        reader.file.report(
          "cue \"\(cue.name)\" has a place, and the list has no timeline",
          "Add \"timeline\": \"target/property\".", field: "at", at: value.member("at")?.offset ?? value.offset)
      }
      list.cues.append(cue)
    }
    if list.operations > Limits.operationsPerCueList {
      reader.file.report(
        "the cues have \(list.operations) operations together",
        "Use at most \(Limits.operationsPerCueList), or scenes.",
        field: "cues", at: root.offset)
    }
    return CueListFile(list, named: name ?? CueListFile.usualName)
  }

  private mutating func readTimeline(_ value: JSONValue?) -> PropertyReference? {
    guard let value, let text = reader.file.text(value, field: "timeline") else { return nil }
    if let reference = try? ShortForm.property(text) { return reference }
    reader.file.report(
      "this is no property", "Use a target and a property, such as \"show/time\".", field: "timeline",
      at: value.offset)
    return nil
  }

  private mutating func readCue(_ value: JSONValue, number: Int) -> CueList.Cue? {
    let errorsBefore = errors.count
    let known = ["cue", "scene", "fade", "transaction", "wait", "follow", "at"]
    guard let members = reader.file.members(of: value, known: known),
      let name: CueName = members.has("cue")
        ? reader.file.name(members["cue"], field: "cue") : try? CueName("\(number)")
    else { return nil }
    var cue = CueList.Cue(name)
    if members.has("scene") == members.has("transaction") {
      reader.file.report(
        "cue \"\(name)\" has \(members.has("scene") ? "a scene and operations" : "nothing to do")",
        "Give it a \"scene\", or the operations of a \"transaction\".", at: value.offset)
    }
    if members.has("fade"), !members.has("scene") {
      reader.file.report(
        "only a scene fades", "Use Tweens in the transaction.", field: "fade",
        at: members["fade"]?.offset ?? value.offset)
    }
    if let scene: SceneName = reader.file.name(members["scene"], field: "scene") {
      let fade = reader.readDelay(members["fade"], field: "fade")
      cue.content.recall(SceneRecall(scene, fade.map { .fade($0) } ?? .spring))
    } else {
      // Each cue begins with properties of its own: one may follow another that has made them.
      reader.lanes = [:]
      cue.content = reader.readOperations(members["transaction"])
      reader.file.operation = nil
    }
    cue.wait = reader.readDelay(members["wait"], field: "wait") ?? 0
    cue.follow = reader.readDelay(members["follow"], field: "follow")
    if let at = members["at"] {
      switch at.content {
      case .number(let place): cue.at = place
      default: cue.at = reader.readDelay(at, field: "at")
      }
    }
    return errors.count == errorsBefore ? cue : nil
  }
}
