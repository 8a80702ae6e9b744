// MotionModel
