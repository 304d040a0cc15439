// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import MediaCore
import PlayerEngine
import Synchronization
import TestSupport
import Testing

/// What is written to files is what ffmpeg makes of the same media, to the byte.
@Suite struct FileSinkTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// Plays a source with what it gives going to files.
    private func play(
        _ path: String, pictures: OutputFile? = nil, sound: OutputFile? = nil, frameHashes: OutputFile? = nil
    ) throws -> PlayerRun {
        let run = PlayerRun(
            .max,
            sinks: .files(
                pictures: pictures?.target, sound: sound?.target, frameHashes: frameHashes?.target,
                onFailure: { _ in }))
        try run.playToEnd(path)
        return run
    }

    // MARK: Frame hashes

    private static let fixtures = media(in: URL(filePath: Fixture.path("")))

    /// More media, where the environment says that there are some.
    private static let moreMedia: [String] = {
        guard let folder = ProcessInfo.processInfo.environment["KIT_MEDIA_DIR"] else { return [] }
        return media(in: URL(filePath: folder))
    }()

    private static func media(in folder: URL) -> [String] {
        let extensions: Set = ["flv", "m3u8", "m4a", "mkv", "mov", "mp4", "ts", "webm"]
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return (files?.compactMap { $0 as? URL } ?? []).filter { extensions.contains($0.pathExtension) }.map(\.path)
            .sorted()
    }

    /// Those that nothing can be played of.
    private static let unplayable: Set = [
        "cut-head.mp4", "empty.mp4", "subtitles.mkv", "text.mp4", "unknown-video.mp4",
    ]

    /// - Parameter mayFail: what cannot be opened has no hashes here and may have some there.
    private func expectHashesOfFFmpeg(_ path: String, mayFail: Bool) throws {
        let hashes = OutputFile("hashes", in: directory)
        let run = try play(path, frameHashes: hashes)
        let track = run.events.first { $0.type == .rendition }?.text
        let expected = try FFmpeg.output(
            of: [
                "-copyts", "-i", path, "-map", "0:\(track ?? "v")", "-enc_time_base", "-1", "-fps_mode", "passthrough",
                "-bitexact",
                "-f", "framemd5",
            ], in: directory)
        guard run.media != nil else {
            #expect(mayFail)
            return
        }
        #expect(hashes.text == String(decoding: expected, as: UTF8.self))
        #expect(hashes.lines.count == Int(run.counts.presented))
    }

    @Test(.enabled(if: FFmpeg.tool.isInstalled, "ffmpeg is not installed"), arguments: fixtures)
    func frameHashesAreThoseOfFFmpeg(path: String) throws {
        try expectHashesOfFFmpeg(path, mayFail: Self.unplayable.contains(URL(filePath: path).lastPathComponent))
    }

    @Test(
        .enabled(if: FFmpeg.tool.isInstalled, "ffmpeg is not installed"),
        .enabled(if: !moreMedia.isEmpty, "KIT_MEDIA_DIR names no folder of media"), arguments: moreMedia)
    func frameHashesOfMoreMediaAreThoseOfFFmpeg(path: String) throws {
        try expectHashesOfFFmpeg(path, mayFail: true)
    }

    // MARK: Pictures and sound

    @Test(.enabled(if: FFmpeg.tool.isInstalled, "ffmpeg is not installed"), arguments: ["clip.mp4", "clip.ts"])
    func aPictureFileIsThatOfFFmpeg(name: String) throws {
        let pictures = OutputFile("out.y4m", in: directory)
        _ = try play(Fixture.path(name), pictures: pictures)
        let expected = try FFmpeg.output(
            of: ["-i", Fixture.path(name), "-map", "0:v", "-fps_mode", "passthrough", "-f", "yuv4mpegpipe"],
            in: directory)
        #expect(!expected.isEmpty)
        #expect(pictures.bytes == expected)
    }

    @Test(.enabled(if: FFmpeg.tool.isInstalled, "ffmpeg is not installed"), arguments: ["clip.mp4", "audio-only.m4a"])
    func aSoundFileIsThatOfFFmpeg(name: String) throws {
        let sound = OutputFile("out.wav", in: directory)
        _ = try play(Fixture.path(name), sound: sound)
        let expected = try FFmpeg.output(
            of: ["-i", Fixture.path(name), "-map", "0:a", "-bitexact", "-rf64", "auto", "-f", "wav"], in: directory)
        #expect(!expected.isEmpty)
        #expect(sound.bytes == expected)
    }

    @Test(
        .enabled(if: FFmpeg.tool.isInstalled, "ffmpeg is not installed"),
        arguments: [
            ("yuv420p", "C420jpeg XYSCSS=420JPEG"), ("yuvj420p", "C420jpeg XYSCSS=420JPEG XCOLORRANGE=FULL"),
            ("yuv444p10le", "C444p10 XYSCSS=444P10"), ("gray", "Cmono"),
            ("bgra", "C444 XYSCSS=444"), ("yuv440p", "C444 XYSCSS=444"), ("yuva420p", "C420jpeg XYSCSS=420JPEG"),
        ])
    func aPixelFormatThatYUV4MPEGLacksBecomesTheNearestThatItHas(format: String, header: String) throws {
        let codec = format == "yuvj420p" ? "mjpeg" : "ffv1"
        let source = try FFmpeg.make(
            "source.mkv", in: directory,
            ["-f", "lavfi", "-i", "testsrc=size=33x17:rate=25:duration=0.2", "-pix_fmt", format, "-c:v", codec])
        let pictures = OutputFile("out.y4m", in: directory)
        let run = try play(source, pictures: pictures)
        #expect(run.failures.isEmpty)
        let line = String(decoding: pictures.bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        #expect(line.hasPrefix("YUV4MPEG2 W33 H17 F25:1 Ip "))
        #expect(line.contains(" \(header)"))
    }

    @Test(.enabled(if: FFmpeg.tool.isInstalled, "ffmpeg is not installed"))
    func picturesThatChangeSizeAreBroughtToTheFirstSize() throws {
        let picture = ["-c:v", "mpeg2video", "-f", "mpegts"]
        let parts = try ["160x120", "96x64"].map { size in
            try FFmpeg.make(
                size, in: directory, ["-f", "lavfi", "-i", "testsrc=size=\(size):rate=25:duration=0.4"] + picture)
        }
        let source = try directory.write(try parts.flatMap { try Data(contentsOf: URL(filePath: $0)) }, to: "both.ts")
        let (pictures, hashes) = (OutputFile("out.y4m", in: directory), OutputFile("hashes", in: directory))
        let run = try play(source, pictures: pictures, frameHashes: hashes)
        #expect(run.failures.isEmpty)
        #expect(run.count(.videoSize) == 2)
        let count = Int(run.counts.presented)
        #expect(count > 15)
        let header = pictures.bytes.prefix { $0 != UInt8(ascii: "\n") }.count + 1
        #expect(pictures.bytes.count == header + count * ("FRAME\n".count + 160 * 120 * 3 / 2))
        // Hashes are of what was presented, under one header, although time goes back.
        #expect(hashes.lines.count == count)
        #expect(hashes.lines.last?.contains("\(96 * 64 * 3 / 2), ") == true)
        #expect(hashes.text.components(separatedBy: "#format").count == 2)
    }

    @Test(.enabled(if: FFmpeg.tool.isInstalled, "ffmpeg is not installed"))
    func samplesThatChangeFormatAreBroughtToTheFirst() throws {
        let parts = try [("44100", "2"), ("48000", "1")].map { rate, channels in
            try FFmpeg.make(
                rate, in: directory,
                ["-f", "lavfi", "-i", "sine=duration=1", "-ar", rate, "-ac", channels, "-c:a", "ac3", "-f", "ac3"])
        }
        let source = try directory.write(try parts.flatMap { try Data(contentsOf: URL(filePath: $0)) }, to: "both.ac3")
        let sound = OutputFile("out.wav", in: directory)
        let run = try play(source, sound: sound)
        #expect(run.failures.isEmpty)
        let probe = try CommandLineTool("ffprobe").run([
            "-v", "error", "-show_entries", "stream=sample_rate,channels,codec_name:format=duration", "-of", "csv=p=0",
            sound.path,
        ])
        let fields = probe.output.split { $0 == "," || $0 == "\n" }
        #expect(fields.prefix(3) == ["pcm_s16le", "44100", "2"])
        #expect(abs((fields.last.flatMap { Double($0) } ?? 0) - 2) < 0.1)
    }

    // MARK: What can go wrong

    @Test func anOutputThatTakesNothingIsToldOfOnceAndPlaybackGoesOn() throws {
        let full = OutputDescriptor(descriptor: unsafe open("/dev/full", O_WRONLY | O_CLOEXEC), name: "full")
        defer { close(full.descriptor) }
        let hashes = OutputFile("hashes", in: directory)
        let told = Mutex<[PlayerError]>([])
        let run = PlayerRun(
            .max,
            sinks: .files(
                pictures: full, sound: full, frameHashes: hashes.target,
                onFailure: { error in told.withLock { $0.append(error) } }))
        try run.playToEnd(Fixture.path("clip.mp4"))
        #expect(run.failures.map(\.error.message) == told.withLock { $0.map(\.message) })
        #expect(run.failures.allSatisfy { !$0.isFatal && $0.error.code == .sinkFailed })
        #expect(
            Set(run.failures.map(\.error.message)) == [
                "The pictures could not be written to full", "The sound could not be written to full",
            ])
        #expect(run.failures.count == 2)
        #expect(run.states.last == .completed)
        #expect(hashes.lines.count == 50)
    }

    @Test func anOutputThatGetsNothingIsToldOf() throws {
        let (pictures, sound) = (OutputFile("out.y4m", in: directory), OutputFile("out.wav", in: directory))
        let silent = try play(Fixture.path("video-only.mp4"), sound: sound)
        #expect(silent.failures.map(\.error.message) == ["No sound was presented, so out.wav is empty"])
        let blind = try play(Fixture.path("audio-only.m4a"), pictures: pictures)
        #expect(blind.failures.map(\.error.message) == ["No picture was presented, so out.y4m is empty"])
        #expect(pictures.bytes.isEmpty && sound.bytes.isEmpty)
    }

    @Test func aFileThatIsStoppedInTheMiddleIsComplete() throws {
        let (sound, hashes) = (OutputFile("out.wav", in: directory), OutputFile("hashes", in: directory))
        let run = PlayerRun(
            .realTime,
            sinks: .files(pictures: nil, sound: sound.target, frameHashes: hashes.target, onFailure: { _ in }))
        try run.play(Fixture.path("clip.mp4"))
        run.wait("sound") { $0.type == .firstAudio }
        run.player.stop()
        #expect(hashes.text.hasSuffix("\n"))
        let bytes = sound.bytes
        #expect(bytes.prefix(4) == Data("RIFF".utf8))
        let size = bytes.dropFirst(4).prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        #expect(size == bytes.count - 8)
    }

    @Test func aPipeThatNobodyReadsDoesNotKeepThePlayerFromStopping() throws {
        let pipe = Pipe()
        let target = OutputDescriptor(descriptor: pipe.fileHandleForWriting.fileDescriptor, name: "pipe")
        let run = PlayerRun(
            .max, sinks: .files(pictures: target, sound: nil, frameHashes: nil, onFailure: { _ in }))
        try run.play(Fixture.path("clip.mp4"))
        run.wait("a picture") { $0.type == .firstVideoFrame }
        run.player.stop()
        #expect(run.player.state == .stopped)
    }

    @Test func aReaderThatGoesAwayIsNoFailure() throws {
        signal(SIGPIPE, SIG_IGN)
        let pipe = Pipe()
        try pipe.fileHandleForReading.close()
        let target = OutputDescriptor(descriptor: pipe.fileHandleForWriting.fileDescriptor, name: "pipe")
        let run = PlayerRun(
            .max, sinks: .files(pictures: target, sound: nil, frameHashes: nil, onFailure: { _ in }))
        try run.playToEnd(Fixture.path("clip.mp4"))
        #expect(run.failures.isEmpty)
        #expect(run.counts.presented == 50)
    }
}
