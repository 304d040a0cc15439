// SPDX-License-Identifier: Apache-2.0

/// How a picture lies in the rectangle that it is shown in; its sides keep their ratio.
public enum ScaleMode: Hashable, Sendable {
    /// All of it is seen, and bars where it does not reach.
    case fit
    /// It reaches everywhere, and what stands out is cut off.
    case fill

    /// How large a picture is drawn.
    ///
    /// - Parameters:
    ///   - content: of the picture, above 0.
    ///   - bounds: where it is shown, above 0.
    func drawnSize(of content: LayoutSize, in bounds: LayoutSize) -> LayoutSize {
        let (across, down) = (bounds.width / content.width, bounds.height / content.height)
        let scale = self == .fit ? min(across, down) : max(across, down)
        return LayoutSize(width: content.width * scale, height: content.height * scale)
    }
}
