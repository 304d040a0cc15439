// SPDX-License-Identifier: Apache-2.0

package import MediaCore

/// Puts the events of one controller into their place: order, time, session, ticks and session states. Live and replay use the same.
///
/// - An event without a session number belongs to the open session. A `request` opens a session and ends one that is open (reason
///   `switch`). While none is open a play intent, a play state or a seek opens one too; a `request` is then made for it, so
///   that what is delivered says everything. A `source_switch` without a number ends a session and opens the next one, which
///   a `request` at the same time for the same id joins; play intent carries over.
/// - What belongs to no open session is dropped and counted. Network, foreground and background are the machine's: they
///   belong to the session that is open or, if none is, to the next one, where they follow its request.
/// - Time that goes back is clamped and counted. Ticks fill gaps (`TickSchedule`).
///
/// Thread: one at a time. `deliver` must not use the timeline.
package struct ControllerTimeline {
    package let controller: ControllerID
    private let numbering: SessionNumbering

    private var reducer: SessionReducer?
    /// The state of the open session, nil without one. It and the time of its last tick are stored, since they are asked for all the time:
    /// to compute them from the reducer, or outside of this module from anything here, would copy what is large.
    package private(set) var openState: SessionState?
    private var surroundings = SessionReducer.Surroundings()
    private var closed: [SessionRecord] = []
    private var lastSession = SessionID.none
    /// The session that ended last, for one that plays on.
    private var former: Former?
    /// A source switch whose session is not open yet.
    private var switched: Switch?
    /// What the machine did since the former session, the newest of each kind, the network first.
    private var waiting: [PlayerEvent] = []

    private var sequence: UInt64 = 0
    /// The time of the event that was delivered last; nil before the first.
    package private(set) var lastTime: EventTime?
    package private(set) var ticks = TickSchedule(from: .zero)
    private var sticky = StickyEvents()

    /// Events that belonged to no open session, by type.
    package private(set) var dropped: [EventType: UInt64] = [:]
    /// Events whose time was before that of the one delivered before.
    package private(set) var timesClamped: UInt64 = 0

    // Classes, since both are large, mostly not there, and asked for with every event.
    private final class Former: Sendable {
        let request: PlayerEvent
        let end: SessionState?
        let isIntended: Bool
        let continuation: SessionReducer.Continuation?

        init(_ reducer: SessionReducer) {
            request = reducer.request
            end = reducer.end?.state
            isIntended = reducer.isIntended
            continuation = reducer.continuation
        }
    }

    private final class Switch: Sendable {
        let event: PlayerEvent
        let isIntended: Bool

        init(_ event: PlayerEvent, isIntended: Bool) {
            self.event = event
            self.isIntended = isIntended
        }
    }

    package init(controller: ControllerID, numbering: SessionNumbering) {
        self.controller = controller
        self.numbering = numbering
    }

    /// The session that is open, nil if none is.
    package var openSession: SessionID? { openState == nil ? nil : lastSession }

    /// The state of the open session; idle without one.
    package var state: SessionState { openState ?? .idle }

    // MARK: Events

    /// Takes the next event and delivers it, with the ticks due before it and the session states it leads to.
    ///
    /// A `session_state` is passed over: those are made here. So is a player's state that says again how the session ended.
    ///
    /// - Parameter event: becomes what is delivered of it.
    /// - Returns: false if it was dropped and counted.
    @discardableResult
    package mutating func accept(_ event: inout PlayerEvent, deliver: (PlayerEvent) -> Void) -> Bool {
        guard event.type != .sessionState else { return true }
        guard !event.flags.contains(.replayed) else { return drop(event) }
        let isNumbered = event.session != .none
        event.boundNumbers()
        event.controller = controller
        if let lastTime, event.time < lastTime {
            event.time = lastTime
            timesClamped += 1
        }
        if let switched {
            self.switched = nil
            let isMerged =
                event.type == .request && event.session == .none && event.time == switched.event.time
                && event.uniqueID == switched.event.uniqueID
            var request = isMerged ? event : request(after: switched.event)
            open(&request, intended: switched.isIntended, deliver)
            if isMerged { return true }
        }
        switch event.type {
        case .network, .foreground, .background:
            guard openState != nil else {
                wait(event)
                return true
            }
            event.session = lastSession
        case .request:
            guard event.session == .none || event.session > lastSession else { return drop(event) }
            supersede(at: event.time, deliver)
            open(&event, intended: false, deliver)
            return true
        default:
            guard belongs(event) || opens(event, deliver) else { return repeatsEnd(event) || drop(event) }
            event.session = lastSession
        }
        place(&event, deliver)
        if event.type == .sourceSwitch, !isNumbered, let former {
            switched = Switch(event, isIntended: former.isIntended)
        }
        return true
    }

    /// Delivers the ticks that are due at `time` while no event comes.
    package mutating func advance(to time: EventTime, deliver: (PlayerEvent) -> Void) {
        openSwitched(deliver)
        guard openState != nil else { return }
        tick(to: time, including: true, deliver)
    }

    /// Closes the open session without an event that ended it: a log's end. Times count up to its last event or `time`, if later.
    package mutating func finish(at time: EventTime? = nil) {
        switched = nil
        guard let reducer else { return }
        close(reducer.record(at: time ?? reducer.lastTime))
    }

    /// Marks the open session: events of it were lost before they came here.
    package mutating func markIncomplete() {
        reducer?.isIncomplete = true
    }

    // MARK: Results

    /// The open session as of `time`, nil without one.
    package func openRecord(at time: EventTime) -> SessionRecord? {
        reducer?.record(at: time)
    }

    /// The sessions that ended, oldest first; each is handed out once.
    package mutating func takeClosedRecords() -> [SessionRecord] {
        defer { closed = [] }
        return closed
    }

    /// For a late subscriber: the last prepared, first frame, state and network, with their original times and `replayed` set.
    package var replayedEvents: [PlayerEvent] { sticky.replayed }

    // MARK: Sessions

    private func belongs(_ event: PlayerEvent) -> Bool {
        openState != nil && (event.session == .none || event.session == lastSession)
    }

    /// A player tells its state after the event that ended the session.
    private func repeatsEnd(_ event: PlayerEvent) -> Bool {
        guard event.type == .state, openState == nil, event.session == .none || event.session == lastSession else {
            return false
        }
        switch event.playerState {
        case .completed?: return former?.end == .ended
        case .stopped?: return former?.end == .stopped
        case .error?: return former?.end == .failed
        default: return false
        }
    }

    /// Opens a session for an event that says that something is to be played, if none is open.
    private mutating func opens(_ event: PlayerEvent, _ deliver: (PlayerEvent) -> Void) -> Bool {
        guard openState == nil, event.session == .none || event.session > lastSession else { return false }
        switch event.type {
        case .playIntent, .seekBegin: break
        case .state where event.playerState == .playing: break
        default: return false
        }
        var request = request(after: nil)
        request.session = event.session
        request.time = event.time
        open(&request, intended: event.type == .seekBegin && former?.isIntended ?? false, deliver)
        return true
    }

    /// The request that stands for what was not requested: the switched source, or what was played before.
    private func request(after switched: PlayerEvent?) -> PlayerEvent {
        let source = switched ?? former?.request
        let isContinued = switched == nil && former?.continuation != nil
        var request = PlayerEvent.request(
            source: source?.source ?? "", uniqueID: source?.uniqueID ?? "", player: former?.request.value(1),
            instance: isContinued ? .preRendered : .unknown,
            continuedFrom: lastSession == .none ? nil : lastSession)
        request.controller = controller
        request.time = switched?.time ?? .zero
        return request
    }

    private mutating func openSwitched(_ deliver: (PlayerEvent) -> Void) {
        guard let switched else { return }
        self.switched = nil
        var request = request(after: switched.event)
        open(&request, intended: switched.isIntended, deliver)
    }

    private mutating func open(_ event: inout PlayerEvent, intended: Bool, _ deliver: (PlayerEvent) -> Void) {
        if event.session == .none {
            event.session = numbering.next()
        } else {
            numbering.reserve(event.session)
        }
        // A request for the rendered player of the session that just played to its end plays on; any other starts anew.
        let isContinued =
            event.value(2) == Int64(PlayerInstanceKind.preRendered.rawValue)
            && event.value(3) == Int64(lastSession.rawValue)
        lastSession = event.session
        ticks = TickSchedule(from: event.time)
        sticky.forgetSession()
        emit(&event, deliver)
        reducer = SessionReducer(
            request: event, surroundings: surroundings, continuing: isContinued ? former?.continuation : nil)
        openState = reducer?.state
        announce(state, after: .request, at: event.time, deliver)
        let waited = waiting
        waiting = []
        for var waited in waited {
            waited.session = event.session
            waited.time = event.time
            place(&waited, deliver)
        }
        if intended {
            var intent = PlayerEvent.playIntent
            intent.controller = controller
            intent.session = event.session
            intent.time = event.time
            place(&intent, deliver)
        }
    }

    private mutating func supersede(at time: EventTime, _ deliver: (PlayerEvent) -> Void) {
        guard openState != nil else { return }
        tick(to: time, including: true, deliver)
        reducer?.supersede(at: time)
        openState = reducer?.state
        announce(state, after: .request, at: time, deliver)
        closeIfOver()
    }

    private mutating func closeIfOver() {
        if openState?.isTerminal == true { finish() }
    }

    private mutating func close(_ record: SessionRecord) {
        guard let reducer else { return }
        assert(record.defect == nil, record.defect ?? "")
        closed.append(record)
        surroundings = reducer.surroundings
        former = Former(reducer)
        self.reducer = nil
        openState = nil
    }

    /// Keeps what the machine does until a session opens.
    private mutating func wait(_ event: PlayerEvent) {
        let isNetwork = event.type == .network
        waiting.removeAll { ($0.type == .network) == isNetwork }
        waiting.insert(event, at: isNetwork ? 0 : waiting.endIndex)
    }

    private mutating func drop(_ event: PlayerEvent) -> Bool {
        let type = event.type.rawValue < EventType.limit ? event.type : EventType(rawValue: EventType.limit)
        dropped[type, default: 0] += 1
        return false
    }

    // MARK: Delivery

    /// Delivers an event of the open session.
    private mutating func place(_ event: inout PlayerEvent, _ deliver: (PlayerEvent) -> Void) {
        let isTick = event.type == .tick
        tick(to: event.time, including: !isTick, deliver)
        if isTick { ticks.note(event.time) }
        emit(&event, deliver)
        let before = openState
        openState = reducer?.accept(event)
        let hasSlept = event.type == .suspended
        if hasSlept { announce(.suspended, after: event.type, at: event.time, deliver) }
        if let openState, hasSlept || openState != before {
            announce(openState, after: event.type, at: event.time, deliver)
        }
        closeIfOver()
    }

    private mutating func tick(to time: EventTime, including: Bool, _ deliver: (PlayerEvent) -> Void) {
        guard let step = ticks.step(to: time) else { return }
        var due = ticks.last + step
        while due < time || (including && due == time) {
            var tick = PlayerEvent.tick
            tick.controller = controller
            tick.session = lastSession
            tick.time = due
            ticks.note(due)
            emit(&tick, deliver)
            openState = reducer?.accept(tick)
            due = due + step
        }
        ticks.passed(time, by: step)
    }

    private mutating func announce(
        _ state: SessionState, after cause: EventType, at time: EventTime, _ deliver: (PlayerEvent) -> Void
    ) {
        var event = PlayerEvent.sessionState(rawState: Int64(state.rawValue), cause: cause)
        event.controller = controller
        event.session = lastSession
        event.time = time
        emit(&event, deliver)
    }

    private mutating func emit(_ event: inout PlayerEvent, _ deliver: (PlayerEvent) -> Void) {
        sequence += 1
        event.sequence = sequence
        lastTime = event.time
        if !event.type.isLevel { sticky.note(event) }
        deliver(event)
    }
}
