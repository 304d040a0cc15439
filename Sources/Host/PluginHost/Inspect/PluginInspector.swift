// SPDX-License-Identifier: Apache-2.0

internal import CElf
internal import PluginABI

/// Reads plugin files without running any of them.
///
/// Thread: any; blocks for the reading of a few pages, and of the whole file if a hash is asked for.
package enum PluginInspector {
    /// Reads what a file claims to be and gives a verdict. Never fails: what went wrong is the verdict.
    ///
    /// - Parameters:
    ///   - hashing: whether to compute the SHA-256, which reads the whole file, also where nobody demands one.
    package static func inspect(
        path: String, policy: LoadPolicy = LoadPolicy(origin: .stranger), hashing: Bool = false,
        host: HostABI = .current
    ) -> PluginInspection {
        var inspection = PluginInspection(path: path)
        do {
            let file = try LoadRules.open(path: path)
            inspection.identity = file.status.identity
            if hashing || policy.sha256 != nil { inspection.sha256 = try SHA256.digest(of: file) }
            try inspection.read(file, host: host)
            try inspection.judge(policy: policy)
            inspection.refusal = LoadRules.permissionRefusal(of: file, policy: policy)
        } catch {
            inspection.refusal = error
        }
        return inspection
    }
}

extension PluginInspection {
    /// Fills in everything that can be read, as far as the file allows it; the first thing that is wrong ends it.
    fileprivate mutating func read(_ file: borrowing CheckedFile, host: HostABI) throws(Refusal) {
        let header = ElfHeader(try file.read(at: 0, count: ElfHeader.size), fileSize: file.size)
        architecture = header.architecture
        if let refusal = header.refusal { throw refusal }
        let elf = try ElfFile(file, header: header)
        try PluginInspection.requireWholeSegments(elf.segments, fileSize: file.size)
        let dynamic = try DynamicInfo(elf)
        exports = dynamic.symbols.filter(\.isDefined).map(\.name).sorted()
        imports = dynamic.symbols.filter { !$0.isDefined }.map(\.name).sorted()
        needs = SystemLibraries.locate(dynamic, pluginPath: path)
        if dynamic.isExecutable { throw ElfHeader.executable }

        try readNotes(elf, host: host)
        try LinkRules.check(dynamic, segments: elf.segments)
        warnings += LinkRules.warnings(
            of: dynamic, segments: elf.segments, needs: needs,
            searched: SystemLibraries.searchedDirectories(dynamic, pluginPath: path))
    }

    private mutating func readNotes(_ elf: borrowing ElfFile, host: HostABI) throws(Refusal) {
        var notes: [ElfFile.Note] = []
        for segment in elf.segments where segment.type == PT_NOTE {
            notes += try elf.notes(in: segment, limit: NoteReader.largestSegment)
        }
        let ours = try NoteReader.pick(notes)
        let note = try NoteReader.identity(ours.identity)
        self.note = note
        warnings += NoteReader.warnings(of: note)
        if let refusal = NoteReader.versionRefusal(of: note, host: host) { throw refusal }
        let table = if let json = ours.options { try OptionTable(json: json) } else { OptionTable() }
        options = table
        if !table.unknownMembers.isEmpty {
            let names = table.unknownMembers.prefix(8).joined(separator: ", ")
            warnings.append(
                Warning(
                    code: .unknownMembers,
                    message:
                        "Its option table has members that this host does not know (\(names)); they have no effect."))
        }
    }

    fileprivate func judge(policy: LoadPolicy) throws(Refusal) {
        if let wanted = policy.sha256, let sha256, sha256 != wanted {
            throw Refusal(
                .hashMismatch, "the file has the SHA-256 \(sha256), wanted is \(wanted)",
                hint: "Put the file back that was meant, or write down its new hash if you trust it.")
        }
        guard let note, policy.origin == .stranger else { return }
        if note.isReservedID {
            throw Refusal(
                .reservedID,
                "the plugin's id \"\(note.id)\" has no dot, such ids are reserved for the strategies of the product",
                hint: "Give it an id in reverse DNS form, as in com.example.\(note.id).")
        }
        // The loader binds its uses of such a name to whatever the host or its libraries offer under it first.
        if policy.sharesProcess, let extra = warnings.first(where: { $0.code == .extraExports }) {
            throw Refusal(
                .extraExports, "the file exports more than its entry, which is not allowed in the host's own process",
                hint: extra.message)
        }
    }

    /// A segment that ends beyond the file is a bus error inside `dlopen`.
    private static func requireWholeSegments(_ segments: [ElfFile.Segment], fileSize: UInt64) throws(Refusal) {
        var lastEnd: UInt64 = 0
        let loaded = segments.filter { $0.type == PT_LOAD }
        if loaded.isEmpty { throw ElfHeader.malformed("it has no segment to load") }
        for segment in loaded {
            let (end, overflow) = segment.offset.addingReportingOverflow(segment.fileSize)
            if overflow || end > fileSize {
                throw ElfHeader.truncated("a segment", end: overflow ? .max : end, fileSize)
            }
            let (addressEnd, addressOverflow) = segment.address.addingReportingOverflow(segment.memorySize)
            if addressOverflow || segment.address < lastEnd || segment.fileSize > segment.memorySize {
                throw ElfHeader.malformed("its segments overlap or are out of order")
            }
            lastEnd = addressEnd
        }
    }
}
