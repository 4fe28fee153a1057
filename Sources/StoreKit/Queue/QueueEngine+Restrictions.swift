// Purchases can be switched off on a device.
extension QueueEngine {
    /// Whether payments are possible: there is a store, and purchases are not switched off.
    var mayPay: Bool {
        guard case .success(let parts) = parts else { return false }
        return refusal(parts) == nil
    }

    /// Why no payment may be made on this device now; nil when it may. Unreadable settings may
    /// forbid payments, so they do.
    func refusal(_ parts: Parts) -> FailureReason? {
        if let reason = objection() { return reason }
        let isRestricted: Bool
        do {
            isRestricted =
                try parts.connection.configuration.arePaymentsRestricted
                || DeviceSettings.read(home: parts.home.path).arePaymentsRestricted
        } catch {
            Diagnostic.sayOnce("\(error)")
            isRestricted = true
        }
        return isRestricted
            ? FailureReason(.paymentNotAllowed, "Purchases are switched off on this device.") : nil
    }
}
