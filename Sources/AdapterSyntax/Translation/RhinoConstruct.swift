/// What Rhino 1.7 accepted in adapters and JavaScriptCore does not, or means otherwise.
public enum RhinoConstruct: String, Sendable, Hashable, CaseIterable {
    case forEach = "for each"
    case pairLoop = "for ([key, value] in object)"
    case conditionalCatch = "conditional catch"
    case expressionClosure = "expression closure"
    case letBlock = "let block"
    case letExpression = "let expression"
    case arrayComprehension = "array comprehension"
    case generatorExpression = "generator expression"
    case plainGenerator = "yield in a plain function"
    case assignedConst = "assignment to a const"
    case constOutsideBlock = "const used outside of its block"
    case xmlLiteral = "E4X literal"
    case xmlAccess = "E4X access"
    case xmlFilter = "E4X filter"
    case defaultXMLNamespace = "default xml namespace"
    case xmlObject = "XML object"
    case javaImport = "Java import"
    case javaAdapter = "JavaAdapter"
    case generics = "generic of String or Array"
    case iterator = "Iterator"
    case toSource = "toSource"

    /// What to write instead.
    public var mend: String {
        switch self {
        case .forEach: "write for (var value of Object.values(object ?? {}))"
        case .pairLoop: "write for (var [key, value] of Object.entries(object))"
        case .conditionalCatch: "catch once and tell the errors apart with if, and throw on what is none of them"
        case .expressionClosure: "write the body in braces with return"
        case .letBlock: "write { let name = value; ... }"
        case .letExpression: "put the value into a variable first"
        case .arrayComprehension: "use map and filter"
        case .generatorExpression: "use map and filter, or a function*"
        case .plainGenerator: "write function*, and take .value of what next() gives"
        case .assignedConst: "declare it with let or var, or do not assign to it: Rhino silently did not"
        case .constOutsideBlock: "declare it with var, before it is used"
        case .xmlLiteral: "build the XML as a text, in a template literal, and escape what is put in"
        case .xmlAccess, .xmlFilter, .xmlObject: "let invokeHttp make JSON of the XML (returnedContentType: \"xml\")"
        case .defaultXMLNamespace: "write the namespace into the XML (xmlns=\"...\")"
        case .javaImport: "there is no Java here: use what JavaScript and WL.Server have"
        case .javaAdapter: "there is no Java here: write a JavaScript object with these functions"
        case .generics: "call it on the value: value.trim(), list.map(f)"
        case .iterator: "use Object.entries or Object.keys with for-of"
        case .toSource: "use JSON.stringify"
        }
    }
}
