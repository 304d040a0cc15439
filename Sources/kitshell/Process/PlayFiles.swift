// SPDX-License-Identifier: Apache-2.0

internal import PlayerKit

/// What a run of `play` writes besides its reports. Opened before anything runs, cleared only when it does.
struct PlayFiles {
    let record: OutputFile?
    let pictures: OutputFile?
    let sound: OutputFile?
    let frameHashes: OutputFile?

    /// - Parameter others: paths of what the run reads, and of its reports.
    /// - Throws: `PlayerError` for a file that cannot be written or that the run uses for something else.
    init(_ options: PlayOptions, sparing others: [String]) throws(PlayerError) {
        var taken = others
        func open(_ path: String?, for option: String) throws(PlayerError) -> OutputFile? {
            guard let path else { return nil }
            let file = try OutputFile(path: path, for: option, sparing: taken)
            taken.append(path)
            return file
        }
        record = try open(options.recordFile, for: "--record")
        pictures = try open(options.pictureFile, for: "--video-sink")
        sound = try open(options.soundFile, for: "--audio-sink")
        frameHashes = try open(options.hashFile, for: "--frame-hashes")
    }

    func clear() {
        for file in [record, pictures, sound, frameHashes] { file?.clear() }
    }
}
