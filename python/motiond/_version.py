"""The version of the package: that of motiond, whose source is `Sources/MotionModel/Release.swift`."""

__version__ = "0.1.0"
