import BodegaTesting
import Foundation

// begin
let catalogue = BodegaWorld.Catalogue.file(
    URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Products.storekit"))
// end
