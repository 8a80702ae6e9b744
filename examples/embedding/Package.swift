// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "embedding",
  dependencies: [.package(name: "motiond", path: "../..")],
  targets: [
    .executableTarget(
      name: "embedding",
      dependencies: [
        .product(name: "MotionCore", package: "motiond"),
        .product(name: "MotionModel", package: "motiond"),
      ])
  ]
)
