// SPDX-License-Identifier: Apache-2.0

import PluginSupport
import Testing

@Suite("The text of a request")
struct PluginTextTests {
    @Test("is compared by its bytes: ids that look alike are not the same")
    func bytes() {
        #expect(PluginText("caf\u{E9}") != PluginText("cafe\u{301}"))
        #expect(PluginText("caf\u{E9}") == PluginText("caf\u{E9}"))
    }
}
