/// A list that usually has one element, which is stored inline without an allocation of its own.
///
/// A list of a target, a property or an executor nearly always has one element, and there may be millions of them: an
/// array costs 32 bytes and an allocation beside its elements.
struct SmallList<Element>: RandomAccessCollection, ExpressibleByArrayLiteral {
  private enum Storage {
    case none
    case one(Element)
    /// Two or more.
    case many([Element])
  }

  private var storage = Storage.none

  /// An empty list.
  init() {}

  /// A list of these elements.
  init(arrayLiteral elements: Element...) { self.init(elements) }

  /// A list of the elements of an array.
  init(_ elements: [Element]) {
    switch elements.count {
    case 0: break
    case 1: storage = .one(elements[0])
    default: storage = .many(elements)
    }
  }

  var startIndex: Int { 0 }

  var endIndex: Int {
    switch storage {
    case .none: 0
    case .one: 1
    case .many(let elements): elements.count
    }
  }

  subscript(index: Int) -> Element {
    get {
      switch storage {
      case .none: preconditionFailure("element \(index) of an empty list")
      case .one(let element):
        precondition(index == 0, "element \(index) of a list of one")
        return element
      case .many(let elements): return elements[index]
      }
    }
    set {
      switch storage {
      case .none: preconditionFailure("element \(index) of an empty list")
      case .one:
        precondition(index == 0, "element \(index) of a list of one")
        storage = .one(newValue)
      case .many(var elements):
        // The only reference is the one in `elements`, so that nothing is copied.
        storage = .none
        elements[index] = newValue
        storage = .many(elements)
      }
    }
  }

  /// Calls `body` with each element, in order. Unlike a loop by index, it counts a reference of the list once.
  func visit(_ body: (Element) -> Void) {
    switch storage {
    case .none: break
    case .one(let element): body(element)
    case .many(let elements): for element in elements { body(element) }
    }
  }

  /// Adds an element at the end; O(1) amortised.
  mutating func append(_ element: Element) {
    switch storage {
    case .none: storage = .one(element)
    case .one(let first): storage = .many([first, element])
    case .many(var elements):
      storage = .none
      elements.append(element)
      storage = .many(elements)
    }
  }

  /// Removes the element at `index`; linear.
  @discardableResult
  mutating func remove(at index: Int) -> Element {
    switch storage {
    case .none: preconditionFailure("element \(index) of an empty list")
    case .one(let element):
      precondition(index == 0, "element \(index) of a list of one")
      storage = .none
      return element
    case .many(var elements):
      storage = .none
      let element = elements.remove(at: index)
      self = SmallList(elements)
      return element
    }
  }

  /// Removes all elements that satisfy the predicate; linear.
  mutating func removeAll(where isGone: (Element) -> Bool) {
    switch storage {
    case .none: break
    case .one(let element): if isGone(element) { storage = .none }
    case .many(var elements):
      storage = .none
      elements.removeAll(where: isGone)
      self = SmallList(elements)
    }
  }
}

extension SmallList: Equatable where Element: Equatable {
  static func == (a: Self, b: Self) -> Bool { a.elementsEqual(b) }
}
