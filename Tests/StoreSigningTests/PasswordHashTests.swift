import StoreSigning
import Testing

struct PasswordHashTests {
    @Test(arguments: ["secret", "", "ein Paßwort", "🔑", String(repeating: "x", count: 1_024)])
    func `a password matches only its own hash`(password: String) throws {
        let hash = try PasswordHash.make(password)
        #expect(hash.hasPrefix("scrypt$16384$8$1$"))
        #expect(hash.utf8.count <= PasswordHash.textBytesMax)
        #expect(PasswordHash.matches(password, hash))
        #expect(!PasswordHash.matches(password + "x", hash))
        #expect(!PasswordHash.matches(String(password.dropLast()) + "y", hash))
    }

    @Test func `two hashes of one password differ`() throws {
        #expect(try PasswordHash.make("secret") != PasswordHash.make("secret"))
    }

    @Test func `a password hash made by OpenSSL's command line matches`() {
        // openssl kdf -keylen 32 -kdfopt pass:secret -kdfopt hexsalt:000102…0f -kdfopt n:16384
        //     -kdfopt r:8 -kdfopt p:1 -binary SCRYPT | base64
        let hash =
            "scrypt$16384$8$1$AAECAwQFBgcICQoLDA0ODw==$lUTkiXnaPIlt+39/W8AV+zIOgQ+DcviNZtmSHaWiqmU="
        #expect(PasswordHash.matches("secret", hash))
        #expect(!PasswordHash.matches("Secret", hash))
    }

    @Test func `a password above the limit is refused`() throws {
        let long = String(repeating: "x", count: PasswordHash.passwordBytesMax + 1)
        #expect(throws: SigningFailure(.invalidValue, "")) { try PasswordHash.make(long) }
        let hash = try PasswordHash.make(String(long.dropLast()))
        #expect(!PasswordHash.matches(long, hash))
    }

    static let salt = "AAECAwQFBgcICQoLDA0ODw=="
    static let key = "lUTkiXnaPIlt+39/W8AV+zIOgQ+DcviNZtmSHaWiqmU="

    @Test(arguments: [
        "", "scrypt", "scrypt$$$$$", "$16384$8$1$\(salt)$\(key)", "bcrypt$16384$8$1$\(salt)$\(key)",
        "scrypt$16384$8$1$\(salt)$\(key)$", "scrypt$16384$8$1$\(salt)", "scrypt$16384$8$1$\(salt)$",
        "scrypt$16384$8$1$$\(key)", "scrypt$16384$8$1$\(salt)$!\(key.dropFirst())",
        "scrypt$16384$8$1$\(key)$\(key)", "scrypt$16384$8$1$\(salt)$\(salt)",
        "scrypt$16383$8$1$\(salt)$\(key)", "scrypt$0$8$1$\(salt)$\(key)",
        "scrypt$1$8$1$\(salt)$\(key)", "scrypt$-16384$8$1$\(salt)$\(key)",
        "scrypt$131072$8$1$\(salt)$\(key)", "scrypt$99999999999999999999$8$1$\(salt)$\(key)",
        "scrypt$18446744073709551615$8$1$\(salt)$\(key)", "scrypt$16384$16$1$\(salt)$\(key)",
        "scrypt$16384$8$1000000$\(salt)$\(key)", "scrypt$16384$08$1$\(salt)$\(key)",
        "scrypt$16384$8$1$\(salt)$\(key)\n", String(repeating: "$", count: 300),
        "scrypt$16384$8$1$\(salt)$\(key)" + String(repeating: "A", count: 300),
    ])
    func `text that is not one of our hashes matches nothing`(text: String) {
        #expect(!PasswordHash.matches("secret", text))
    }
}
