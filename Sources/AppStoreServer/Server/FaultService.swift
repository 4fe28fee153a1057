import StoreHTTP
import StoreLog
import StoreService
import StoreWire

/// Injects faults into the store's answers.
enum FaultService {
    static func show(_ call: StoreCall) throws -> FaultsBody {
        answer(call.context)
    }

    /// `PUT /control/v1/faults`: sets all of them; a fault that the body leaves out ends.
    static func set(_ call: StoreCall, _ body: FaultsBody) throws -> FaultsBody {
        let fault = try body.verifyReceipt.map(checked)
        call.world.faults.verifyReceipt.set(fault)
        call.log.event(
            StoreEvent.faultsSet, ("verifyReceipt", .number(Int64(fault?.status ?? 0))))
        return answer(call.context)
    }

    private static let internalErrors = 21100...21199

    private static func checked(_ body: ReceiptFaultBody) throws -> ReceiptFault {
        let isInternal = internalErrors.contains(body.status)
        guard isInternal || [21005, 21009, 21010].contains(body.status) else {
            throw Refusal(
                422, "badField",
                "verifyReceipt.status must be 21005, 21009, 21010, or 21100 to 21199; other "
                    + "statuses cannot be injected.")
        }
        guard isInternal || body.isRetryable == nil else {
            throw Refusal(
                422, "badField", "verifyReceipt.isRetryable is for 21100 to 21199 only.")
        }
        guard body.count.map({ (1...1_000_000).contains($0) }) ?? true else {
            throw Refusal(422, "badField", "verifyReceipt.count must be 1 to 1000000.")
        }
        return ReceiptFault(
            status: body.status, isRetryable: isInternal ? body.isRetryable ?? true : nil,
            count: body.count)
    }

    private static func answer(_ scene: Scene) -> FaultsBody {
        let fault = scene.world.faults.verifyReceipt.present
        return FaultsBody(
            verifyReceipt: fault.map {
                ReceiptFaultBody(status: $0.status, isRetryable: $0.isRetryable, count: $0.count)
            })
    }
}
