// SPDX-License-Identifier: Apache-2.0

extension LogHub {
    /// Logs a verbose line.
    public func v(
        _ tag: String, _ message: @autoclosure () -> String, file: String = #fileID, line: Int = #line
    ) {
        log(.verbose, tag: tag, message(), file: file, line: line)
    }

    /// Logs a debug line.
    public func d(
        _ tag: String, _ message: @autoclosure () -> String, file: String = #fileID, line: Int = #line
    ) {
        log(.debug, tag: tag, message(), file: file, line: line)
    }

    /// Logs an info line.
    public func i(
        _ tag: String, _ message: @autoclosure () -> String, file: String = #fileID, line: Int = #line
    ) {
        log(.info, tag: tag, message(), file: file, line: line)
    }

    /// Logs a warning.
    public func w(
        _ tag: String, _ message: @autoclosure () -> String, error: (any Error)? = nil, file: String = #fileID,
        line: Int = #line
    ) {
        log(.warn, tag: tag, message(), error: error, file: file, line: line)
    }

    /// Logs an error.
    public func e(
        _ tag: String, _ message: @autoclosure () -> String, error: (any Error)? = nil, file: String = #fileID,
        line: Int = #line
    ) {
        log(.error, tag: tag, message(), error: error, file: file, line: line)
    }

    /// The letter of a level: V, D, I, W, E, N.
    public static func levelToString(_ level: LogLevel) -> String { level.letter }

    /// The level of a name or letter; nil if it is neither.
    public static func stringToLevel(_ text: String) -> LogLevel? { LogLevel(text) }
}
