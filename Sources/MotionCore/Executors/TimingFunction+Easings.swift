public import MotionModel
public import MotionPhysics

extension TimingFunction {
  /// The timing functions that the easings of a plan name, in order.
  ///
  /// - Throws: `Refusal` of the field `easing`, with the column at which a text becomes invalid.
  public static func named(by easings: [String]) throws(Refusal) -> [TimingFunction] {
    var timings: [TimingFunction] = []
    timings.reserveCapacity(easings.count)
    for (index, text) in easings.enumerated() {
      do {
        timings.append(try TimingFunction(parsing: text))
      } catch {
        let place = easings.count == 1 ? "" : "easing \(index + 1) of \(easings.count): "
        let column = error.column.map { "column \($0): " } ?? ""
        let remedy = error.remedy.prefix(1).uppercased() + error.remedy.dropFirst() + "."
        throw Refusal(.value, field: "easing", place + column + error.problem, remedy: remedy)
      }
    }
    return timings
  }
}

extension IntentionCatalog {
  /// A catalog without types that recognises the names of easings.
  ///
  /// - Parameter preferences: which plugin is to fulfil a type that several claim.
  public static func knowingEasings(preferences: [IntentionType: PluginName] = [:]) -> IntentionCatalog {
    IntentionCatalog(preferences: preferences) { easings throws(Refusal) in
      _ = try TimingFunction.named(by: easings)
    }
  }
}
