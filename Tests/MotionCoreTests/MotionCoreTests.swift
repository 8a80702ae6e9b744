// MotionCoreTests
