import StoreKit

// begin
func showMessagesLater() async -> [Message] {
    var waiting: [Message] = []
    for await message in Message.messages where message.reason != .generic {
        waiting.append(message)
    }
    return waiting
}
// end
