import MotionModel

/// Delays and orders of targets, and scenes.
extension TransactionFileReader {
  /// A number of seconds, or a duration.
  mutating func readDelay(_ value: JSONValue?, field: String) -> Double? {
    guard let value else { return nil }
    switch value.content {
    case .number(let seconds) where (0...Limits.durationSeconds).contains(seconds): return seconds
    case .string(let text):
      if let duration = DurationText.duration(of: text), duration >= .zero { return duration / .seconds(1) }
    default: break
    }
    file.report(
      "\(value.inWords) is no delay", "Use seconds, or a duration such as \"300ms\".", field: field, at: value.offset)
    return nil
  }

  mutating func readOrder(_ value: JSONValue?) -> SpreadOrder? {
    guard let value, let text = file.text(value, field: "by") else { return nil }
    do {
      return try SpreadOrder(text)
    } catch {
      file.report(
        "\"\(error.text)\" is no order", TransactionFileReader.sentence(SpreadOrderError.rule), field: "by",
        at: value.offset)
      return nil
    }
  }

  /// `{"scene": "dusk", "targets": "lamp*"}` saves a scene; without targets it is gone.
  mutating func readScene(_ value: JSONValue) -> Selecting? {
    guard let members = file.members(of: value, known: ["scene", "targets"], required: ["targets"]),
      let name: SceneName = file.name(members["scene"], field: "scene"), let targets = members["targets"]
    else { return nil }
    if case .array(let elements) = targets.content, elements.isEmpty { return (.scene(name, Scene()), nil, nil) }
    return readTargets(targets, field: "targets").map { (.scene(name, Scene()), $0, nil) }
  }

  /// `{"recall": "dusk", "in": "2s"}` recalls a scene.
  mutating func readRecall(_ value: JSONValue) -> SceneRecall? {
    let errorsBefore = errors.count
    guard let members = file.members(of: value, known: ["recall", "in"]),
      let name: SceneName = file.name(members["recall"], field: "recall")
    else { return nil }
    let seconds = readDelay(members["in"], field: "in")
    guard errors.count == errorsBefore else { return nil }
    let recall = SceneRecall(name, seconds.map { .fade($0) } ?? .spring)
    do {
      try recall.check()
      return recall
    } catch {
      file.report(error.message, error.remedy, field: error.field, at: members["in"]?.offset ?? value.offset)
      return nil
    }
  }
}
