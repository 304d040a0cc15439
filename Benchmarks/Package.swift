// swift-tools-version: 6.3
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// A package of its own: it sees what an embedder sees, the library product and its public symbols.

let package = Package(
    name: "Benchmarks",
    dependencies: [
        .package(name: "PlayerKit", path: "..")
    ],
    targets: [
        .systemLibrary(name: "CLibAVBaseline", pkgConfig: "libavformat libavcodec libavutil"),
        .target(name: "CAffinity"),
        .target(name: "CAllocations"),
        .target(name: "CFirstFrame", dependencies: ["CLibAVBaseline"]),
        .target(name: "CFutex"),
        .executableTarget(
            name: "bench",
            dependencies: [
                "CAffinity",
                "CAllocations",
                "CFirstFrame",
                "CFutex",
                .product(name: "PlayerKit", package: "PlayerKit"),
            ]),
    ]
)
