import MotionFiles
import MotionModel

/// Why a property has its value, as sentences for people.
struct ExplanationReport {
  private let explanation: Explanation
  private let wallTime: Int64?
  private let style: Style

  /// - Parameter wallTime: the wall clock at the moment of the explanation; `nil` if it is not known.
  init(_ explanation: Explanation, wallTime: Int64?, style: Style) {
    (self.explanation, self.wallTime, self.style) = (explanation, wallTime, style)
  }

  /// The report: a heading, the state, and paragraphs of sentences.
  func lines(width: Int) -> [String] {
    let property = explanation.property
    let wall = wallTime.map { " (\(WallTimeText.text($0)))" } ?? ""
    let heading =
      "\(style.bold(property.reference.description)) at \(seconds(explanation.time))\(wall), frame \(explanation.frame)"
    let state =
      "value \(NumberText.lanes(property.state.value)), velocity \(NumberText.lanes(property.state.velocity)) per second"
    return [heading, state] + (driver + together).flatMap { paragraph($0, width) }
      + troubles.flatMap { paragraph($0, width).map(style.yellow) }
      + (former + following).flatMap { paragraph($0, width) }
  }

  /// A text of any content, wrapped.
  private func paragraph(_ text: String, _ width: Int) -> [String] {
    let lines = text.shownOnOneLine.wrapped(to: max(20, width - 2))
    return lines.enumerated().map { ($0.offset == 0 ? "- " : "  ") + $0.element }
  }

  // MARK: The driver

  private var driver: [String] {
    guard let plan = explanation.plan else {
      return explanation.property.driver == nil ? ["Nothing drives it. \(rest)"] : ["Its driver has no plan any more."]
    }
    var text = "\(described(plan)) drives it"
    text +=
      explanation.since.map { " since \(moment($0))" } ?? ", since before the last start or the beginning of the replay"
    text += plan.kind == .manipulation ? ", held by a hand." : "."
    if let began = explanation.began, explanation.since.map({ abs($0 - began) > 1e-6 }) ?? true {
      text += " Its time began at \(seconds(began))."
    }
    var sentences = [text]
    let fields = FieldText.arguments(of: plan.intention)
    if !fields.isEmpty { sentences.append("Its fields: \(fields)" + (plan.inputText.map { " (\($0))" } ?? "") + ".") }
    for ancestor in explanation.ancestors { sentences.append("It was emitted by \(described(ancestor)).") }
    sentences.append("\(origin(plan.provenance, plan.identity)).")
    if let worker = explanation.worker {
      sentences.append("Its executor \(plan.executor) runs in the worker \(worker.address).")
    }
    return [sentences.joined(separator: " ")]
  }

  private var rest: String {
    explanation.property.state.velocity.storage == .zero ? "It stands." : "It slows down."
  }

  private var together: [String] {
    guard !explanation.together.isEmpty else { return [] }
    let plans = explanation.together.map { "\(described($0)) of \(client($0.provenance))" }
    return ["Together with it, \(list(plans)) \(plans.count == 1 ? "moves" : "move") the property: forces add up."]
  }

  // MARK: What is not as usual

  private var troubles: [String] {
    var troubles: [String] = []
    if let plan = explanation.plan, plan.state == .owed {
      troubles.append("The plan has not been delivered: \(absence)")
    }
    if let worker = explanation.worker, !worker.isServing, explanation.plan?.state != .owed { troubles.append(absence) }
    if let mover = explanation.mover {
      troubles.append("The first value of the driver has not arrived: \(mover) still moves the property until then.")
    }
    switch explanation.lateness {
    case .silent(let since)?:
      troubles.append(
        "No value of the driver has arrived since \(moment(since)). Meanwhile the property slows down, and stands.")
    case .behind(let frames)?:
      troubles.append("The values of the driver arrive \(frames == 1 ? "1 frame" : "\(frames) frames") late.")
    case .retreating?:
      troubles.append("Its worker was lost: the property goes to the place that its limits state for that.")
    case .catchingUp?: troubles.append("The driver was late or gone, and is back: the property catches up with it.")
    case nil: break
    }
    if let fading = explanation.fading {
      troubles.append("The difference of a hand-over still fades, for \(NumberText.brief(fading)).")
    }
    troubles += limits
    return troubles
  }

