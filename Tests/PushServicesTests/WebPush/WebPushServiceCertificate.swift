/// For localhost and push.example.com, its own authority, until the year 2126.
enum WebPushServiceCertificate {
    static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIB1TCCAXygAwIBAgIUAbM3K1lpafcIpM1MqONBeAjA+HYwCgYIKoZIzj0EAwIw
        KDEmMCQGA1UEAwwdTGFtcGxpZ2h0ZXIgdGVzdCBwdXNoIHNlcnZpY2UwIBcNMjYx
        MTIxMTYwNzA0WhgPMjEyNjEwMjgxNjA3MDRaMCgxJjAkBgNVBAMMHUxhbXBsaWdo
        dGVyIHRlc3QgcHVzaCBzZXJ2aWNlMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE
        MgCCP5ISs+DeQkD+Y0RIzerbkMmbyNx+btPXTORYyPAnAT1gXcc5xmesyk76TMwl
        30tsAStWqLhgpfi58lGnAKOBgTB/MB0GA1UdDgQWBBQVEcnXny7VTvB3Ceu3VVEF
        +DyNGTAfBgNVHSMEGDAWgBQVEcnXny7VTvB3Ceu3VVEF+DyNGTAPBgNVHRMBAf8E
        BTADAQH/MCwGA1UdEQQlMCOCCWxvY2FsaG9zdIIQcHVzaC5leGFtcGxlLmNvbYcE
        fwAAATAKBggqhkjOPQQDAgNHADBEAiAoHkpmLnAlCC7Jhc2PcAmwpFyqTaghqOPq
        yqJVtIuPgwIgU63QprbcWbOJMIZPpMzRc3d4v95lRHpQ52bBSdf5kHM=
        -----END CERTIFICATE-----
        """

    static let key = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgoE56maGlBBFCtAdA
        xN65Zo1i/jTFNiohrR8VBt+iwYChRANCAAQyAII/khKz4N5CQP5jREjN6tuQyZvI
        3H5u09dM5FjI8CcBPWBdxznGZ6zKTvpMzCXfS2wBK1aouGCl+LnyUacA
        -----END PRIVATE KEY-----
        """
}
