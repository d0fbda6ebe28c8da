import TestSupport

extension TemporaryFolder {
    /// Makes `old.pem` and `old.key`, of January 2020.
    func makeExpiredCertificate() async throws {
        try write("", to: "index.txt")
        try write("01\n", to: "serial")
        try write(
            """
            [ca]
            default_ca = own
            [own]
            database = index.txt
            serial = serial
            new_certs_dir = .
            default_md = sha256
            policy = all
            [all]
            commonName = supplied
            """, to: "ca.cnf")
        try await OpenSSL.run(
            "req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", "old.key",
            "-out",
            "old.csr", "-subj", "/CN=localhost", in: self)
        try await OpenSSL.run(
            "ca", "-batch", "-selfsign", "-notext", "-config", "ca.cnf", "-keyfile", "old.key", "-in", "old.csr",
            "-out",
            "old.pem", "-startdate", "20200101000000Z", "-enddate", "20200201000000Z", in: self)
    }
}
