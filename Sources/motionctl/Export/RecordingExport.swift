import MotionCore
import MotionHistory
import MotionModel
import MotionWire

/// Passes the parts of a recording that is replayed to an output.
struct RecordingExport {
  /// Times closer than this, in seconds, count as equal: far less than a frame, far more than rounding.
  private static let sameTime = 1e-9

  /// The properties whose values are exported; none if there are none.
  private var filter: PlaceFilter
  /// The most samples of a property in a second of simulated time; `nil` for each change.
  let rate: Double?
  /// The number of frames.
  private(set) var frames = 0
  /// The first frame whose replay differs from the recording.
  private(set) var difference: UInt64?
  /// Whether a property found no room in the output.
  private(set) var isFull = false

  /// The places of which no property was found.
  var missing: [WatchedPlace] { filter.missing }

  private let makeOutput: (RecordingHeader, Int64) -> any ExportOutput
  private var header: RecordingHeader?
  /// Made with the first frame, of which the time is known.
  private var output: (any ExportOutput)?
  private var last: RecordedFrame?
  /// The states that changed and are not exported yet, in the order of their first change.
  private var changed: [PropertyReference: PropertyState] = [:]
  private var order: [PropertyReference] = []
  private var initialDrivers: [PropertyReference: String] = [:]
  /// The number of the last sample's period of time.
  private var period = -Double.infinity

  /// Prepares an export.
  init(
    _ places: [WatchedPlace], rate: Double?, to makeOutput: @escaping (RecordingHeader, Int64) -> any ExportOutput
  ) {
    (filter, self.rate, self.makeOutput) = (PlaceFilter(places), rate, makeOutput)
  }

  /// Begins with the initial state.
  mutating func begin(_ header: RecordingHeader, _ runtime: Runtime) {
    self.header = header
    guard !filter.places.isEmpty else { return }
    runtime.log.keeps = [.drivers, .limits]
    for change in runtime.allProperties { take(change.state, of: change.reference, in: runtime) }
    guard case .properties(let rows)? = try? runtime.answer(.properties(nil)),
      case .intentions(let plans)? = try? runtime.answer(.intentions(nil))
    else { return }
    let names = Dictionary(plans.map { ($0.identity, $0) }) { $1 }
    for row in rows where filter.contains(row.reference, in: runtime) {
      guard let executor = row.driver, let identity = row.because.last, let plan = names[identity] else { continue }
      initialDrivers[row.reference] = SampleMessage.text(
        of: DriverChange.Driver(
          executor: executor, identity: identity, type: plan.intention.type, name: plan.name))
    }
  }

  /// Exports a frame that was replayed.
  mutating func take(_ played: RecordingCursor.Played) {
    let (recorded, runtime) = (played.recorded, played.runtime)
    frames += 1
    // While nothing moves there are no frames: the state of rest is sampled at its beginning.
    if let last, recorded.frame.start > last.frame.time + Self.sameTime { sample(last) }
    last = recorded
    if difference == nil { difference = played.difference?.frame }
    makeOutputIfNeeded(recorded)
    output?.add(recorded)
    guard !filter.places.isEmpty else { return }
    for event in recorded.betweenFrames + recorded.events {
      if let text = EventText.text(of: event, in: recorded) { output?.add(event: text, in: recorded) }
    }
    for record in runtime.log.take() {
      for change in record.drivers where filter.contains(change.reference, in: runtime) {
        output?.add(
          driver: SampleMessage.text(of: change.driver), of: change.reference, from: change.time, in: recorded)
      }
      for change in record.changes {
        if let text = EventText.text(of: change.change) { output?.add(event: text, in: recorded) }
      }
    }
    for change in runtime.changes { take(change.state, of: change.reference, in: runtime) }
    guard isDue(recorded.frame.time) else { return }
    sample(recorded)
  }

  /// Ends the export.
  mutating func finish() {
    if let last { sample(last) }
    if output == nil, let header { output = makeOutput(header, 0) }
    output?.finish()
  }

  /// The bytes since the last call.
  mutating func bytes() -> [UInt8] { output?.take() ?? [] }

  private mutating func makeOutputIfNeeded(_ first: RecordedFrame) {
    guard output == nil, let header else { return }
    output = makeOutput(header, first.clocks?.wallTime ?? 0)
    for (reference, driver) in initialDrivers.sorted(by: { $0.key < $1.key }) {
      output?.add(driver: driver, of: reference, from: first.frame.start, in: first)
    }
  }

  private mutating func take(_ state: PropertyState, of reference: PropertyReference, in runtime: Runtime) {
    guard filter.contains(reference, in: runtime) else { return }
    if changed.updateValue(state, forKey: reference) == nil { order.append(reference) }
  }

  /// Whether a sample is due; of each period of the rate the first frame is sampled.
  private mutating func isDue(_ time: Double) -> Bool {
    guard let rate else { return true }
    let period = (time * rate).rounded(.down)
    guard period > self.period else { return false }
    self.period = period
    return true
  }

  private mutating func sample(_ frame: RecordedFrame) {
    for reference in order {
      guard let state = changed[reference] else { continue }
      if output?.add(state, of: reference, after: frame) == false { isFull = true }
    }
    changed.removeAll(keepingCapacity: true)
    order.removeAll(keepingCapacity: true)
  }
}
