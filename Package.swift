// swift-tools-version: 6.3
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// Every import rule of docs/architecture.md is a target dependency here, so breaking one fails the build.

let swiftSettings: [SwiftSetting] = [
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let cSettings: [CSetting] = [
    .define("_GNU_SOURCE")
]

let package = Package(
    name: "PlayerKit",
    products: [
        .executable(name: "kitshell", targets: ["kitshell"]),
        .executable(name: "kit-worker", targets: ["kit-worker"]),
        .library(name: "PlayerKit", targets: ["PlayerKit"]),
    ],
    targets: [],
    cLanguageStandard: .c11,
    cxxLanguageStandard: .cxx17
)

// MARK: C libraries of the system

package.targets += [
    // Headers only: the library is loaded when it is first needed.
    .systemLibrary(
        name: "CCurl", path: "Sources/Host/CCurl",
        providers: [.apt(["libcurl4-gnutls-dev"])]),
    .systemLibrary(
        name: "CElf", path: "Sources/Host/CElf", pkgConfig: "libelf",
        providers: [.apt(["libelf-dev"])]),
    .systemLibrary(
        name: "CJansson", path: "Sources/Host/CJansson", pkgConfig: "jansson",
        providers: [.apt(["libjansson-dev"])]),
    .systemLibrary(name: "CLinux", path: "Sources/Host/CLinux"),
    // Without pkgConfig, which would link it: it is loaded when it is needed.
    .systemLibrary(
        name: "CSystemd", path: "Sources/Host/CSystemd", providers: [.apt(["libsystemd-dev"])]),
    .systemLibrary(
        name: "CLibAV", path: "Sources/Host/CLibAV",
        pkgConfig: "libavformat libavcodec libavutil libswscale libswresample",
        providers: [
            .apt([
                "libavformat-dev", "libavcodec-dev", "libavutil-dev", "libswscale-dev",
                "libswresample-dev",
            ])
        ]),
]

// MARK: PluginABI

package.targets.append(.target(name: "PluginABI"))

// MARK: Host

package.targets += [
    .target(
        name: "FaultGuard",
        dependencies: ["PluginABI"],
        path: "Sources/Host/FaultGuard"),
    .target(
        name: "JSONText",
        dependencies: ["CJansson"],
        path: "Sources/Host/JSONText"),
    .target(
        name: "MachineNetwork",
        dependencies: ["CLinux", "CSystemd", "MediaCore"],
        path: "Sources/Host/MachineNetwork"),
    .target(
        name: "MediaCore",
        dependencies: ["CLinux"],
        path: "Sources/Host/MediaCore"),
    .target(
        name: "PlayerEngine",
        dependencies: ["CCurl", "CLibAV", "CLinux", "MediaCore"],
        path: "Sources/Host/PlayerEngine"),
    .target(
        name: "PlayerKit",
        dependencies: [
            "JSONText",
            "MachineNetwork",
            "MediaCore",
            "PlayerEngine",
            "PlayerRuntime",
            "PluginHost",
            "Sessions",
        ],
        path: "Sources/Host/PlayerKit",
        exclude: ["Schemas"]),
    .target(
        name: "PlayerRuntime",
        dependencies: ["MediaCore", "Sessions"],
        path: "Sources/Host/PlayerRuntime"),
    .target(
        name: "PluginHost",
        dependencies: [
            "CElf",
            "CLinux",
            "FaultGuard",
            "JSONText",
            "MediaCore",
            "PlayerRuntime",
            "PluginABI",
            "Sessions",
            "WorkerWire",
        ],
        path: "Sources/Host/PluginHost"),
    .target(
        name: "Sessions",
        dependencies: ["JSONText", "MediaCore"],
        path: "Sources/Host/Sessions"),
    .executableTarget(
        name: "kit-worker",
        dependencies: ["PluginABI", "WorkerWire"],
        path: "Sources/Host/Worker",
        cSettings: cSettings,
        linkerSettings: [.linkedLibrary("seccomp")]),
    .target(
        name: "WorkerWire",
        dependencies: ["PluginABI"],
        path: "Sources/Host/WorkerWire"),
]

// MARK: Plugins

package.targets += [
    .target(
        name: "PluginStrategies",
        dependencies: ["PluginABI", "PluginSupport"],
        path: "Sources/Plugins/Strategies"),
    .target(
        name: "PluginSupport",
        dependencies: ["PluginABI"],
        path: "Sources/Plugins/Support"),
]

/// One built-in strategy: a Swift entry, a C file with its notes, and the shared library made of both.
@MainActor
func builtin(_ product: String, folder: String) {
    package.targets += [
        .target(
            name: "\(folder)Note",
            dependencies: ["PluginABI"],
            path: "Sources/Plugins/\(folder)/Note"),
        .target(
            name: "\(folder)Plugin",
            dependencies: [
                .target(name: "\(folder)Note"),
                "PluginABI",
                "PluginStrategies",
                "PluginSupport",
            ],
            path: "Sources/Plugins/\(folder)",
            exclude: ["Note"],
            linkerSettings: [
                .unsafeFlags([
                    "-Xlinker", "--version-script=\(Context.packageDirectory)/Sources/Plugins/exports.map",
                ])
            ]),
    ]
    package.products.append(
        .library(name: product, type: .dynamic, targets: ["\(folder)Plugin"]))
}

builtin("default", folder: "DefaultLifecycle")
builtin("first-frame", folder: "FirstFrame")
builtin("id-scoped-pool", folder: "IdScopedPool")
builtin("reuse-pool", folder: "ReusePool")
builtin("singleton", folder: "Singleton")
builtin("stutter-detect", folder: "StutterDetect")
builtin("traffic-protection", folder: "TrafficProtection")

// MARK: kitshell

package.targets.append(
    .executableTarget(
        name: "kitshell",
        dependencies: ["CLinux", "JSONText", "MediaCore", "PlayerKit"]))

// MARK: Tests

package.targets.append(
    .testTarget(
        name: "PluginInProcessTests",
        dependencies: ["MediaCore", "PlayerRuntime", "PluginABI", "PluginHost", "Sessions", "TestSupport"],
        path: "Tests/PluginInProcessTests"))
package.targets.append(
    .testTarget(
        name: "PluginStrategiesTests", dependencies: ["PluginABI", "PluginStrategies", "PluginSupport"],
        path: "Tests/PluginStrategiesTests"))
package.targets.append(
    .testTarget(
        name: "LifecycleStrategyTests",
        dependencies: [
            "MediaCore", "PlayerRuntime", "PluginHost", "PluginStrategies", "PluginSupport", "Sessions", "TestSupport",
        ],
        path: "Tests/LifecycleStrategyTests"))
package.targets.append(
    .testTarget(name: "JSONTextTests", dependencies: ["JSONText", "TestSupport"], path: "Tests/JSONTextTests"))

package.targets.append(
    .testTarget(
        name: "SessionsTests", dependencies: ["JSONText", "MediaCore", "PluginABI", "Sessions", "TestSupport"],
        path: "Tests/SessionsTests"))
package.targets.append(
    .testTarget(
        name: "KitshellTests",
        dependencies: ["JSONText", "MediaCore", "PlayerKit", "Sessions", "TestSupport", "kitshell"],
        path: "Tests/KitshellTests",
        resources: [.copy("Fixtures")]))
package.targets.append(
    .target(
        name: "TestSupport", dependencies: ["JSONText", "MediaCore", "PlayerRuntime", "Sessions"],
        path: "Tests/Support", exclude: ["Golden"]))
// The runner of the hostile corpus. Its fixtures are built by it, with the compilers of whoever writes plugins.
package.targets.append(
    .executableTarget(
        name: "kit-corpus", dependencies: ["JSONText", "TestSupport"], path: "Tests/Corpus/Runner"))
package.targets.append(
    .testTarget(
        name: "EndToEndTests", dependencies: ["JSONText", "TestSupport"], path: "Tests/EndToEndTests"))
package.targets.append(
    .testTarget(
        name: "CaseTests",
        dependencies: [
            "JSONText", "MediaCore", "PlayerEngine", "PlayerRuntime", "PluginHost", "Sessions", "TestSupport",
        ],
        path: "Tests/CaseTests"))
package.targets.append(
    .testTarget(
        name: "IsolationTests",
        dependencies: ["JSONText", "MediaCore", "PlayerKit", "PlayerRuntime", "PluginHost", "Sessions", "TestSupport"],
        path: "Tests/IsolationTests", exclude: ["Fixtures"]))
package.targets.append(
    .testTarget(
        name: "PluginInspectTests", dependencies: ["MediaCore", "PluginHost", "TestSupport"],
        path: "Tests/PluginInspectTests"))
package.targets.append(
    .testTarget(
        name: "PluginABITests", dependencies: ["MediaCore", "PlayerRuntime", "PluginABI", "TestSupport"],
        path: "Tests/PluginABITests", exclude: ["abi-v1.golden", "abi-v1.0.golden"]))
package.targets.append(
    .testTarget(
        name: "PlayerEngineTests", dependencies: ["MediaCore", "PlayerEngine", "TestSupport"],
        path: "Tests/PlayerEngineTests", exclude: ["Fixtures"]))
package.targets.append(
    .testTarget(
        name: "PluginWorkerTests",
        dependencies: [
            "JSONText", "MediaCore", "PlayerRuntime", "PluginHost", "Sessions", "TestSupport", "WorkerWire",
        ],
        path: "Tests/PluginWorkerTests",
        exclude: ["Fixtures"]))
package.targets.append(
    .testTarget(
        name: "MachineNetworkTests", dependencies: ["MachineNetwork", "MediaCore", "TestSupport"],
        path: "Tests/MachineNetworkTests", exclude: ["Fixtures"]))
package.targets.append(
    .testTarget(name: "MediaCoreTests", dependencies: ["MediaCore", "TestSupport"], path: "Tests/MediaCoreTests"))
package.targets.append(
    .testTarget(
        name: "PlayerKitTests", dependencies: ["PlayerKit", "PluginHost", "TestSupport"], path: "Tests/PlayerKitTests"))
package.targets.append(
    .testTarget(
        name: "PlayerRuntimeTests", dependencies: ["MediaCore", "PlayerRuntime", "Sessions", "TestSupport"],
        path: "Tests/PlayerRuntimeTests"))

for target in package.targets where target.type != .system {
    let isSwift =
        !["PluginABI", "FaultGuard", "WorkerWire", "kit-worker"].contains(target.name)
        && !target.name.hasSuffix("Note")
    if isSwift { target.swiftSettings = swiftSettings }
}
