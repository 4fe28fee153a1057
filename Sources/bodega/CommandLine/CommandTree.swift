import StoreConsole

/// Every command of `bodega`.
enum CommandTree {
    static let root = Command(
        group: "bodega", "the App Store's in-app purchase system on your own machine",
        details: """
            Exit codes: 0 done, 1 failed or refused, 2 not understood. With --json an error is a JSON
            object on standard error, {"error": {"code": …, "message": …}}. Commands find the running
            store by its data directory; --world NAME sends them to a test session.
            """,
        examples: [
            "bodega serve &",
            "bodega catalog import Products.storekit --bundle-id com.example.app",
            "bodega account add buyer@example.com",
            "bodega buy PRODUCT --account buyer@example.com --receipt receipt",
            "bodega receipt show receipt",
            "export STOREKIT_URL=http://127.0.0.1:8080/sandbox",
            "export STOREKIT_BUNDLE_ID=com.example.app STOREKIT_APP_VERSION=1.0",
            "your-app",
        ],
        commands: [
            ServeCommand.command, ConsoleCommand.command, BackendCommand.command,
            ExecCommand.command,
            CatalogCommand.command,
            ProductCommand.command, ShopCommand.command, DeveloperCommand.command,
            SecretCommand.command, OfferKeyCommand.command, OfferCodeCommand.command,
            ContentCommand.command, ResourceCommand.command, AccountCommand.command,
            FamilyCommand.command, AskToBuyCommand.command, PriceConsentCommand.command,
            CreditCommand.command, LedgerCommand.command, GiftCodeCommand.command,
            DeviceCommand.command,
            BuyCommand.buy, BuyCommand.restore, PaymentCommand.command, RefundCommand.command,
            OverviewCommand.command, TransactionCommand.command, EventCommand.command,
            ActivityCommand.command,
            SubscriptionCommand.command, WorldCommand.command, ClockCommand.command,
            FaultCommand.command, ServerAPICommand.command, NotificationCommand.command,
            ReceiptCommand.command, CertificateCommand.command, TrustCommand.command,
            OpenAPICommand.command,
            BackupCommand.backup, BackupCommand.restore, DoctorCommand.command,
            CompletionCommand.command, ManCommand.command,
        ])

    /// Variables that do not set an option.
    static let variables = [
        (name: "BODEGA_TOKEN", meaning: "the store's control token, in place of its file"),
        (
            name: "BODEGA_OPERATOR_TOKEN",
            meaning: "the backend's operator token, in place of its file"
        ),
        (
            name: "BODEGA_SHARED_SECRET",
            meaning: "the app's shared secret itself, when --shared-secret-file is not given"
        ),
        (
            name: ConsoleFiles.folderVariable,
            meaning: "a folder from which servers read the console's files, for editing them"
        ),
        (
            name: "BODEGA_FOLDER",
            meaning: "set by bodega exec: its temporary folder, with the logs of its servers"
        ),
        (name: "XDG_DATA_HOME", meaning: "where data directories are, unless they are named"),
        (name: "COLUMNS", meaning: "the terminal's width, in place of the reported one"),
        (name: "NO_COLOR", meaning: "when set to anything, no colours"),
    ]
}
