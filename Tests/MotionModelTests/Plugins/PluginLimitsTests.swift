import MotionModel
import Testing

struct PluginLimitsTests {
  @Test func `the stricter of two limits holds`() {
    var (manifest, configured) = (PluginLimits(), PluginLimits())
    (manifest.memoryMiB, manifest.descriptors, manifest.niceness, manifest.cpuWeight) = (512, 1000, 3, 50)
    (configured.memoryMiB, configured.descriptors, configured.niceness, configured.coreMiB) = (1024, 64, 10, 0)
    configured.cpuWeight = 200
    #expect(
      manifest.restricted(by: configured).description
        == "memoryMiB 512, descriptors 64, coreMiB 0, niceness 10, cpuWeight 50")
    #expect(configured.restricted(by: manifest) == manifest.restricted(by: configured))
  }
}