  private var absence: String {
    guard let worker = explanation.worker else { return "its worker is not ready." }
    guard worker.quarantine.isEmpty else {
      return "The plugin \(worker.address.plugin) is quarantined: \(worker.quarantine)."
    }
    return "The worker \(worker.address) is not there: it has ended, or has not started yet."
  }

  private var limits: [String] {
    guard let demand = explanation.property.demand else { return [] }
    let names = explanation.restraints.map(\.rawValue)
    let which = names.isEmpty ? "Its limits hold" : "The limit of \(list(names)) holds"
    let setting = explanation.property.limits.map { " (\($0))" } ?? ""
    return [
      "\(which) it back\(setting): its driver demands the value \(NumberText.lanes(demand.value)) with the velocity "
        + "\(NumberText.lanes(demand.velocity))."
    ]
  }

  // MARK: Before and after

  private var former: [String] {
    guard let former = explanation.former else { return [] }
    let plan =
      "\(former.type)\(former.name.map { " \"\($0)\"" } ?? "") (plan \(former.identity), of \(client(former.provenance)))"
    let isTakenOver = explanation.since.map { abs($0 - former.time) < 1e-6 } ?? false
    switch former.end {
    case .displaced where isTakenOver: return ["It took over from \(plan)."]
    case .removed where isTakenOver: return ["It replaced \(plan), which was removed at that moment."]
    case .displaced: return ["Before, \(plan) drove it, until another plan took over at \(seconds(former.time))."]
    case .removed: return ["Before, \(plan) drove it, until it was removed at \(moment(former.time))."]
    case .stopped:
      let stopper = former.stopper.map { " by \($0)" } ?? ""
      return ["Before, \(plan) drove it, until it was stopped\(stopper) at \(moment(former.time))."]
    case .completed: return ["Before, \(plan) drove it, until it was completed at \(moment(former.time))."]
    case .failed: return ["Before, \(plan) drove it, until it failed at \(moment(former.time))."]
    }
  }

  private var following: [String] {
    let begun = explanation.waiting.filter { $0.state != .waiting }
    let others = explanation.waiting.filter { $0.state == .waiting && $0.begins == nil }
    let later = explanation.waiting.filter { $0.begins != nil }
    var lines: [String] = []
    if let next = begun.first {
      lines.append(
        "When \(explanation.plan == nil ? "nothing holds it" : "that ends"), \(described(next)) of "
          + "\(client(next.provenance)) continues: \(FieldText.arguments(of: next.intention)).")
    }
    if begun.count > 1 { lines.append("After that: \(list(begun.dropFirst().map(described))).") }
    if !others.isEmpty {
      let plans = list(others.map { "\(described($0)) of \(client($0.provenance))" })
      lines.append(
        "\(plans) \(others.count == 1 ? "has" : "have") not begun: a plan of a higher priority, or a hand, comes first."
      )
    }
    lines += later.map { plan in
      "\(described(plan)) of \(client(plan.provenance)) begins at \(plan.begins.map(moment) ?? "a later time")."
    }
    if lines.isEmpty, explanation.plan != nil { lines.append("No other plan waits for it.") }
    return lines
  }

  // MARK: Words

  private func described(_ plan: IntentionRow) -> String {
    let name = plan.name.map { " \"\($0)\"" } ?? ""
    let priority = plan.intention.priority == 0 ? "" : ", priority \(plan.intention.priority)"
    return "\(plan.intention.type)\(name) (plan \(plan.identity)\(priority))"
  }

  private func origin(_ provenance: Provenance?, _ identity: IntentionIdentity) -> String {
    guard let provenance else { return "Transaction \(identity.sequence) is of a client that is not known" }
    let comment = provenance.comment.isEmpty ? "" : ", with the comment \"\(provenance.comment)\""
    return "Transaction \(identity.sequence) was committed by \(provenance) at "
      + "\(WallTimeText.text(provenance.wallTime))\(comment)"
  }

  private func client(_ provenance: Provenance?) -> String { provenance?.description ?? "an unknown client" }

  private func moment(_ time: Double) -> String {
    let ago = explanation.time - time
    return "\(seconds(time))" + (ago >= 0 ? ", \(NumberText.brief(ago)) ago" : "")
  }

  private func seconds(_ time: Double) -> String { "\(NumberText.fixed(time, digits: 3)) s" }

  private func list(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " and " + last
  }
}
