import ArgumentParser
import MotionClient
import MotionFiles
import MotionModel

/// `motionctl limit`
struct Limit: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Limit a property, whatever drives it.",
    usage: "motionctl limit <target> property=<name> [range=<lower>..<upper>] [<limit=number> ...]",
    discussion: """
      Limits are range, velocity (per second), acceleration (per second squared) and jerk (per second cubed). Each is \
      one number for all lanes, or one for each lane, separated by commas. They replace all former limits of the \
      property, which need not exist yet. "none" lifts them all, also the natural range of opacity and color; \
      without any limit, only the natural range is left. "motionctl list properties" shows limits, and the demand of a \
      driver that they hold back. onLost says where the property goes when the worker that moves it is lost: "hold" (also \
      without it), "rest 0", or "ramp 0 in 2s". Limits are no safety function. --target is another spelling.

      EXAMPLES
        motionctl limit head property=angle range=-1..1 velocity=2 acceleration=8
        motionctl limit head property=position velocity=2,1 acceleration=8 jerk=60
        motionctl limit lamp property=level onLost="ramp 0 in 2s"
        motionctl limit head property=angle none
        motionctl limit 'head*' property=angle velocity=2
      """)

  @OptionGroup var commit: SingleCommitOptions

  @OptionGroup var options: TargetOptions

  @Argument(
    help: ArgumentHelp("The targets, property=NAME, and the limits or \"none\".", valueName: "target|limit=number"))
  var words: [String] = []

  /// The words by their meaning.
  private struct Request {
    var targets: [TargetSelector]
    var property: PropertyName?
    var isNone = false
    var members: [JSONOutput.Member] = []
  }

  private static let limits = ["range", "velocity", "acceleration", "jerk", "onLost"]

  private func request() throws -> Request {
    var request = Request(targets: options.named)
    for word in words {
      guard let equals = word.firstIndex(of: "=") else {
        if word == "none" { request.isNone = true } else { request.targets.append(try parsedSelector(word)) }
        continue
      }
      let (key, text) = (String(word[..<equals]), String(word[word.index(after: equals)...]))
      guard key != "property" else {
        guard request.property == nil else { throw ValidationError("name one property") }
        request.property = try parsedName(text)
        continue
      }
      guard Self.limits.contains(key) else {
        throw ValidationError(
          "there is no limit \"\(key)\": "
            + NearestName.remedy(for: key, among: Self.limits + ["property"], plural: "limits"))
      }
      guard !request.members.contains(where: { $0.key == key }) else {
        throw ValidationError("\(key) is given twice")
      }
      request.members.append(.init(key: key, value: try Self.value(of: key, text)))
    }
    return request
  }

  private static func value(of key: String, _ text: String) throws -> JSONOutput {
    guard key != "onLost" else { return .text(text) }
    let lanes = text.split(separator: ",", omittingEmptySubsequences: false)
    if key == "range" {
      let pairs = try lanes.map { lane in
        guard let dots = lane.firstRange(of: ".."), let lower = Double(lane[..<dots.lowerBound]),
          let upper = Double(lane[dots.upperBound...]), lower.isFinite, upper.isFinite
        else { throw ValidationError("write a range as range=-1..1, for several lanes range=-1..1,0..2") }
        return JSONOutput.list([.number(lower), .number(upper)])
      }
      return pairs.count == 1 ? pairs[0] : .list(pairs)
    }
    let numbers = try lanes.map { lane in
      guard let number = Double(lane), number.isFinite else {
        throw ValidationError("write \(key) as a number, such as \(key)=2, or one for each lane: \(key)=2,1")
      }
      return JSONOutput.number(number)
    }
    return numbers.count == 1 ? numbers[0] : .list(numbers)
  }

  func validate() throws {
    let request = try request()
    guard !request.targets.isEmpty, request.property != nil else {
      throw ValidationError("name a target and a property, as in motionctl limit head property=angle velocity=2")
    }
    guard !request.isNone || request.members.isEmpty else { throw ValidationError("\"none\" excludes limits") }
    try checkDistinct(request.targets)
  }

  func run() throws {
    let request = try request()
    try commit.commit(try transaction(request), try commit.connection.client())
  }

  /// The one operation for each target, with the checks of a transaction file.
  private func transaction(_ request: Request) throws(Failure) -> Transaction {
    let limit: JSONOutput = request.isNone ? .text("none") : .object(request.members)
    let property = request.property?.text ?? ""
    let file: JSONOutput = [
      "transaction": .list(
        TargetSelector.operations(request.targets).map {
          ["limit": limit, "property": .text(property), "on": .text($0.text)]
        })
    ]
    do {
      return try TransactionFile(Array(file.line.utf8), named: "the arguments", catalog: IntentionCatalog()).transaction
    } catch {
      let place = error.errors[0].field.map { "\($0): " } ?? ""
      throw Failure(.usage, place + error.errors[0].message, remedy: error.errors[0].remedy)
    }
  }
}
