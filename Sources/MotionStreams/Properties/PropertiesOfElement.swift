/// The properties of something with a position, by name.
///
/// They are made here, and are of what is returned: keep that. Another call makes others, which read and write the same
/// element, but do not hear each other. What changes the element itself is read, and not heard. A ``MotionTarget`` has its
/// own, which are always the same.
public func propertyOf<Element: PositionableElement>(_ element: Element) -> PropertiesOfElement<Element> {
  PropertiesOfElement(element)
}

/// The properties of an element, by name: its position, and if it can be transformed its rotation and scale. They keep it.
public final class PropertiesOfElement<Element: PositionableElement> {
  private let element: Element
  /// The properties of the element if it is a target, which has its own.
  private let target: PropertiesOfTarget?
  private var numbers: [String: ReactiveProperty<Double>] = [:]
  /// Where it is.
  public let position: ReactiveProperty<Point>

  init(_ element: Element) {
    self.element = element
    target = (element as? MotionTarget).map(propertyOf)
    position =
      target?.position
      ?? ReactiveProperty(
        "position", of: Self.name(of: element), read: { element.position }, write: { element.position = $0 })
  }

  /// Where it is; another name of ``position``.
  public var center: ReactiveProperty<Point> { position }
  /// The first lane of ``position``.
  public var positionX: ReactiveProperty<Double> { target?.positionX ?? lane(0, "positionX") }
  /// The second lane of ``position``.
  public var positionY: ReactiveProperty<Double> { target?.positionY ?? lane(1, "positionY") }

  /// A number of the element, the same each time.
  private func number(
    _ name: String, _ read: @escaping () -> Double, _ write: @escaping (Double) -> Void
  ) -> ReactiveProperty<Double> {
    known(name) { ReactiveProperty(name, of: Self.name(of: element), read: read, write: write) }
  }

  /// A lane of its position, the same each time.
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
  /// How far it is turned, in radians.
  public var rotation: ReactiveProperty<Double> {
    target?.rotation ?? number("rotation", { [element] in element.rotation }, { [element] in element.rotation = $0 })
  }

  /// How large it is; 1 is its natural size.
  public var scale: ReactiveProperty<Double> {
    target?.scale ?? number("scale", { [element] in element.scale }, { [element] in element.scale = $0 })
  }
}
