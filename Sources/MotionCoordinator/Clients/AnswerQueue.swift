import MotionCore
import MotionModel

/// The queue of long answers that clients wait for: the order of turns, and the progress. This type only decides; its
/// owner acts.
///
/// One answer is made at a time, a slice of rows in each turn of the loop, so that the answer in progress takes the
/// memory of one. Clients take turns: a client with long queries delays only itself. Between two slices the loop is
/// free for as long as the slice took (``rest(after:at:)``); otherwise it would have no time left when a frame is due
/// on a busy machine.
struct AnswerQueue<Client: Hashable> {
  /// Rows in a slice: some 200 µs, a fifth of the period at the highest rate.
  static var rowsPerSlice: Int { 512 }
  /// Rows that are made between two reads of the clock: some 30 µs, by which a frame that is due may be late.
  static var rowsAtATime: Int { 64 }
  /// Rows that were made and wait to be encoded: eight slices, which take at most as many megabytes as a few answers.
  static var rowsUnencoded: Int { 4096 }
  /// The most answers that wait at a time: as many as people look at one daemon, with room to spare.
  static var limit: Int { 64 }
  /// The most of one client, which may be a gateway with many clients of its own; the others have room left.
  static var limitOfClient: Int { 32 }

  /// The query of a client.
  struct Question {
    let client: Client
    let request: UInt64
    let query: Query
    /// The connection that it came by, if that is known: when it is closed, the answer is dropped.
    var connection: Int32?
    /// For a graph: the streams that workers reported.
    var streams: [IntentionIdentity: [StreamDescription]] = [:]
    var remarks: [String] = []
  }

  /// An action for an answer.
  enum Action {
    /// Encode these rows.
    case encode(AnswerPiece, of: UInt64, to: Query)
    /// All its rows are made: put the message together, and send it.
    case finish(UInt64, Question, frames: ClosedRange<UInt64>)
    /// Drop the encoded part.
    case forget(UInt64)
    /// Refuse the client's query, with the reason.
    case refuse(Question, Refusal)
  }

  /// The answer that is being made.
  private struct Making {
    let number: UInt64
    let question: Question
    let inspection: RuntimeInspection
  }

  private var waiting: [Question] = []
  private var making: Making?
  /// Answers whose rows are all made, until their message is ready.
  private var finishing: [UInt64: Question] = [:]
  private var lastNumber: UInt64 = 0
  private var lastClient: Client?
  private var unencoded = 0
  private var nextSlice = Duration.zero

  /// When the next slice has to be made; `nil` when there is nothing to make, or the encoder has enough.
  var deadline: Duration? {
    guard making != nil || !waiting.isEmpty, unencoded < Self.rowsUnencoded else { return nil }
    return nextSlice
  }

  /// How many answers wait, or are being made.
  var count: Int { waiting.count + (making == nil ? 0 : 1) + finishing.count }

  private var all: [Question] { waiting + (making.map { [$0.question] } ?? []) + finishing.values }

  /// Queues a query. A resend of a query that still waits changes nothing.
  ///
  /// - Throws: the refusal, when too many wait already.
  mutating func ask(_ question: Question) throws(Refusal) {
    if try isAcceptable(question) { waiting.append(question) }
  }

  /// Adds a query whose answer is made elsewhere, as a whole.
  ///
  /// - Returns: the number of the answer; `nil` for a resend of a query that still waits.
  /// - Throws: the refusal, when too many wait already.
  mutating func await(_ question: Question) throws(Refusal) -> UInt64? {
    guard try isAcceptable(question) else { return nil }
    lastNumber += 1
    finishing[lastNumber] = question
    return lastNumber
  }

