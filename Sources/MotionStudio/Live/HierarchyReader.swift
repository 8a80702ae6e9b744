import LinuxSystem
import MotionClient
import MotionCore
import MotionFiles
import MotionHistory
import MotionModel
import MotionWire

/// Reads rows of the hierarchy for a viewer. Belongs to one thread.
///
/// The lists of all targets and properties are kept for ten times as long as it took to read them. Meanwhile the present
/// properties of a page are read anew.
final class HierarchyReader {
  /// How long lists are kept at least, and how many times as long as they took to read.
  private static let keptTime = Duration.milliseconds(800)
  private static let keptShare = 10
  /// How long those of the past are kept. The history may have been erased meanwhile.
  private static let keptPastTime = Duration.seconds(5)

  private struct Kept {
    var table: HierarchyTable
    let moment: RecordedMoment?
    /// The client that they are from, if they are of the present.
    let client: MotionClient?
    /// The frame that they are of, if they are of the past.
    let place: JSONOutput
    /// Until when they are shown as they are, and until when they are kept.
    let (fresh, until): (Duration, Duration)
  }

  private let past: PastReader
  private var kept: Kept?

  /// - Parameter past: reads moments of the past, and has the connection to motiond.
  init(_ past: PastReader) { self.past = past }

  /// Lets go of what was read.
  func drop() { kept = nil }

  /// Reads the rows of a page.
  func page(_ request: HierarchyTable.Request, at moment: RecordedMoment?) throws -> JSONOutput {
    guard let moment else { return try page(request, of: past.connected()).json }
    var lists = try usable(at: moment, from: nil) ?? read(moment)
    defer { kept = lists }
    return lists.table.page(request).json.joined(with: lists.place)
  }

  /// Reads the rows of a page of the present.
  private func page(_ request: HierarchyTable.Request, of client: MotionClient) throws -> HierarchyTable.Page {
    var lists = try usable(at: nil, from: client) ?? read(client)
    let page = lists.table.page(request)
    kept = lists
    return BootClock.now < lists.fresh ? page : try refreshed(page, by: client)
  }

  /// Takes out what is kept, if it is of this moment or, of the present, from this client. A table that is not copied is
  /// changed in place.
  private func usable(at moment: RecordedMoment?, from client: MotionClient?) -> Kept? {
    guard let lists = kept.take(), lists.moment == moment, lists.client === client, BootClock.now < lists.until else {
      return nil
    }
    return lists
  }

  private func read(_ client: MotionClient) throws -> Kept {
    let begin = BootClock.now
    let table = HierarchyTable(try client.rows(TargetRow.self), try client.rows(PropertyRow.self))
    let end = BootClock.now
    return Kept(
      table: table, moment: nil, client: client, place: [:], fresh: begin + Self.keptTime,
      until: max(begin + Self.keptTime, end + (end - begin) * Self.keptShare))
  }

  private func read(_ moment: RecordedMoment) throws -> Kept {
    let timeline = try past.timeline(at: moment)
    guard case .targets(let targets)? = try timeline.runtime.answer(.targets),
      case .properties(let properties)? = try timeline.runtime.answer(.properties(nil))
    else { throw PastReader.missing }
    let until = BootClock.now + Self.keptPastTime
    return Kept(
      table: try HierarchyTable(EncodedRows(targets), EncodedRows(properties)), moment: moment, client: nil,
      place: past.place(timeline), fresh: until, until: until)
  }

  /// The page with the present values of its properties.
  private func refreshed(_ page: HierarchyTable.Page, by client: MotionClient) throws -> HierarchyTable.Page {
    var present: [TargetName: [PropertyRow]] = [:]
    var page = page
    for index in page.rows.indices {
      guard case .property(let row) = page.rows[index] else { continue }
      let target = row.reference.target
      let rows = try present[target] ?? properties(of: target, by: client)
      present[target] = rows
      if let now = rows.first(where: { $0.reference == row.reference }) { page.rows[index] = .property(now) }
    }
    return page
  }

  /// The properties of a target; none if it was forgotten.
  private func properties(of target: TargetName, by client: MotionClient) throws -> [PropertyRow] {
    do throws(MotionClientError) {
      return try client.properties(of: target)
    } catch  where error.refusal?.code == .notFound {
      return []
    }
  }
}
