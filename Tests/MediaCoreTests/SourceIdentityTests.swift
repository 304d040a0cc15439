// SPDX-License-Identifier: Apache-2.0

import MediaCore
import Testing

@Suite("The identity of a source")
struct SourceIdentityTests {
    struct Case: CustomTestStringConvertible {
        var url: String
        var id: String
        var shown: String?

        init(_ url: String, _ id: String, shown: String? = nil) {
            self.url = url
            self.id = id
            self.shown = shown
        }

        var testDescription: String { url }
    }

    static let cases: [Case] = [
        Case("http://h/a.mp4", "url:http://h/a.mp4"),
        Case("http://h/a.mp4#t=10", "url:http://h/a.mp4"),
        Case("http://h/a.mp4?x=1#t=10?y", "url:http://h/a.mp4?x=1"),
        Case("http://h/a.mp4?", "url:http://h/a.mp4?"),
        Case("http://h/a.mp4?auth_key=1-2-3", "url:http://h/a.mp4"),
        Case("http://h/a.mp4?auth_key=1&x=2", "url:http://h/a.mp4?x=2"),
        Case("http://h/a.mp4?x=1&auth_key=9&y=2", "url:http://h/a.mp4?x=1&y=2"),
        Case("http://h/a.mp4?x=1&auth_key=9", "url:http://h/a.mp4?x=1"),
        Case("http://h/a?auth_key", "url:http://h/a"),
        Case("http://h/a?my_auth_key=1", "url:http://h/a?my_auth_key=1"),
        Case("http://h/a?TOKEN=1&b=2", "url:http://h/a?b=2"),
        Case("http://h/a?X-Amz-Date=1&X-Amz-Signature=2&b=3", "url:http://h/a?b=3"),
        Case("http://h/a?x-amzdate=1", "url:http://h/a?x-amzdate=1"),
        Case("http://h/a?Policy=p&Signature=s&Key-Pair-Id=k", "url:http://h/a"),
        Case("http://h/a?wsSecret=s&wsTime=t&q=1", "url:http://h/a?q=1"),
        Case("http://h/a?expires=1&expires=2&e=3", "url:http://h/a?e=3"),
        Case("http://h/a?b=2&a=1", "url:http://h/a?b=2&a=1"),
        Case("http://h/a?b=1&&c=2", "url:http://h/a?b=1&&c=2"),
        Case("http://h/a?q=what?&b=1", "url:http://h/a?q=what?&b=1"),
        Case("http://h/p?u=http://x/v.mp4?id=7&b=1", "url:http://h/p?u=http://x/v.mp4?id=7&b=1"),
        Case("http://h/p?u=http://x/v?token=s&b=1", "url:http://h/p?u=http://x/v?b=1"),
        Case("http://h/p?u=http%3A%2F%2Fx%2Fv%3Fid%3D7", "url:http://h/p?u=http%3A%2F%2Fx%2Fv%3Fid%3D7"),
        Case(
            "http://h/p?u=http%3A%2F%2Fx%3Fa%3D1%26token%3Ds%26b%3D2", "url:http://h/p?u=http%3A%2F%2Fx%3Fa%3D1%26b%3D2"
        ),
        Case("http://h/%7Ea%2f?n=%E4%BD%A0", "url:http://h/%7Ea%2f?n=%E4%BD%A0"),
        Case("http://h/视频.mp4?名=值&token=x", "url:http://h/视频.mp4?名=值"),
        Case("http://user:secret@h/a", "url:http://h/a"),
        Case("http://user:p@ss@h:81/a@b", "url:http://h:81/a@b"),
        Case("HTTP://H/a", "url:HTTP://H/a"),
        Case("rtmp://h/live/x?txSecret=1", "url:rtmp://h/live/x?txSecret=1"),
        Case("data:video/mp4;base64,AAAA", "url:data:video/mp4;base64,AAAA"),
        Case("pipe:0", "url:pipe:0"),
        Case("-", "url:-"),
        Case("/v/a.mp4", "file:/v/a.mp4", shown: "/v/a.mp4"),
        Case("/v//./a.mp4", "file:/v/a.mp4", shown: "/v//./a.mp4"),
        Case("/v/../a.mp4", "file:/v/../a.mp4", shown: "/v/../a.mp4"),
        Case("a.mp4", "file:/cwd/a.mp4", shown: "a.mp4"),
        Case("./a b?c#d.mp4", "file:/cwd/a b?c#d.mp4", shown: "./a b?c#d.mp4"),
        Case("talk: part 1.mp4", "file:/cwd/talk: part 1.mp4", shown: "talk: part 1.mp4"),
        Case("file:/v/a.mp4", "file:/v/a.mp4", shown: "file:/v/a.mp4"),
        Case("file:///v/a%20b.mp4", "file:/v/a b.mp4", shown: "file:///v/a%20b.mp4"),
        Case("file:/v/a%zz%4", "file:/v/a%zz%4", shown: "file:/v/a%zz%4"),
        Case("FILE://localhost/v/a.mp4", "file:/v/a.mp4", shown: "FILE://localhost/v/a.mp4"),
        Case("file://host/v/a.mp4", "url:file://host/v/a.mp4"),
        Case("http://user:p@\u{301}h/a?\u{301}x&token=1#\u{301}", "url:http://\u{301}h/a?\u{301}x"),
        Case("://x", "file:/cwd/:/x", shown: "://x"),
        Case("", "file:/cwd", shown: ""),
    ]

    @Test("is canonical and shows no secret", arguments: cases)
    func canonical(_ row: Case) {
        let source = VideoSource.url(row.url)
        #expect(source.uniqueID(ignoring: .standard, relativeTo: "/cwd") == row.id)
        #expect(source.displayName == row.shown ?? String(row.id.dropFirst("url:".count)))
    }

    @Test("never collides between the kinds, nor with a URL of the same text")
    func kinds() {
        let auth = VideoSource.vidAuth(vid: "V", playAuth: "secret")
        let sts = VideoSource.vidSts(
            vid: "V", accessKeyId: "id", accessKeySecret: "secret", securityToken: "token", region: "r")
        let ids = [auth, sts, .url("V"), .url("vid-auth:V"), .url("http://V")].map(\.uniqueID)
        #expect(Set(ids).count == ids.count)
        #expect(ids[0] == "vid-auth:V")
        #expect(ids[1] == "vid-sts:V")
        #expect(!sts.displayName.contains("secret"))
    }

    @Test("stays when only the signature changes, while the revision changes")
    func revision() {
        let one = VideoSource.url("http://h/a?auth_key=1")
        let two = VideoSource.url("http://h/a?auth_key=2")
        #expect(one.uniqueID == two.uniqueID)
        #expect(one.sourceRevision != two.sourceRevision)
        #expect(one.sourceRevision == VideoSource.url("http://h/a?auth_key=1").sourceRevision)
        let left = VideoSource.vidAuth(vid: "ab", playAuth: "c")
        let right = VideoSource.vidAuth(vid: "a", playAuth: "bc")
        #expect(left.sourceRevision != right.sourceRevision)
    }

    @Test("follows the volatile names it is given")
    func names() {
        let source = VideoSource.url("http://h/a?session-1=x&token=y")
        #expect(source.uniqueID(ignoring: VolatileQuery(names: ["session-*"])) == "url:http://h/a?token=y")
    }

    @Test("takes a very long URL in its stride")
    func long() {
        let tail = String(repeating: "x", count: 200_000)
        #expect(VideoSource.url("http://h/a?q=\(tail)&token=1").uniqueID == "url:http://h/a?q=\(tail)")
    }
}
