/// What `bodega --help` prints.
enum Help {
    static let version = "bodega 0.1.0"

    static let overview = """
        bodega: the App Store's in-app purchase system on your own machine

          bodega serve       the store: catalogue, accounts, purchases, receipts, verifyReceipt
          bodega backend     the purchase backend that an app developer runs
          bodega catalog     import and export Xcode's catalogue files
          bodega product     list, review, remove and price products
          bodega shop        what becomes of new products, how long changes take
          bodega developer   developer accounts, which own apps
          bodega secret      shared secrets, the password of verifyReceipt
          bodega offer-key   keys that an app's server signs promotional offers with
          bodega offer-code  codes that people redeem for a subscription's offer
          bodega content     what the store keeps for buyers of a product to fetch
          bodega account     make, list, lock and sign out accounts
          bodega family      make and change families, whose members share purchases
          bodega ask-to-buy  approve and decline purchases that wait for somebody
          bodega price-consent  ask accounts whether they go on at a higher price
          bodega credit      what accounts have to spend: show, add, take
          bodega gift-code   make, list and void codes that are worth store credit
          bodega device      a device's settings: who is signed in, promoted purchases
          bodega payment     what the payment provider was asked
          bodega refund      money asked back: requests, decisions, reversals
          bodega transaction take purchases back
          bodega subscription  cancel, renew, fail, recover and extend subscriptions
          bodega world       make, seed, copy, restore, reset and delete worlds
          bodega clock       look at and move a world's clock
          bodega fault       make the store answer wrongly on purpose
          bodega receipt     ask verifyReceipt about a receipt file
          bodega openapi     print the OpenAPI document of store or backend
          bodega doctor      look whether an installation is sound
          bodega completion  completion scripts for bash, zsh and fish

        bodega help COMMAND, or bodega COMMAND --help, explains a command with examples. Exit codes:
        0 done, 1 failed or refused, 2 not understood.

        A first purchase:
          bodega serve &
          bodega catalog import Products.storekit --bundle-id com.example.app
          bodega account add buyer@example.com
          export STOREKIT_URL=http://127.0.0.1:8080/sandbox
          export STOREKIT_BUNDLE_ID=com.example.app STOREKIT_APP_VERSION=1.0
          your-app
        """
}
