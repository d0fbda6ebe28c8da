/// What is known of Java here: what of it works, under which roots its names are, and which package has which class.
///
/// The runtime's stand-ins, the translation of imports, the checks and docs/rhino.md all say the same, which is this.
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

    /// What is there and what is not, for messages.
    public static let summary: String = {
        let members = Member.allCases.map(\.rawValue)
        return "Lamplighter has no Java; of its classes only \(members.dropLast().joined(separator: ", ")) "
            + "and \(members[members.count - 1]) work"
    }()

    /// The packages that are known to have a class of that name; empty when none is.
    public static func packages(of name: String) -> [String] { packagesByClass[name] ?? [] }

    private static let packagesByClass: [String: [String]] = {
        var result: [String: [String]] = [:]
        for (package, names) in classes {
            for name in names.split(separator: " ") { result[String(name), default: []].append(package) }
        }
        for member in Member.allCases {
            // The last word that is a class: what is behind it are its members.
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

    /// Whether a name that nothing declares can be a class of Java's: none of the script's own world.
    static func mayBeClass(_ name: String) -> Bool {
        name.unicodeScalars.first?.properties.isUppercase == true && !scriptGlobals.contains(name)
    }

    /// Capitalized names of the script's own world.
    private static let scriptGlobals: Set<String> = [
        "WL", "MFP", "Object", "Array", "String", "Number", "Boolean", "Date", "Math", "JSON", "RegExp", "Function",
        "Error",
        "TypeError", "RangeError", "SyntaxError", "ReferenceError", "EvalError", "URIError", "Infinity", "NaN",
        "Packages", "XML",
        "XMLList", "QName", "Namespace", "Iterator", "StopIteration", "JavaAdapter", "JavaImporter", "Map", "Set",
        "WeakMap",
        "WeakSet", "Symbol", "Proxy", "Reflect", "Intl", "Promise", "ArrayBuffer", "DataView", "Uint8Array",
        "Int8Array",
        "Uint16Array", "Int16Array", "Uint32Array", "Int32Array", "Float32Array", "Float64Array", "BigInt",
    ]
}
