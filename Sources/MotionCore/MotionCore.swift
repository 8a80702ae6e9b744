// MotionCore
