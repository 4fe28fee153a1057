import StoreHTTP
import StoreLog
import StoreService
import StoreWire

/// Injects faults into the store's answers.
enum FaultService {
    private static let verifyReceipt = Faults.Place(
        environment: nil, pattern: RoutePattern(VerifyReceiptEndpoints.path))

    static func show(_ call: StoreCall) throws -> FaultsBody {
        answer(call.context)
    }

    /// `PUT /control/v1/faults`: sets all of them; a fault that the body leaves out ends.
    static func set(_ call: StoreCall, _ body: FaultsBody) throws -> FaultsBody {
        let fault = try body.verifyReceipt.map(checked)
        var requests: [Faults.Place: Fault] = [:]
        for one in body.requests ?? [] {
            let (place, fault) = try RequestFaults.read(one)
            guard requests.updateValue(fault, forKey: place) == nil else {
                throw Refusal(
                    422, "badField", "requests: \(one.path.prefix(200)) has two faults.")
            }
        }
        call.world.faults.set(fault, at: verifyReceipt)
        call.world.requestFaults.replace(with: requests)
        return changed(call)
    }

    /// Sets or removes one fault, so that a counted one beside it is not given back what was used of
    /// it.
    static func setReceipt(_ call: StoreCall, _ body: ReceiptFaultBody) throws -> FaultsBody {
        call.world.faults.set(try checked(body), at: verifyReceipt)
        return changed(call)
    }

    static func removeReceipt(_ call: StoreCall) throws -> FaultsBody {
        call.world.faults.set(nil, at: verifyReceipt)
        return changed(call)
    }

    static func setRequest(_ call: StoreCall, _ body: RequestFaultBody) throws -> FaultsBody {
        let (place, fault) = try RequestFaults.read(body)
        call.world.requestFaults.set(fault, at: place)
        return changed(call)
    }

    static func removeRequest(_ call: StoreCall) throws -> FaultsBody {
        guard let path = call.request.queryValue("path") else {
            throw Refusal(400, "badQuery", "path is missing; name the fault's path.")
        }
        let place = Faults.Place(
            environment: try call.request.queryName("environment"),
            pattern: try RequestFaults.pattern(of: path))
        call.world.requestFaults.set(nil, at: place)
        return changed(call)
    }

    private static func changed(_ call: StoreCall) -> FaultsBody {
        let faults = answer(call.context)
        let status = faults.verifyReceipt?.status ?? 0
        call.log.event(StoreEvent.faultsSet, ("verifyReceipt", .number(Int64(status))))
        return faults
    }

    private static let internalErrors = 21100...21199

    private static func checked(_ body: ReceiptFaultBody) throws -> Fault {
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
        guard body.count.map({ Fault.counts.contains($0) }) ?? true else {
            throw Refusal(422, "badField", "verifyReceipt.count must be 1 to 1000000.")
        }
        return Fault(
            effect: .receiptStatus(
                body.status, isRetryable: isInternal ? body.isRetryable ?? true : nil),
            count: body.count)
    }

    private static func answer(_ scene: Scene) -> FaultsBody {
        let requests = scene.world.requestFaults.all.map { RequestFaultBody($0.place, $0.fault) }
        var body = FaultsBody(verifyReceipt: nil, requests: requests.isEmpty ? nil : requests)
        if let fault = scene.world.faults.present(at: verifyReceipt),
            case .receiptStatus(let status, let isRetryable) = fault.effect
        {
            body.verifyReceipt = ReceiptFaultBody(
                status: status, isRetryable: isRetryable, count: fault.count)
        }
        return body
    }
}
