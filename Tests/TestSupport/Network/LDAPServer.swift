import Foundation

/// An OpenLDAP server of this test process, which is started at its first use.
///
/// It accepts a bind without a password or without a name, as some servers do.
public struct LDAPServer: Sendable {
    public let process: WatchedServer
    public let encryptedPort: Int

    public var url: String { "ldap://127.0.0.1:\(process.port)" }
    /// The certificate is valid for this address, not for `localhost`.
    public var encryptedURL: String { "ldaps://127.0.0.1:\(encryptedPort)" }
    public var certificate: String { process.folder.appending(path: "cert.pem").path }

    public static func shared() throws -> LDAPServer { try started.get() }

    private static let started = Result { try LDAPServer() }

    private init() throws {
        encryptedPort = try freePort()
        process = try WatchedServer(
            "slapd", [String(encryptedPort), Self.configuration, Self.entries],
            script: """
                PATH=$PATH:/usr/sbin
                openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 2 -subj /CN=directory \\
                    -addext subjectAltName=IP:127.0.0.1 2> log || fail
                printf '%s\\n' "$4" | sed "s|@FOLDER@|$1|g" > slapd.conf
                printf '%s\\n' "$5" | sed "s|@PORT@|$2|g" > entries.ldif
                mkdir data other
                for number in 1 2; do
                    sed -n "/^# $number/,/^# end/p" entries.ldif | slapadd -q -n $number -f slapd.conf >> log 2>&1 || fail
                done
                slapd -f slapd.conf -h "ldap://127.0.0.1:$2 ldaps://127.0.0.1:$3" -d 0 >> log 2>&1 &
                pid=$!
                ready_when ldapsearch -x -H "ldap://127.0.0.1:$2" -s base -b ""
                """, stop: "KILL")
    }

    private static let configuration = """
        include /etc/ldap/schema/core.schema
        include /etc/ldap/schema/cosine.schema
        include /etc/ldap/schema/inetorgperson.schema
        modulepath /usr/lib/ldap
        moduleload back_mdb
        pidfile @FOLDER@/pid
        TLSCertificateFile @FOLDER@/cert.pem
        TLSCertificateKeyFile @FOLDER@/key.pem
        TLSCACertificateFile @FOLDER@/cert.pem
        allow bind_anon_cred bind_anon_dn
        database mdb
        maxsize 10485760
        suffix dc=example,dc=com
        directory @FOLDER@/data
        dbnosync
        access to attrs=userPassword by anonymous auth
        access to dn.subtree=ou=secret,dc=example,dc=com by * none
        access to * by users read
        database mdb
        maxsize 10485760
        suffix dc=other,dc=org
        directory @FOLDER@/other
        dbnosync
        access to * by users read
        """

    private static func person(_ name: String, dn: String? = nil, password: String, _ more: String = "") -> String {
        """
        dn: \(dn ?? "uid=\(name),ou=people,dc=example,dc=com")
        objectClass: inetOrgPerson
        uid: \(name)
        cn: \(name)
        sn: \(name)
        userPassword: \(password)\(more.isEmpty ? "" : "\n" + more)

        """
    }

    private static let entries = """
        # 1
        dn: dc=example,dc=com
        objectClass: dcObject
        objectClass: organization
        o: Example
        dc: example

        dn: ou=people,dc=example,dc=com
        objectClass: organizationalUnit
        ou: people

        dn: ou=secret,dc=example,dc=com
        objectClass: organizationalUnit
        ou: secret

        \(person("bob", password: "builder-7", "displayName: Bob Builder\nmail: bob@example.com\nemployeeType: sales"))
        \(person("alice", password: "wonder-land-1"))
        \(person("twin", password: "twin-word-1", "cn: shared name"))
        \(person("twin2", password: "twin-word-2", "cn: shared name"))
        \(person("a,b+c", dn: #"uid=a\,b\+c,ou=people,dc=example,dc=com"#, password: "comma-word"))
        \(person("star*(x)", password: "star-word"))
        \(person("*", password: "asterisk-word"))
        \(person("bob)(uid=*", dn: #"uid=bob)(uid\=*,ou=people,dc=example,dc=com"#, password: "bracket-word"))
        dn: uid=nopassword,ou=people,dc=example,dc=com
        objectClass: inetOrgPerson
        uid: nopassword
        cn: nopassword
        sn: nopassword

        dn: ou=elsewhere,dc=example,dc=com
        objectClass: referral
        objectClass: extensibleObject
        ou: elsewhere
        ref: ldap://localhost:@PORT@/dc=other,dc=org
        # end
        # 2
        dn: dc=other,dc=org
        objectClass: dcObject
        objectClass: organization
        o: Other
        dc: other

        dn: cn=bobs badge,dc=other,dc=org
        objectClass: organizationalRole
        cn: bobs badge
        description: bob
        # end
        """
}
