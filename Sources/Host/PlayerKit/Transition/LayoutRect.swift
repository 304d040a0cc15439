// SPDX-License-Identifier: Apache-2.0

/// A width and a height in points or pixels of the user interface, or those of a picture.
public struct LayoutSize: Hashable, Sendable {
    public var width: Double
    public var height: Double

    public init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    /// Whether both are finite and above 0.
    var isDrawable: Bool { width.isFinite && height.isFinite && width > 0 && height > 0 }
}

/// A rectangle in the coordinates that both ends of a transition share, such as those of the window.
public struct LayoutRect: Hashable, Sendable {
    public var x: Double
    public var y: Double
    public var size: LayoutSize

    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        size = LayoutSize(width: width, height: height)
    }

    var center: (x: Double, y: Double) { (x + size.width / 2, y + size.height / 2) }
}
