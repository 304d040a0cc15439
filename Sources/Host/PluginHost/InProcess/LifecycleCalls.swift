// SPDX-License-Identifier: Apache-2.0

internal import FaultGuard
internal import PlayerRuntime
internal import PluginABI
internal import Sessions

/// A lifecycle instance as its plugin sees it: one request, one answer.
///
/// Thread: one at a time, as `PluginInstance`.
final class LifecycleCalls {
    private let instance: PluginInstance
    private let question = RequestBuffer()
    private let answer = DecisionRecord()

    init(instance: PluginInstance) {
        self.instance = instance
    }

    func create(options: [PluginOption]) {
        instance.create(kind: KIT_KIND_LIFECYCLE, options: options)
    }

    /// Asks for one decision. What goes wrong is recorded.
    ///
    /// - Returns: nil for a decline.
    func decide(_ request: PoolRequest) throws(PluginFault) -> PoolDecision? {
        let (instance, question) = (instance, question)
        guard let lifecycle = unsafe instance.library.lifecycle, !instance.record.isOver else {
            throw instance.lastFault
        }
        return try unsafe answer.answer(to: request) { decision in
            unsafe question.lend(request) { request in
                unsafe instance.run("decide", milliseconds: instance.deadlines.decide) { text in
                    unsafe fault_guard_decide(lifecycle, instance.pointer, request, decision, text)
                }
            }
        } _: { result, decision throws(PluginFault) in
            switch result {
            case .ok:
                do throws(InvalidDecision) {
                    return try decision()
                } catch {
                    let fault = instance.fault(
                        .invalidDecision, "decide", "gave a decision that cannot be carried out: \(error)")
                    instance.record.add(fault, isFinal: false)
                    throw PluginFault(fault)
                }
            case .decline: return nil
            default: throw instance.lastFault
            }
        }
    }

    func destroy() {
        instance.destroy()
    }
}

extension PluginInstance {
    /// What the last failed call recorded.
    var lastFault: PluginFault {
        PluginFault(record.lastFault ?? fault(.error, "decide", "is not possible: the instance has ended"))
    }
}
