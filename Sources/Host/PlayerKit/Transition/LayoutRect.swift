// SPDX-License-Identifier: Apache-2.0

/// A width and a height in points or pixels of the user interface, or those of a picture.
public struct LayoutSize: Hashable, Sendable {
    /// Above 0 for what can be drawn.
    public var width: Double
    /// Above 0 for what can be drawn.
    public var height: Double

    /// Takes any numbers; what cannot be drawn is refused where it is used.
    public init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    /// Whether both are finite and above 0.
    var isDrawable: Bool { width.isFinite && height.isFinite && width > 0 && height > 0 }
}

/// A rectangle in the coordinates that both ends of a transition share, such as those of the window.
public struct LayoutRect: Hashable, Sendable {
    /// Of the left edge.
    public var x: Double
    /// Of the edge where y is least: the top in most coordinates.
    public var y: Double
    /// From there on.
    public var size: LayoutSize

    /// Takes any numbers; what cannot be drawn is refused where it is used.
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        size = LayoutSize(width: width, height: height)
    }

    var center: (x: Double, y: Double) { (x + size.width / 2, y + size.height / 2) }
}
