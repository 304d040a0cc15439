// SPDX-License-Identifier: Apache-2.0

import JSONText
import Testing
import kitshell

@Suite("The doctor's text")
struct DoctorTextTests {
    @Test("has a row for each part, and what is wrong under it")
    func rows() {
        let text = DoctorText.render(
            [
                "host": [
                    "version": "0.1.0", "abi": "1.0", "libavformat": "59.27.100", "libav_licence": "GPL",
                    "kernel": "6.1",
                    "user": 1000,
                ],
                "strategies": ["directory": "/opt/builtin", "accepted": ["default"], "refused": []],
                "worker": ["path": "/opt/kit-worker", "start_ms": 1.25, "failure": nil],
                "sandbox": ["seccomp": true, "landlock": 3, "extent": "partial", "gap": "no TCP"],
                "network": ["rtnetlink": true, "network_manager": true, "type": "wifi", "metered": true],
                "configuration": ["file": "/etc/c.json", "problems": 1],
                "state": ["directory": "/home/me/state", "exists": true, "obstacle": "others may write to it"],
                "quarantines": [["id": "com.example.x"]],
                "findings": [
                    [
                        "severity": "problem", "about": "state", "message": "nothing can be remembered",
                        "hint": "Mend it.",
                    ],
                    [
                        "severity": "problem", "about": "configuration", "message": "/etc/c.json:1:2: x: no such key",
                        "hint": "valid: y",
                    ],
                    ["severity": "note", "about": "sandbox", "message": "partly: no TCP", "hint": "A newer kernel."],
                ],
            ], isColored: false)
        #expect(
            text == """
                 kitshell      0.1.0, plugin ABI 1.0
                 libav         libavformat 59.27.100, GPL
                 machine       Linux 6.1, as user 1000
                 strategies    1 built-in   /opt/builtin
                 worker        starts in 1.3 ms   /opt/kit-worker
                 sandbox       partial   seccomp   Landlock 3 (files)
                               partly: no TCP. A newer kernel.
                 network       wifi, metered   rtnetlink   NetworkManager
                 config        1 problem   /etc/c.json
                               /etc/c.json:1:2: x: no such key. valid: y
                 state         cannot be written   /home/me/state
                               nothing can be remembered. Mend it.
                 quarantines   1 plugin

                 2 problems

                """)
    }

    @Test("stays 80 columns wide and drives no terminal, whatever is in it")
    func hostile() {
        let nasty = JSONValue.string("\u{1B}[2J\n\r\u{202E}" + String(repeating: "x ", count: 300))
        let text = DoctorText.render(
            [
                "host": ["version": nasty, "kernel": nasty], "strategies": ["directory": nasty],
                "worker": ["path": nasty, "failure": nasty], "state": ["directory": nasty],
                "findings": [["severity": nasty, "about": "worker", "message": nasty, "hint": nasty]],
            ], isColored: false)
        #expect(!text.unicodeScalars.contains("\u{1B}") && !text.unicodeScalars.contains("\u{202E}"))
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(text)")
    }
}
