/// The properties of an object with a position, by name.
///
/// Each call creates new properties, which belong to the returned object: keep it. Properties of different calls read
/// and write the same element, but do not notify each other. A direct change of the element is read, but not observed.
/// A ``MotionTarget`` has its own properties, which are always the same.
///
/// The returned object keeps the element alive. A property by itself does not, be it of an element or of a target: when
/// the element is gone, the property keeps the value that was read or written last.
public func propertyOf<Element: PositionableElement>(_ element: Element) -> PropertiesOfElement<Element> {
  PropertiesOfElement(element)
}

/// The properties of an element, by name: its position, and if it can be transformed its rotation and scale.
public final class PropertiesOfElement<Element: PositionableElement> {
  private let element: Element
  /// The properties of the element if it is a target, which has its own.
  private let target: PropertiesOfTarget?
  private var numbers: [String: ReactiveProperty<Double>] = [:]
  /// The position.
  public let position: ReactiveProperty<Point>

  init(_ element: Element) {
    self.element = element
    target = (element as? MotionTarget).map(propertyOf)
    position =
      target?.position ?? Self.property("position", of: element, read: { $0.position }, write: { $0.position = $1 })
  }

  /// A property of the element that does not keep the element alive.
  private static func property<Value: Equatable>(
    _ name: String, of element: Element, read: @escaping (Element) -> Value,
    write: @escaping (Element, Value) -> Void
  ) -> ReactiveProperty<Value> {
    var last = read(element)
    return ReactiveProperty(
      name, of: Self.name(of: element),
      read: { [weak element] in
        if let element { last = read(element) }
        return last
      },
      write: { [weak element] value in
        last = value
        if let element { write(element, value) }
      })
  }

  /// The position; another name of ``position``.
  public var center: ReactiveProperty<Point> { position }
  /// The first lane of ``position``.
  public var positionX: ReactiveProperty<Double> { target?.positionX ?? lane(0, "positionX") }
  /// The second lane of ``position``.
  public var positionY: ReactiveProperty<Double> { target?.positionY ?? lane(1, "positionY") }

  /// A numeric property of the element, the same object each time.
  private func number(
    _ name: String, _ read: @escaping (Element) -> Double, _ write: @escaping (Element, Double) -> Void
  ) -> ReactiveProperty<Double> {
    known(name) { Self.property(name, of: element, read: read, write: write) }
  }

  /// A lane of the position, the same object each time.
  private func lane(_ lane: Int, _ name: String) -> ReactiveProperty<Double> {
    known(name) { position.lane(lane, name) }
  }

  private func known(_ name: String, _ make: () -> ReactiveProperty<Double>) -> ReactiveProperty<Double> {
    if let known = numbers[name] { return known }
    let property = make()
    numbers[name] = property
    return property
  }

  private static func name(of element: Element) -> String {
    (element as? any Inspectable)?.inspected ?? "\(Element.self)"
  }
}

extension PropertiesOfElement where Element: TransformableElement {
  /// The rotation, in radians.
  public var rotation: ReactiveProperty<Double> {
    target?.rotation ?? number("rotation", { $0.rotation }, { $0.rotation = $1 })
  }

  /// The scale; 1 is the natural size.
  public var scale: ReactiveProperty<Double> {
    target?.scale ?? number("scale", { $0.scale }, { $0.scale = $1 })
  }
}
