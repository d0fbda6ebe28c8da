import PushModel

extension SQLStore {
    /// Deletes rows in several transactions, so that nobody who has something to write waits long. When one of them fails,
    /// what the earlier ones deleted stays deleted.
    ///
    /// - Parameter batch: deletes up to so many rows, and returns how many it did.
    /// - Returns: how many were deleted in all.
    func purgeInBatches(_ batch: (any StoreTransaction, Int) throws -> Int) throws(StoreError) -> Int {
        try deleteInBatches { limit throws(StoreError) in try write { try batch($0, limit) } }
    }
}

/// Deletes batches until one is not full.
///
/// - Returns: how many were deleted in all.
func deleteInBatches(_ batch: (Int) throws(StoreError) -> Int) throws(StoreError) -> Int {
    let limit = 2000
    var total = 0
    while true {
        let count = try batch(limit)
        total += count
        if count < limit { return total }
    }
}
