// MotionCoordinatorTests
