// MotionExecutors
