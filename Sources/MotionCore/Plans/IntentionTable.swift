import MotionModel

/// The intentions that have been applied and have not ended, by identity.
///
/// Those of one transaction lie side by side, in pages: a caller that visits them hashes once per page. Emitted
/// intentions are rarer, and are looked up by the whole identity.
final class IntentionTable: Sequence {
  /// Operations on a page: a page with one intention left takes 2 kB at most, and small transactions have small pages.
  static let pageCount = 256

  private struct PageKey: Hashable {
    var sequence: UInt64
    var page: Int
  }

  private struct Page {
    var records: [IntentionRecord?] = []
    var count = 0
  }

  // Only the runtime that owns the table calls it, and it calls no other code: no access lies within another.
  @exclusivity(unchecked) private var pages: [Page] = []
  private var pageOfKey: [PageKey: Int] = [:]
  private var freePages: [Int] = []
  private var emitted: [IntentionIdentity: IntentionRecord] = [:]
  /// The page that was looked up last: the next look-up is usually on the same page.
  @exclusivity(unchecked) private var lastKey = PageKey(sequence: .max, page: .max)
  @exclusivity(unchecked) private var lastPage = 0
  /// How many intentions there are.
  private(set) var count = 0

  subscript(identity: IntentionIdentity) -> IntentionRecord? {
    get {
      guard identity.path.isEmpty else { return emitted[identity] }
      let index = Int(identity.operation) % Self.pageCount
      guard let page = page(of: identity), index < pages[page].records.count else { return nil }
      return pages[page].records[index]
    }
    set {
      guard identity.path.isEmpty else {
        count += (newValue == nil ? 0 : 1) - (emitted[identity] == nil ? 0 : 1)
        emitted[identity] = newValue
        return
      }
      if let newValue { insert(newValue, identity) } else { remove(identity) }
    }
  }

  private func page(of identity: IntentionIdentity) -> Int? {
    let key = PageKey(sequence: identity.sequence, page: Int(identity.operation) / Self.pageCount)
    if key == lastKey { return lastPage }
    guard let page = pageOfKey[key] else { return nil }
    (lastKey, lastPage) = (key, page)
    return page
  }

  private func insert(_ record: IntentionRecord, _ identity: IntentionIdentity) {
    let page = page(of: identity) ?? makePage(for: identity)
    let index = Int(identity.operation) % Self.pageCount
    while index >= pages[page].records.count { pages[page].records.append(nil) }
    if pages[page].records[index] == nil {
      pages[page].count += 1
      count += 1
    }
    pages[page].records[index] = record
  }

  /// Adopts a whole page of intentions, of which some may be missing; the table has no such page yet.
  func adopt(_ records: consuming [IntentionRecord?], count: Int, sequence: UInt64, page number: Int) {
    guard count > 0 else { return }
    let page = makePage(for: IntentionIdentity(sequence: sequence, operation: UInt32(number * Self.pageCount)))
    pages[page] = Page(records: records, count: count)
    self.count += count
  }

  private func makePage(for identity: IntentionIdentity) -> Int {
    let page = freePages.popLast() ?? pages.count
    if page == pages.count { pages.append(Page()) }
    let key = PageKey(sequence: identity.sequence, page: Int(identity.operation) / Self.pageCount)
    pageOfKey[key] = page
    (lastKey, lastPage) = (key, page)
    return page
  }

  private func remove(_ identity: IntentionIdentity) {
    let index = Int(identity.operation) % Self.pageCount
    guard let page = page(of: identity), index < pages[page].records.count, pages[page].records[index] != nil else {
      return
    }
    count -= 1
    pages[page].count -= 1
    pages[page].records[index] = nil
    guard pages[page].count == 0 else { return }
    pages[page].records = []
    freePages.append(page)
    pageOfKey[lastKey] = nil
    lastKey = PageKey(sequence: .max, page: .max)
  }

  /// How many pages there are, including empty ones.
  var pageNumbers: Int { pages.count }

  /// The intentions of transactions on a page.
  func records(onPage page: Int) -> [IntentionRecord?] { pages[page].records }

  /// The emitted intentions, in no order.
  var emittedRecords: some Collection<IntentionRecord> { emitted.values }

  /// The identities, in no order.
  var keys: [IntentionIdentity] { map(\.key) }

  /// The intentions with their identities, in no order.
  func makeIterator() -> some IteratorProtocol<(key: IntentionIdentity, value: IntentionRecord)> {
    let numbered = pages.lazy.flatMap { $0.records.lazy.compactMap { $0 } }
    return (Array(numbered) + Array(emitted.values)).lazy.map { (key: $0.identity, value: $0) }.makeIterator()
  }
}
