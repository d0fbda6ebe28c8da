import Foundation

/// Functions of this program that take the place of a library's function of the same name.
enum SymbolReplacement {
    /// Whether calls of `name` reach this program's function.
    static func isInPlace(_ name: String) -> Bool {
        // A null handle is RTLD_DEFAULT: the order in which the libraries' own calls are resolved.
        let found = dlsym(nil, name)
        return found != nil && found != original(name)
    }

    /// The library's function of that name.
    static func original(_ name: String) -> UnsafeMutableRawPointer? {
        // RTLD_NEXT, a macro that Swift cannot read: what comes after the program itself.
        dlsym(UnsafeMutableRawPointer(bitPattern: -1), name)
    }
}
