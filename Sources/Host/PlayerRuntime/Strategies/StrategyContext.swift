// SPDX-License-Identifier: Apache-2.0

/// What a strategy may see of its controller.
public final class StrategyContext: Sendable {}
