// MotionCoordinator