  /// Whether a query is new.
  ///
  /// - Throws: the refusal, when too many wait already.
  private func isAcceptable(_ question: Question) throws(Refusal) -> Bool {
    let all = all
    guard !all.contains(where: { $0.client == question.client && $0.request == question.request }) else { return false }
    guard all.count < Self.limit else {
      throw Refusal(
        .limit, "\(Self.limit) long answers of all clients are pending already", remedy: "Retry in a second")
    }
    guard all.count(where: { $0.client == question.client }) < Self.limitOfClient else {
      throw Refusal(
        .limit, "\(Self.limitOfClient) long answers of this client are pending already",
        remedy: "Wait for an answer before you send another query")
    }
    return true
  }

  /// Makes the next slice.
  ///
  /// - Parameters:
  ///   - runtime: the runtime that is inspected.
  ///   - time: the present simulated time.
  ///   - isConnected: whether a connection is still open.
  ///   - goesOn: whether there is time for more rows; called after each ``rowsAtATime``.
  /// - Returns: the actions for it, in order.
  mutating func advance(
    _ runtime: Runtime, at time: Double, isConnected: (Int32) -> Bool, goesOn: () -> Bool
  ) -> [Action] {
    var actions: [Action] = []
    dropGone(isConnected, &actions)
    guard begin(runtime, at: time, &actions), let making else { return actions }
    var rows = 0
    repeat {
      let piece = making.inspection.advance(Self.rowsAtATime)
      rows += max(1, piece.count)
      if piece.count > 0 {
        unencoded += piece.count
        actions.append(.encode(piece, of: making.number, to: making.question.query))
      }
    } while !making.inspection.isFinished && rows < Self.rowsPerSlice && goesOn()
    if making.inspection.isFinished {
      let frames = making.inspection.frames ?? runtime.frame.number...runtime.frame.number
      actions.append(.finish(making.number, making.question, frames: frames))
      finishing[making.number] = making.question
      self.making = nil
    }
    return actions
  }

  /// A slice took until now: the next one comes when as much time has passed again.
  mutating func rest(after begin: Duration, at now: Duration) { nextSlice = now + (now - begin) }

  /// Whether there is time for more rows of a slice, after the first ``rowsAtATime``: until the next frame is due. If
  /// one was due when the slice began, frames cost more than their period, and one is always due. Then the slice is
  /// made whole, because an answer of many rows would otherwise take minutes.
  static func hasTime(since begin: Duration, at now: Duration, until due: Duration?) -> Bool {
    due.map { $0 <= begin || now < $0 } ?? true
  }

  /// Records that so many rows were encoded.
  mutating func encoded(_ rows: Int) { unencoded -= rows }

  /// Ends an answer: its message is ready, or will never be.
  ///
  /// - Returns: the query; `nil` if its client is known to be gone.
  mutating func finish(_ number: UInt64) -> Question? {
    if let question = finishing.removeValue(forKey: number) { return question }
    guard let making, making.number == number else { return nil }
    self.making = nil
    return making.question
  }

  /// Takes the next query from the queue: of another client than the last one, if there is one.
  ///
  /// - Returns: whether an answer is being made.
  private mutating func begin(_ runtime: Runtime, at time: Double, _ actions: inout [Action]) -> Bool {
    while making == nil, !waiting.isEmpty {
      let question = waiting.remove(at: waiting.firstIndex { $0.client != lastClient } ?? 0)
      lastClient = question.client
      do throws(Refusal) {
        guard
          let inspection = try RuntimeInspection(
            question.query, of: runtime, at: time, streams: question.streams)
        else {
          continue
        }
        lastNumber += 1
        making = Making(number: lastNumber, question: question, inspection: inspection)
      } catch {
        actions.append(.refuse(question, error))
      }
    }
    return making != nil
  }

  /// Drops the queries of clients that are gone.
  private mutating func dropGone(_ isConnected: (Int32) -> Bool, _ actions: inout [Action]) {
    func isGone(_ question: Question) -> Bool { question.connection.map { !isConnected($0) } ?? false }
    guard making == nil || making.map({ isGone($0.question) }) == true else { return }
    waiting.removeAll(where: isGone)
    if let making {
      actions.append(.forget(making.number))
      self.making = nil
    }
  }
}
