// MotionPhysics
