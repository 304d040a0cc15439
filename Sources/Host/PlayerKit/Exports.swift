// SPDX-License-Identifier: Apache-2.0

// Who embeds the kit imports PlayerKit alone.
@_exported public import JSONText
@_exported public import MediaCore
@_exported public import PlayerRuntime
@_exported public import Sessions
