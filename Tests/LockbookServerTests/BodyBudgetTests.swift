import Testing

@testable import LockbookServer

/// Large bodies take turns.
struct BodyBudgetTests {
    @Test func `who finds no room goes on when there is some, in the order of coming`() async {
        let budget = BodyBudget(byteCount: 100)
        await budget.take(60)
        let large = Task { await budget.take(80) }
        while await budget.waitingCount < 1 { await Task.yield() }
        // Nobody overtakes one that needs more.
        let small = Task { await budget.take(10) }
        while await budget.waitingCount < 2 { await Task.yield() }
        await budget.giveBack(10)
        #expect(await budget.waitingCount == 2)
        await budget.giveBack(50)
        await large.value
        await small.value
        #expect(await budget.waitingCount == 0)
        await budget.giveBack(90)
        await budget.take(100)
    }
}
