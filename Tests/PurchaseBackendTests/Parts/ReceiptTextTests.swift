import Testing

@testable import PurchaseBackend

struct ReceiptTextTests {
    @Test(arguments: [
        "+/+/aGk=", "+/+/aGk", " +/+/\r\naGk= \n", "-_-_aGk=", "\t-/+_aGk",
    ])
    func `a receipt's base64 is read with line breaks, without padding and in both alphabets`(
        text: String
    ) {
        #expect(receiptBytes(text) == [0xFB, 0xFF, 0xBF, 0x68, 0x69])
    }

    @Test(arguments: ["", " ", "====", "a", "abc!", "aGk,", "é", "aG\u{0}k"])
    func `text that is not base64 is refused`(text: String) {
        #expect(receiptBytes(text) == nil)
    }
}
