import StoreModel
import StoreWire

/// Catalogue files: an imported file is exported byte for byte, and importing that again gives the
/// same products.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCatalogue(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = bytes(start, count)
    let imported: CatalogueFile
    do {
        imported = try CatalogueFile(bytes: input)
    } catch {
        hold(!"\(error)".isEmpty, "an error has a sentence")
        hold(error.place.line >= 1 && error.place.column >= 1, "an error has a place")
        return 0
    }
    hold(imported.bytes == input, "a file comes back byte for byte")
    hold(imported.products.count <= CatalogueFile.productsMax, "products are limited")
    hold(
        Set(imported.products.map(\.id)).count == imported.products.count,
        "no product occurs twice")
    checkXcodeForm(of: imported)
    checkPrices(of: imported)
    return 0
}

private func checkXcodeForm(of imported: CatalogueFile) {
    let text = imported.document.value.xcodeBytes
    guard text.count <= CatalogueFile.bytesMax else { return }
    guard let again = try? CatalogueFile(bytes: text) else {
        preconditionFailure("broken promise: a file in Xcode's form can be imported")
    }
    hold(again.products == imported.products, "Xcode's form has the same products")
    hold(again.storefront == imported.storefront, "Xcode's form has the same storefront")
    hold(again.document.value.xcodeBytes == text, "Xcode's form stays as it is")
}

private func checkPrices(of imported: CatalogueFile) {
    guard let product = imported.products.first, let price = Price(decimal: "12.34"),
        let changed = try? imported.updated(withBasePrice: price, for: product.id)
    else { return }
    hold(changed.products.first?.basePrice == price, "a changed price is stored")
    hold(
        changed.products.dropFirst() == imported.products.dropFirst(),
        "a changed price changes no other product")
    guard
        let back = try? changed.updated(withBasePrice: product.basePrice, for: product.id)
    else { preconditionFailure("broken promise: a price can be changed back") }
    hold(back.products == imported.products, "a price that is changed back is as before")
}
