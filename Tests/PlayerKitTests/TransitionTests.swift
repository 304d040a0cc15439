// SPDX-License-Identifier: Apache-2.0

import PlayerKit
import Testing

@Suite("A picture that moves to another page does not flash")
struct TransitionTests {
    private typealias Place = (rect: LayoutRect, mode: ScaleMode)

    /// What is seen of the picture: where the drawn picture and where the visible area lie.
    private struct Seen {
        var picture: LayoutRect
        var area: LayoutRect
    }

    private static let portrait = LayoutSize(width: 1080, height: 1920)

    /// How a view without a transform shows it.
    private func seen(_ place: Place, _ content: LayoutSize) -> Seen {
        let (across, down) = (place.rect.size.width / content.width, place.rect.size.height / content.height)
        let scale = place.mode == .fit ? min(across, down) : max(across, down)
        return Seen(
            picture: rect(
                around: place.rect, width: content.width * scale, height: content.height * scale), area: place.rect)
    }

    private func rect(around other: LayoutRect, width: Double, height: Double) -> LayoutRect {
        LayoutRect(
            x: other.x + (other.size.width - width) / 2, y: other.y + (other.size.height - height) / 2, width: width,
            height: height)
    }

    /// How the view at its destination shows it under the transform and the mask.
    private func seen(_ start: TransitionStart, at destination: Place, _ content: LayoutSize) -> Seen {
        let still = seen(destination, content)
        func moved(_ size: LayoutSize) -> LayoutRect {
            var moved = rect(
                around: destination.rect, width: size.width * start.scale, height: size.height * start.scale)
            moved.x += start.offsetX
            moved.y += start.offsetY
            return moved
        }
        let mask = LayoutSize(
            width: destination.rect.size.width * start.maskScale.width,
            height: destination.rect.size.height * start.maskScale.height)
        return Seen(picture: moved(still.picture.size), area: moved(mask))
    }

    private func isNear(_ left: LayoutRect, _ right: LayoutRect) -> Bool {
        let pairs = [
            (left.x, right.x), (left.y, right.y), (left.size.width, right.size.width),
            (left.size.height, right.size.height),
        ]
        return pairs.allSatisfy { abs($0 - $1) < 1e-6 }
    }

    @Test(
        "it is drawn at the start as it was drawn before, for every pair of modes",
        arguments: [ScaleMode.fit, .fill], [ScaleMode.fit, .fill])
    func startsAsItWas(from: ScaleMode, to: ScaleMode) throws {
        let rects = [
            LayoutRect(x: 20, y: 300, width: 160, height: 160), LayoutRect(x: 0, y: 0, width: 390, height: 844),
            LayoutRect(x: 7, y: 9, width: 300, height: 20),
        ]
        for content in [
            TransitionTests.portrait, LayoutSize(width: 1920, height: 1080), LayoutSize(width: 3, height: 3),
        ] {
            for source in rects {
                for destination in rects {
                    let (before, after) = ((source, from), (destination, to))
                    let start = try #require(TransitionStart(from: before, to: after, content: content))
                    let (was, now) = (seen(before, content), seen(start, at: after, content))
                    #expect(isNear(was.picture, now.picture))
                    #expect(isNear(was.area, now.area))
                }
            }
        }
    }

    @Test("a square that is filled becomes a whole portrait: the worked figures")
    func squareToPortrait() throws {
        let start = try #require(
            TransitionStart(
                from: (LayoutRect(x: 0, y: 0, width: 180, height: 180), .fill),
                to: (LayoutRect(x: 0, y: 0, width: 360, height: 640), .fit), content: TransitionTests.portrait))
        // 180 points wide before, 360 after; the square shows 180 of 320 points of height.
        #expect(start.scale == 0.5)
        #expect(start.maskScale == LayoutSize(width: 1, height: 180.0 / 320))
        #expect(start.offsetX == -90 && start.offsetY == -230)
    }

    @Test("where nothing changes it is the identity")
    func identity() throws {
        let place: Place = (LayoutRect(x: 5, y: 6, width: 70, height: 80), .fill)
        let start = try #require(TransitionStart(from: place, to: place, content: TransitionTests.portrait))
        #expect(start.scale == 1 && start.maskScale == LayoutSize(width: 1, height: 1))
        #expect(start.offsetX == 0 && start.offsetY == 0)
    }

    @Test("nothing is made of sides that are none", arguments: [0, -1, .nan, .infinity] as [Double])
    func nothing(side: Double) {
        let good = LayoutRect(x: 0, y: 0, width: 10, height: 10)
        let bad = LayoutRect(x: 0, y: 0, width: 10, height: side)
        #expect(TransitionStart(from: (bad, .fit), to: (good, .fit), content: good.size) == nil)
        #expect(TransitionStart(from: (good, .fit), to: (bad, .fit), content: good.size) == nil)
        #expect(TransitionStart(from: (good, .fit), to: (good, .fit), content: bad.size) == nil)
        let far = LayoutRect(x: side == 0 || side == -1 ? .nan : side, y: 0, width: 10, height: 10)
        #expect(TransitionStart(from: (far, .fit), to: (good, .fit), content: good.size) == nil)
    }
}
