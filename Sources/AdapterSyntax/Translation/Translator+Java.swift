extension Translator {
    /// `importClass(java.util.HashMap)` and `importPackage(java.util)` become variables that hold the runtime's stand-ins
    /// for Java's classes, which fail when they are called.
    mutating func translateImport(_ statement: NodeID) {
        let call = tree.child(statement, 0)
        guard tree.kind(call) == .call, let importer = importer(of: call) else { return }
        find(.javaImport, tree.range(call), importer)
        imports.insert(call)
        var variables: [String] = []
        for argument in tree.children(call).dropFirst() {
            guard let path = javaPath(argument) else {
                return refuse(.javaImport, tree.range(argument), "only a name like java.util.HashMap can be imported")
            }
            guard Self.roots.contains(path[0]) else {
                return refuse(
                    .javaImport, tree.range(argument),
                    "of Java's packages only the names under \(Self.roots.joined(separator: ", ")) exist")
            }
            let names = path[0] == "Packages" ? path.count - 1 : path.count
            guard names > (importer == "importClass" && path[0] != "Packages" ? 1 : 0) else {
                return refuse(
                    .javaImport, tree.range(argument),
                    "\(path[0]) holds packages and no classes: name what is imported, as in "
                        + (importer == "importClass" ? "java.util.HashMap" : "java.util"))
            }
            if importer == "importClass" {
                variables.append("\(path[path.count - 1]) = \(path.joined(separator: "."))")
            } else if let classes = classes(of: path, argument) {
                variables += classes
            } else {
                return
            }
        }
        let text = variables.isEmpty ? "void 0" : "var \(variables.joined(separator: ", "))"
        edits.replace(tree.range(call), text)
    }

    /// Imports that stand within an expression cannot become variables.
    mutating func refuseImport(_ call: NodeID) {
        guard !imports.contains(call), let importer = importer(of: call) else { return }
        find(.javaImport, tree.range(call), importer)
        refuse(.javaImport, tree.range(call), "\(importer) must be a statement of its own")
    }

    private static let roots = ["java", "javax", "com", "org", "Packages"]

    private func importer(of call: NodeID) -> String? {
        let callee = tree.child(call, 0)
        guard tree.kind(callee) == .identifier, isFree(callee) else { return nil }
        let name = tree.name(callee)
        return name == "importClass" || name == "importPackage" ? name : nil
    }

    /// The names of `java.util.HashMap`.
    private func javaPath(_ id: NodeID) -> [String]? {
        var path: [String] = []
        var id = tree.unwrapped(id)
        while tree.kind(id) == .member {
            path.append(tree.name(tree.child(id, 1)))
            id = tree.unwrapped(tree.child(id, 0))
        }
        guard tree.kind(id) == .identifier else { return nil }
        path.append(tree.name(id))
        return path.reversed()
    }

    /// The classes of a package that the script uses, as far as can be told; `nil` when it cannot, which is noted.
    private mutating func classes(of path: [String], _ argument: NodeID) -> [String]? {
        let package = path.first == "Packages" ? Array(path.dropFirst()) : path
        let name = package.joined(separator: ".")
        var result: [String] = []
        var seen: Set<String> = []
        for reference in names.free where seen.insert(reference.name).inserted {
            guard let first = reference.name.unicodeScalars.first, first.properties.isUppercase,
                !JavaClasses.scriptGlobals.contains(reference.name)
            else { continue }
            if let home = JavaClasses.packages[reference.name] {
                if home == name { result.append("\(reference.name) = \(name).\(reference.name)") }
            } else if importedPackages == 1 {
                result.append("\(reference.name) = \(name).\(reference.name)")
            } else {
                refuse(
                    .javaImport, tree.range(reference.node),
                    "\(reference.name) may come from any of the packages that the script imports")
                return nil
            }
        }
        return result
    }

    private var importedPackages: Int {
        names.free.count { $0.name == "importPackage" }
    }
}

/// What must be known of Java's classes to tell which package a name comes from.
enum JavaClasses {
    static let packages: [String: String] = {
        let classes = [
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
            "com.worklight.common.js.util": "JSObjectConverter",
        ]
        var result: [String: String] = [:]
        for (package, names) in classes {
            for name in names.split(separator: " ") { result[String(name)] = package }
        }
        return result
    }()

    /// Capitalized names of the script's own world.
    static let scriptGlobals: Set<String> = [
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
