// MotionPhysicsTests
