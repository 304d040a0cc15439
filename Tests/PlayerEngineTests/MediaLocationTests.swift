// SPDX-License-Identifier: Apache-2.0

import PlayerEngine
import Testing

@Suite struct MediaLocationTests {
    @Test(arguments: [
        ("clip.mp4", MediaLocation.file(path: "clip.mp4")),
        ("/a/b c.mp4", .file(path: "/a/b c.mp4")),
        ("a:b.mp4", .file(path: "a:b.mp4")),
        ("100%25.mp4", .file(path: "100%25.mp4")),
        ("file:clip.mp4", .file(path: "clip.mp4")),
        ("file:/a/b.mp4", .file(path: "/a/b.mp4")),
        ("file:///a/b%20c.mp4", .file(path: "/a/b c.mp4")),
        ("FILE://localhost/a.mp4", .file(path: "/a.mp4")),
        ("file:/a%zz%4", .file(path: "/a%zz%4")),
        ("-", .standardInput),
        ("pipe:", .standardInput),
        ("pipe:0", .standardInput),
        ("http://host/a.mp4", .remote(url: "http://host/a.mp4")),
        ("HTTPS://host/a.mp4", .remote(url: "HTTPS://host/a.mp4")),
        ("http://u:p@host:80", .remote(url: "http://u:p@host:80")),
        ("http://[::1]:80/a?b@:c", .remote(url: "http://[::1]:80/a?b@:c")),
        ("/a/http://b", .file(path: "/a/http://b")),
    ])
    func aSourceIsReadAsItsWriterMeantIt(_ text: String, _ expected: MediaLocation) throws {
        #expect(try MediaLocation(text) == expected)
    }

    @Test(
        arguments: [
            ("", nil), ("a\0b", nil), ("file:", nil), ("file://host/a", nil), ("file:/a%00", nil), ("pipe:2", "pipe"),
            ("data:video/mp4;base64,AAAA", "data"),
            ("http://", nil), ("https:///a.mp4", nil), ("http://:80/a", nil), ("http://user@/a", nil),
            ("http://?a", nil),
            ("rtsp://host/a", "rtsp"), ("concat://a", "concat"), ("gopher://a", "gopher"),
        ] as [(String, String?)])
    func whatCannotBeOpenedIsRefused(_ text: String, _ scheme: String?) {
        #expect(throws: UnusableSource.self) { try MediaLocation(text) }
        do { _ = try MediaLocation(text) } catch { #expect(error.scheme == scheme) }
    }
}
