/// For localhost and push.example.com and for no address, its own authority, until the year 2126.
enum WebPushServiceCertificate {
    static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIB4zCCAYmgAwIBAgIUTus3DqTA/hQKi86kxI2N22uOicwwCgYIKoZIzj0EAwIw
        KDEmMCQGA1UEAwwdTGFtcGxpZ2h0ZXIgdGVzdCBwdXNoIHNlcnZpY2UwIBcNMjYx
        MTIxMTYyMTQ5WhgPMjEyNjEwMjgxNjIxNDlaMCgxJjAkBgNVBAMMHUxhbXBsaWdo
        dGVyIHRlc3QgcHVzaCBzZXJ2aWNlMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE
        XJlwO9OM8hNhS4n+qo0r7OQ1V8j1YmZ+5cfUinQl3nRNpKdH2x2yVHhrgIDPC9R7
        0sVclZOEvk+rXlN+ckHTaKOBjjCBizAdBgNVHQ4EFgQUaB452Hzh6/dKjg2JJRs9
        exeLS0MwHwYDVR0jBBgwFoAUaB452Hzh6/dKjg2JJRs9exeLS0MwDwYDVR0TAQH/
        BAUwAwEB/zA4BgNVHREEMTAvgglsb2NhbGhvc3SCEHB1c2guZXhhbXBsZS5jb22C
        EGRvd24uZXhhbXBsZS5jb20wCgYIKoZIzj0EAwIDSAAwRQIhALWqseWbeX2y+8Gm
        SxxxGB04Y6xnOVpn2IvCw2BxY3jYAiAj9Ctl01LA7zArCsfv5XgDZkaKGGEe+vIh
        3VyXPLEb4g==
        -----END CERTIFICATE-----
        """

    static let key = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgJ3FiG/fcBvTYWMI0
        D87IKtbUEzn5iw3WcOIeZrjMXeyhRANCAARcmXA704zyE2FLif6qjSvs5DVXyPVi
        Zn7lx9SKdCXedE2kp0fbHbJUeGuAgM8L1HvSxVyVk4S+T6teU35yQdNo
        -----END PRIVATE KEY-----
        """
}
