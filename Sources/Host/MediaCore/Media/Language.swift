// SPDX-License-Identifier: Apache-2.0

/// A language tag as containers and users write it: `en`, `eng`, `en-GB`, `EN_gb`.
struct Language {
    private let parts: [Substring]

    init(_ tag: String) {
        parts = tag.lowercased().split { $0 == "-" || $0 == "_" }
    }

    /// Whether this is the wanted language or a variety of it. Two letters stand for the three of the same language.
    func matches(_ wanted: Language) -> Bool {
        guard let mine = parts.first, let theirs = wanted.parts.first else { return false }
        guard Language.name(mine) == Language.name(theirs) else { return false }
        return wanted.parts.count == 1 || wanted.parts.dropFirst() == parts.dropFirst()
    }

    /// One spelling for those that ISO 639 has several of.
    private static func name(_ tag: Substring) -> Substring {
        guard tag.count == 3 else { return tag }
        return twoLetters[tag] ?? tag
    }

    /// ISO 639-2, bibliographic and terminological, to ISO 639-1, for the languages that most media are in.
    private static let twoLetters: [Substring: Substring] = [
        "ara": "ar", "ben": "bn", "bul": "bg", "cat": "ca", "ces": "cs", "cze": "cs", "chi": "zh", "zho": "zh",
        "dan": "da", "deu": "de", "ger": "de", "ell": "el", "gre": "el", "eng": "en", "est": "et", "fas": "fa",
        "per": "fa", "fin": "fi", "fra": "fr", "fre": "fr", "heb": "he", "hin": "hi", "hrv": "hr", "hun": "hu",
        "ind": "id", "isl": "is", "ice": "is", "ita": "it", "jpn": "ja", "kor": "ko", "lav": "lv", "lit": "lt",
        "may": "ms", "msa": "ms", "nld": "nl", "dut": "nl", "nor": "no", "pol": "pl", "por": "pt", "ron": "ro",
        "rum": "ro", "rus": "ru", "slk": "sk", "slo": "sk", "slv": "sl", "spa": "es", "srp": "sr", "swe": "sv",
        "tam": "ta", "tel": "te", "tha": "th", "tur": "tr", "ukr": "uk", "urd": "ur", "vie": "vi",
    ]
}
