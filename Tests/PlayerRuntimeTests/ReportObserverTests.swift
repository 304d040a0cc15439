// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MediaCore
import PlayerRuntime
import Sessions
import Synchronization
import TestSupport
import Testing

@Suite("An observer of reports")
struct ReportObserverTests {
    final class Observer: ReportObserver {
        let journal = Journal()

        func strategyDidReport(_ entry: ReportEntry, instance: String) {
            var value = ""
            if case .int(let number)? = entry.fields.first?.value { value = " \(number)" }
            journal.note("\(instance) \(entry.kind) \(entry.name)\(value)")
        }

        func strategiesDidFinish(_ session: SessionID) { journal.note("finish") }
        func strategiesDidEnd() { journal.note("end") }
    }

    let stage = FakeStage()

    /// A monitor that reports a record and an occurrence with each batch.
    private func monitor() -> FakeMonitor {
        FakeMonitor("watcher") { events, reports in
            let session = events.last?.session ?? .none
            let number = ReportEntry.Value.int(Int64(events.count))
            reports.emit(ReportEntry(.record, session: session, name: "count", fields: [.init("events", number)]))
        }
    }

    @Test("hears every report before the session's end, and the end of the controller")
    func order() {
        let controller = PlayerController(environment: stage.environment)
        let observer = Observer()
        controller.addReportObserver(observer)
        controller.strategyManager.register(monitor())
        controller.configure(stage.model())
        stage.deliver()
        #expect(observer.journal.lines.last?.hasPrefix("watcher record count") == true)
        controller.stop()
        stage.deliver()
        #expect(observer.journal.lines.last == "finish")
        controller.destroy()
        stage.deliver()
        #expect(observer.journal.lines.last == "end")
        #expect(observer.journal.lines.filter { $0 == "finish" }.count == 1)
    }

    @Test("hears the last reports of a controller that is destroyed while it plays")
    func destroyed() {
        let controller = PlayerController(environment: stage.environment)
        let observer = Observer()
        controller.addReportObserver(observer)
        controller.strategyManager.register(monitor())
        controller.configure(stage.model())
        controller.destroy()
        stage.deliver()
        #expect(observer.journal.lines.suffix(2) == ["finish", "end"])
        #expect(observer.journal.lines.dropLast(2).last?.hasPrefix("watcher record count") == true)
    }

    @Test("that was removed, or comes after the end, hears no report")
    func removed() {
        let controller = PlayerController(environment: stage.environment)
        let (removed, late) = (Observer(), Observer())
        controller.addReportObserver(removed)
        controller.removeReportObserver(removed)
        controller.strategyManager.register(monitor())
        controller.configure(stage.model())
        controller.destroy()
        controller.addReportObserver(late)
        stage.deliver()
        #expect(removed.journal.lines.isEmpty)
        #expect(late.journal.lines == ["end"])
    }

    @Test("of records that wait hears only the newest, and a queue that does not drain costs no memory")
    func merged() {
        let controller = PlayerController(environment: stage.environment)
        let observer = Observer()
        controller.addReportObserver(observer)
        controller.configure(stage.model())
        let flood = FakeMonitor("flood") { events, reports in
            let session = events.last?.session ?? .none
            for number in 0..<5000 {
                reports.emit(
                    ReportEntry(
                        .record, session: session, name: "count", fields: [.init("n", .int(Int64(number)))]))
            }
            for _ in 0..<5000 { reports.emit(ReportEntry(.occurrence, session: session, name: "one", fields: [])) }
        }
        stage.deliveryQueue.suspend()
        controller.strategyManager.register(flood)
        stage.environment.dispatcher.barrier()
        stage.deliveryQueue.resume()
        stage.deliver()
        #expect(observer.journal.lines.filter { $0.hasPrefix("flood record") }.count <= 2)
        #expect(observer.journal.lines.count <= 1024 + 2)
        controller.destroy()
    }
}
