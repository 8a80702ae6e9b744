// MotionExecutorKit
