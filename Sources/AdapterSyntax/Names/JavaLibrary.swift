/// The supported part of Java: the members that work, the roots of their names, and the packages of the classes.
///
/// The runtime's substitutes, the translation of imports, the checks and docs/rhino.md all use this list.
public enum JavaLibrary {
    /// A method or class of Java's that works.
    public enum Member: String, Sendable, Hashable, CaseIterable {
        case println = "java.lang.System.out.println"
        case currentTimeMillis = "java.lang.System.currentTimeMillis"
        case currentThread = "java.lang.Thread.currentThread"
        case properties = "java.util.Properties"
        case hashtable = "java.util.Hashtable"
        case encodeURL = "java.net.URLEncoder.encode"
        case decodeURL = "java.net.URLDecoder.decode"
        case toFormattedString = "com.worklight.common.js.util.JSObjectConverter.toFormattedString"
        /// The same, as later versions called it.
        case toFormattedStringOfIntegration =
            "com.worklight.server.integration.api.JSObjectConverter.toFormattedString"
    }

    /// The variables under which scripts find Java.
    public static let roots = ["java", "javax", "com", "org", "edu", "net", "Packages"]

    /// Returns what to write in place of a class, method or package of Java's, in one sentence; docs/rhino.md has the list.
    ///
    /// - Parameter path: as scripts write it, such as `new java.util.Date` or `java.lang.Thread.sleep`.
    public static func replacement(for path: String) -> String {
        let names = path.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
        // The innermost name that is in the list: a method before its class.
        for name in names.reversed() {
            if let code = replacements[name] { return "write \(code)" }
        }
        return "write it in JavaScript, or call a service over HTTP (docs/rhino.md lists the Java that works)"
    }

    private static let replacements = [
        "Date": "new Date()", "Timestamp": "new Date()", "Calendar": "new Date() and its methods",
        "GregorianCalendar": "new Date() and its methods", "String": "a JavaScript string, or String(value)",
        "StringBuilder": "a string and +=", "StringBuffer": "a string and +=", "ArrayList": "an array, []",
        "LinkedList": "an array, []", "Vector": "an array, []", "Arrays": "an array and its methods",
        "Collections": "an array and its methods, such as list.sort()", "HashMap": "an object, {}, or new Map()",
        "LinkedHashMap": "an object, {}, or new Map()", "TreeMap": "an object, {}, or new Map()",
        "HashSet": "new Set()", "LinkedHashSet": "new Set()", "TreeSet": "new Set()", "Integer": "parseInt(text, 10)",
        "Long": "parseInt(text, 10)", "Short": "parseInt(text, 10)", "Byte": "parseInt(text, 10)",
        "Double": "parseFloat(text)", "Float": "parseFloat(text)",
        "BigDecimal": "a number, or BigInt for long integers",
        "BigInteger": "BigInt(text)", "Boolean": "true or false", "Character": "a string of one character",
        "SimpleDateFormat": "the methods of Date, such as toISOString()",
        "DateFormat": "the methods of Date, such as toISOString()",
        "DecimalFormat": "number.toFixed(2)", "NumberFormat": "number.toFixed(2)",
        "MessageFormat": "a template literal, `Hello ${name}`", "UUID": "an id of the back end's or of the database's",
        "Random": "Math.random()", "Math": "Math", "StringTokenizer": "text.split(\" \")",
        "Exception": "throw new Error(\"…\")", "RuntimeException": "throw new Error(\"…\")",
        "Throwable": "throw new Error(\"…\")",
        "URL": "WL.Server.invokeHttp({…})", "HttpURLConnection": "WL.Server.invokeHttp({…})",
        "HttpClient": "WL.Server.invokeHttp({…})", "DefaultHttpClient": "WL.Server.invokeHttp({…})",
        "DriverManager": "WL.Server.invokeSQLStatement({…})", "Pattern": "a regular expression, /…/",
        "Matcher": "a regular expression, /…/", "JSONObject": "JSON.parse(text) and JSON.stringify(value)",
        "JSONArray": "JSON.parse(text) and JSON.stringify(value)", "Logger": "WL.Logger.info(text)",
        "getenv": "WL.Server.configuration[\"key\"], from worklight.properties",
        "getProperty": "WL.Server.configuration[\"key\"], from worklight.properties",
        "sleep": "a poll of an event source: a script cannot wait",
        "File": "a table of a database, or a service over HTTP",
        "FileReader": "a table of a database, or a service over HTTP",
        "FileWriter": "a table of a database, or a service over HTTP",
        "FileInputStream": "a table of a database, or a service over HTTP",
        "FileOutputStream": "a table of a database, or a service over HTTP",
        "JavaAdapter": "a JavaScript object with these functions",
    ]

    /// Returns the packages that are known to have a class of that name; empty when none is.
    public static func packages(of name: String) -> [String] { packagesByClass[name] ?? [] }

    private static let packagesByClass: [String: [String]] = {
        var result: [String: [String]] = [:]
        for (package, names) in classes {
            for name in names.split(separator: " ") { result[String(name), default: []].append(package) }
        }
        for member in Member.allCases {
            // The first capitalized word is the class; the words after it are its members.
            let names = member.rawValue.split(separator: ".").map(String.init)
            guard let last = names.firstIndex(where: { $0.first?.isUppercase == true }) else { continue }
            let package = names[..<last].joined(separator: ".")
            if result[names[last]]?.contains(package) != true { result[names[last], default: []].append(package) }
        }
        return result
    }()

    private static let classes = [
        "java.lang":
            "System Thread Runtime StringBuffer StringBuilder Integer Long Double Float Short Byte Character Class "
            + "Exception RuntimeException Throwable Runnable",
        "java.util":
            "HashMap LinkedHashMap TreeMap Hashtable ArrayList LinkedList Vector HashSet LinkedHashSet TreeSet Arrays "
            + "Collections Calendar GregorianCalendar Locale TimeZone UUID Properties Random Scanner StringTokenizer Base64",
        "java.text": "SimpleDateFormat DateFormat DecimalFormat NumberFormat MessageFormat",
        "java.io":
            "File FileReader FileWriter FileInputStream FileOutputStream BufferedReader BufferedWriter InputStreamReader "
            + "OutputStreamWriter PrintWriter StringReader StringWriter ByteArrayInputStream ByteArrayOutputStream IOException",
        "java.net": "URL URI URLEncoder URLDecoder HttpURLConnection InetAddress Socket",
        "java.security": "MessageDigest SecureRandom KeyFactory KeyStore Signature",
        "java.math": "BigDecimal BigInteger MathContext",
        "java.sql": "DriverManager Timestamp",
        "javax.crypto": "Cipher Mac KeyGenerator SecretKeyFactory",
        "javax.crypto.spec": "SecretKeySpec IvParameterSpec PBEKeySpec",
    ]

    /// Returns whether a name that nothing declares can be a class of Java's: it is capitalized and not a name of JavaScript or the runtime.
    static func mayBeClass(_ name: String) -> Bool {
        name.unicodeScalars.first?.properties.isUppercase == true && !RuntimeNames.all.contains(name)
            && RuntimeNames.elsewhere[name] == nil
    }
}
