extension Timestamp {
    /// The moments at which receipts can be signed: those for which every certificate is valid, the
    /// years 2000 to 2099. A world's clock shows no others.
    package static let certified =
        Timestamp(seconds: 946_684_800)...Timestamp(seconds: 4_102_444_799)
}
