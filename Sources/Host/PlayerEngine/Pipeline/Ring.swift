// SPDX-License-Identifier: Apache-2.0

/// First in, first out, for values with one owner. Grows by doubling and keeps its storage.
@safe struct Ring<Element: ~Copyable>: ~Copyable {
    private var storage: UnsafeMutablePointer<Element>
    private(set) var capacity: Int
    private var first = 0
    private(set) var count = 0

    init(capacity: Int = 16) {
        self.capacity = max(1, capacity)
        unsafe storage = .allocate(capacity: self.capacity)
    }

    deinit {
        for offset in 0..<count { unsafe (storage + index(offset)).deinitialize(count: 1) }
        unsafe storage.deallocate()
    }

    var isEmpty: Bool { count == 0 }

    mutating func append(_ element: consuming Element) {
        if count == capacity { grow(to: capacity * 2) }
        unsafe (storage + index(count)).initialize(to: element)
        count += 1
    }

    /// Has room for so many.
    mutating func reserve(_ count: Int) {
        if count > capacity { grow(to: count) }
    }

    mutating func removeFirst() -> Element? {
        guard count > 0 else { return nil }
        let element = unsafe (storage + first).move()
        first = index(1)
        count -= 1
        return element
    }

    func withFirst<Result>(_ body: (borrowing Element) -> Result) -> Result? {
        count > 0 ? unsafe body(storage[first]) : nil
    }

    func withLast<Result>(_ body: (borrowing Element) -> Result) -> Result? {
        count > 0 ? unsafe body(storage[index(count - 1)]) : nil
    }

    /// Looks at the elements in their order, with their place from the first.
    func forEach(_ body: (Int, borrowing Element) -> Void) {
        for offset in 0..<count { unsafe body(offset, storage[index(offset)]) }
    }

    private func index(_ offset: Int) -> Int { (first + offset) % capacity }

    private mutating func grow(to newCapacity: Int) {
        let larger = UnsafeMutablePointer<Element>.allocate(capacity: newCapacity)
        for offset in 0..<count { unsafe (larger + offset).initialize(to: (storage + index(offset)).move()) }
        unsafe storage.deallocate()
        unsafe storage = larger
        first = 0
        capacity = newCapacity
    }
}

extension Ring: @unchecked Sendable where Element: Sendable & ~Copyable {
    // Owns what it points to, and moves with its one owner.
}
