// SPDX-License-Identifier: Apache-2.0

/// How a view that already has the frame and the scale mode of where it is going looks as it did where it comes from.
///
/// For a picture that moves from one page to another while it plays: give the view its final frame and mode, a mask of the size of its
/// bounds, apply these values, and animate all of them to the identity. The picture is the one that was there before, of the same size at
/// the same place, so nothing flashes although the mode changes.
///
/// The mask alone may cut the view off, not its bounds: a picture that fitted its old place can stand out of the bounds in the new mode.
public struct TransitionStart: Hashable, Sendable {
    /// By how much the view is scaled about its centre, in both directions.
    public var scale: Double
    /// By how much its centre is moved, in the coordinates of the rectangles.
    public var offsetX: Double
    /// The same downwards, or wherever y grows.
    public var offsetY: Double
    /// By how much the mask is scaled about its centre, before the view's own scale.
    public var maskScale: LayoutSize

    /// Works the start of a transition out.
    ///
    /// - Parameters:
    ///   - source: where the view comes from, and how the picture lies in it.
    ///   - destination: where it is going, and how the picture will lie in it.
    ///   - content: the size of the picture as it is shown, rotation and pixel shape included.
    /// - Returns: nil if a side is not above 0, or not finite: then there is nothing to animate.
    public init?(
        from source: (rect: LayoutRect, mode: ScaleMode), to destination: (rect: LayoutRect, mode: ScaleMode),
        content: LayoutSize
    ) {
        guard content.isDrawable, source.rect.size.isDrawable, destination.rect.size.isDrawable else { return nil }
        let drawnBefore = source.mode.drawnSize(of: content, in: source.rect.size)
        let drawnAfter = destination.mode.drawnSize(of: content, in: destination.rect.size)
        scale = drawnBefore.width / drawnAfter.width
        maskScale = LayoutSize(
            width: source.rect.size.width / (destination.rect.size.width * scale),
            height: source.rect.size.height / (destination.rect.size.height * scale))
        let (before, after) = (source.rect.center, destination.rect.center)
        (offsetX, offsetY) = (before.x - after.x, before.y - after.y)
        guard scale.isFinite, scale > 0, maskScale.isDrawable, offsetX.isFinite, offsetY.isFinite else { return nil }
    }
}
