/// Mistakes in an adapter's XML, in authenticationConfig.xml and in application descriptors.
extension PlantedMistake {
    static let xmlFiles: [PlantedMistake] = [
        .xml("<procedure name=\"gone\"/>", 2, "has no function of that name"),
        .xml("<procedure nam=\"go\"/>", 2, "a procedure needs a 'name' attribute"),
        .xml("<proceduer name=\"go\"/>", 2, "is 'procedure' meant?"),
        .xml("<procedure name=\"go\" conectAs=\"server\"/>", 2, "is 'connectAs' meant?"),
        .xml("<procedure name=\"go\" connectAs=\"user\"/>", 2, "expected one of server, endUser"),
        .xml("<procedure name=\"go\" audit=\"yes\"/>", 2, "expected true or false"),
        .xml("<procedure name=\"go\" requestTimeoutInSeconds=\"soon\"/>", 2, "expected a positive number of seconds"),
        .xml("<procedure name=\"go\"/>\n<procedure name=\"go\"/>", 3, "is declared on line 2 already"),
        .xml("<procedure name=\"go\" securityTest=\"Gone\"/>", 2, "is not defined"),
        .xml("<connectivity/>\n<procedure name=\"go\"/>", 2, "has no connectionPolicy"),
        .xml(
            "<displayName>A</displayNam>\n<procedure name=\"go\"/>", 2,
            "the closing tag </displayNam> does not match <displayName> of line 2"),
        .xml("<procedure name=\"go\">", 3, "does not match <procedure> of line 2"),
        .xml("<procedure name=go/>", 2, "an attribute's value is not quoted"),
        .xml("<description>A & B</description>\n<procedure name=\"go\"/>", 2, "&amp;"),
        .policy("<protocol>htps</protocol><domain>h</domain>", "neither http nor https"),
        .policy("<domain>h</domain><port>eighty</port>", "expected a whole number, from 1 to 65535"),
        .policy("<domain>h:8080</domain>", "expected 'h' there, and <port>8080</port>"),
        .policy("<domian>h</domian>", "is 'domain' meant?"),
        .policy("<domain>${host}</domain>", "${host} is not defined"),
        .policy("<domain>h</domain><authentication><basci/></authentication>", "names no scheme"),
        .policy("<domain>h</domain><cookiePolicy>RFC</cookiePolicy>", "expected one of"),
        .xml(
            "<connectivity><connectionPolicy xsi:type=\"sql:SQLConectionPolicy\"/></connectivity>\n<procedure name=\"go\"/>",
            2, "is 'sql:SQLConnectionPolicy' meant?"),
        dataSource,
        .xml(
            "<connectivity><connectionPolicy xsi:type=\"ftp:Policy\"/></connectivity>\n<procedure name=\"go\"/>", 2,
            "there is no connection policy of type 'ftp:Policy'"),
    ]

    static let dataSource = PlantedMistake.xml(
        "<connectivity><connectionPolicy xsi:type=\"sql:SQLConnectionPolicy\">\n<dataSourceJNDIName>jdbc/shop</dataSourceJNDIName>\n"
            + "</connectionPolicy></connectivity>\n<procedure name=\"go\"/>", 3,
        "the data source 'jdbc/shop' is not defined, so every SQL call fails; add jndi.jdbc/shop.url")

    private static let test = """
        <securityTests><customSecurityTest name="T"><test realm="R" isInternalUserID="true"/></customSecurityTest></securityTests>
        """
    private static let module = """
        <loginModules><loginModule name="M"><className>com.worklight.core.auth.ext.NonValidatingLoginModule</className></loginModule>
        </loginModules>
        """

    private static func realm(_ function: String, parameter: String = "login-function") -> String {
        """
        <realms><realm name="R" loginModule="M"><className>com.worklight.integration.auth.AdapterAuthenticator</className>
        <parameter name="\(parameter)" value="\(function)"/></realm></realms>
        """
    }

    static let authenticationFiles: [PlantedMistake] = [
        .authentication(
            "\(test)\n\(realm("Login.onAuthRequird"))\n\(module)", 3, "nobody can log in; is 'onAuthRequired' meant?"),
        .authentication("\(test)\n\(realm("Logn.onAuthRequired"))\n\(module)", 3, "is 'Login' meant?"),
        .authentication("\(test)\n\(realm("onAuthRequired"))\n\(module)", 3, "expected Adapter.function"),
        .authentication(
            "\(test)\n\(realm("Login.onAuthRequired", parameter: "login-functon"))\n\(module)", 3,
            "not of 'login-functon'"),
        .authentication(
            "\(test)\n\(realm("Login.onAuthRequired"))", 3, "names the login module 'M', which is not defined"),
        .authentication("\(test)\n\(module)", 2, "names the realm 'R', which is not defined"),
        .authentication(
            "\(test.replacing("customSecurityTest", with: "customSecurityTets"))\n\(realm("Login.onAuthRequired"))\n\(module)",
            2, "is not a security test"),
        .authentication(
            "\(test.replacing("isInternalUserID=\"true\"", with: "isInternalUserID=\"yes\""))\n\(realm("Login.onAuthRequired"))\n\(module)",
            2, "expected true or false"),
        .authentication(
            "\(test)\n\(realm("Login.onAuthRequired").replacing("</realms>", with: "</realmz>"))\n\(module)", 4,
            "the closing tag </realmz> does not match <realms> of line 3"),
        .authentication(
            "\(test)\n\(realm("x").replacing("com.worklight.integration.auth.AdapterAuthenticator", with: "com.worklight.core.auth.ext.FormBasedAuthenticator"))\n\(module.replacing("NonValidatingLoginModule", with: "NonValidatngLoginModule"))",
            5, "NonValidatngLoginModule"),
        .authentication(
            "\(test)\n\(realm("Login.onAuthRequired").replacing("AdapterAuthenticator", with: "AdaptrAuthenticator"))\n\(module)",
            3, "AdaptrAuthenticator"),
        PlantedMistake(
            place: "Login-impl.js:1", message: "the realm 'Rr' is not defined in server/conf/authenticationConfig.xml",
            files: PlantedMistake.authentication(
                "\(test)\n\(realm("Login.onAuthRequired"))\n\(module)", 1, "",
                files: [
                    "adapters/Login/Login-impl.js":
                        "function submit(n) { WL.Server.setActiveUser('Rr', { userId: n }); } function onAuthRequired() {} function secret() {}"
                ]
            ).files),
    ]
}
