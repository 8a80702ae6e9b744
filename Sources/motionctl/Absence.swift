import MotionClient
import MotionModel

extension MotionClient {
  /// Why a target cannot be meant: nothing of that name exists. `nil` if it does.
  func absence(of target: TargetName) throws(MotionClientError) -> Refusal? {
    do {
      // What is asked does not matter, only that it is little.
      _ = try tokens(of: target)
      return nil
    } catch {
      guard let refusal = error.refusal, refusal.code == .notFound else { throw error }
      return refusal
    }
  }

  /// Why a property cannot be meant; `nil` if it exists.
  func absence(of reference: PropertyReference) throws(MotionClientError) -> Refusal? {
    if let refusal = try absence(of: reference.target) { return refusal }
    let names = try properties(of: reference.target).map(\.reference.property)
    guard !names.contains(reference.property) else { return nil }
    return Refusal(
      .notFound, "\(reference.target) has no property \"\(reference.property)\"",
      remedy: NearestName.remedy(for: reference.property.text, among: names.map(\.text), plural: "properties of it"))
  }
}
