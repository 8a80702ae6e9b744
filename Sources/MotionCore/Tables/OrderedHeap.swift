/// An element of an ``OrderedHeap``.
protocol HeapElement {
  /// Whether this element comes out before another one.
  func precedes(_ other: Self) -> Bool
}

/// Elements that come out in order. Inserting and taking cost the logarithm of the count each, so that sorting a
/// hundred thousand can be done in pieces; elements that are inserted in order cost a comparison.
struct OrderedHeap<Element: HeapElement> {
  /// A list in order, which is a heap as well, or a heap.
  private var elements: [Element] = []
  private var isInOrder = true
  /// How many were taken from a list in order.
  private var taken = 0

  var count: Int { elements.count - taken }

  /// The element that comes out next.
  var first: Element? { taken < elements.count ? elements[taken] : nil }

  mutating func insert(_ element: Element) {
    if isInOrder, count > 0, let last = elements.last, element.precedes(last) {
      elements.removeFirst(taken)
      (isInOrder, taken) = (false, 0)
    }
    elements.append(element)
    guard !isInOrder else { return }
    var index = elements.count - 1
    while index > 0, case let parent = (index - 1) / 2, elements[index].precedes(elements[parent]) {
      elements.swapAt(index, parent)
      index = parent
    }
  }

  mutating func popFirst() -> Element? {
    guard !isInOrder else {
      guard let first else { return nil }
      taken += 1
      // Moving the others down costs no more than taking these did.
      if taken * 2 > elements.count {
        elements.removeFirst(taken)
        taken = 0
      }
      return first
    }
    guard let last = elements.popLast() else { return nil }
    guard let first = elements.first else {
      isInOrder = true
      return last
    }
    var index = 0
    while case let left = 2 * index + 1, left < elements.count {
      let child = left + 1 < elements.count && elements[left + 1].precedes(elements[left]) ? left + 1 : left
      guard elements[child].precedes(last) else { break }
      elements[index] = elements[child]
      index = child
    }
    elements[index] = last
    return first
  }

  /// Removes the elements that satisfy the predicate. Linear.
  mutating func removeAll(where isRemoved: (Element) -> Bool) {
    let kept = elements[taken...].filter { !isRemoved($0) }
    self = OrderedHeap()
    for element in kept { insert(element) }
  }
}
