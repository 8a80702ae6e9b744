import MotionModel
import SwiftProtobuf

extension ProtoOperation.Scene {
  init(_ name: SceneName, _ scene: MotionModel.Scene) {
    self.init()
    self.name = name.text
    targets = scene.targets.map { part in
      .with { target in
        target.target = part.name.text
        target.values = part.values.map { value in
          .with {
            $0.property = value.property.text
            $0.value = value.value.array
          }
        }
        target.plans = part.plans.map { plan in
          .with {
            if let name = plan.name { $0.named = name.text }
            $0.intention = ProtoIntention(plan.intention)
          }
        }
      }
    }
  }

  func parts() throws(WireError) -> (name: SceneName, scene: MotionModel.Scene) {
    guard targets.count <= Limits.sceneEntries else {
      throw .limit("targets", targets.count, atMost: Limits.sceneEntries, of: "targets")
    }
    var parts: [MotionModel.Scene.Target] = []
    for target in targets {
      parts.append(
        MotionModel.Scene.Target(
          try Decode.name(target.target, "target"),
          values: try Decode.list(target.values, "values", atMost: Limits.propertiesPerTarget),
          plans: try Decode.list(target.plans, "plans", atMost: Limits.sceneEntries)))
    }
    return (try Decode.name(name, "name"), MotionModel.Scene(parts))
  }
}

extension ProtoOperation.Scene.Value: WireRepresentation {
  init(_ value: MotionModel.Scene.Value) {
    self.init()
    property = value.property.text
    self.value = value.value.array
  }

  func model() throws(WireError) -> MotionModel.Scene.Value {
    MotionModel.Scene.Value(try Decode.name(property, "property"), try Decode.lanes(value, "value"))
  }
}

extension ProtoOperation.Scene.Plan: WireRepresentation {
  init(_ plan: MotionModel.Scene.Plan) {
    self.init()
    if let name = plan.name { named = name.text }
    intention = ProtoIntention(plan.intention)
  }

  func model() throws(WireError) -> MotionModel.Scene.Plan {
    MotionModel.Scene.Plan(
      try Decode.required(hasIntention, intention, "intention"), named: try Decode.name(hasNamed, named, "named"))
  }
}

extension ProtoOperation.Recall {
  init(_ recall: SceneRecall) {
    self.init()
    scene = recall.scene.text
    if case .fade(let seconds) = recall.transition { self.seconds = seconds }
  }

  func model() throws(WireError) -> SceneRecall {
    SceneRecall(
      try Decode.name(scene, "scene"), hasSeconds ? .fade(try Decode.finite(seconds, "seconds")) : .spring)
  }
}

extension ProtoCheckpoint.StoredScene: WireRepresentation {
  init(_ stored: RuntimeCheckpoint.StoredScene) {
    self.init()
    scene = ProtoOperation.Scene(stored.name, stored.scene)
    number = stored.number
  }

  func model() throws(WireError) -> RuntimeCheckpoint.StoredScene {
    do {
      let (name, scene) = try scene.parts()
      return RuntimeCheckpoint.StoredScene(name, scene, number: number)
    } catch {
      throw error.within("scene")
    }
  }
}

extension ProtoSceneRow: WireRepresentation {
  init(_ row: SceneRow) {
    self.init()
    name = row.scene.text
    targets = Encode.count(row.targets)
    values = Encode.count(row.values)
    plans = Encode.count(row.plans)
    if let scene = row.content { content = ProtoOperation.Scene(row.scene, scene) }
  }

  func model() throws(WireError) -> SceneRow {
    var row = SceneRow(
      try Decode.name(name, "name"), targets: Int(targets), values: Int(values), plans: Int(plans))
    if hasContent {
      do {
        row.content = try content.parts().scene
      } catch {
        throw error.within("content")
      }
    }
    return row
  }
}
