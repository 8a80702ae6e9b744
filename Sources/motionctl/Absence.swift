import MotionClient
import MotionModel

extension MotionClient {
  /// The refusal for a target that does not exist; `nil` if it does.
  func absence(of target: TargetName) throws(MotionClientError) -> Refusal? {
    do {
      // Any query for the target does; this one has a small answer.
      _ = try tokens(of: target)
      return nil
    } catch {
      guard let refusal = error.refusal, refusal.code == .notFound else { throw error }
      return refusal
    }
  }

  /// The refusal for a property that does not exist; `nil` if it does.
  func absence(of reference: PropertyReference) throws(MotionClientError) -> Refusal? {
    if let refusal = try absence(of: reference.target) { return refusal }
    let names = try properties(of: reference.target).map(\.reference.property)
    guard !names.contains(reference.property) else { return nil }
    return Refusal(
      .notFound, "\(reference.target) has no property \"\(reference.property)\"",
      remedy: NearestName.remedy(
        for: reference.property.text, among: names.map(\.text), plural: "properties of \(reference.target)"))
  }
}
