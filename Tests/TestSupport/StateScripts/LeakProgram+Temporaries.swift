extension LeakProgram {
    /// Creates a program whose function `keep(u)` stores a string `u` in `last` and returns the present or former value of `last`.
    ///
    /// A function may read `last` before it assigns it, so the session must find its value again.
    private init(temporary name: String, _ keep: String) {
        self.init(
            name,
            """
            var last = null;
            \(keep)
            function set(u) { keep(u); }
            function get() { return { v: keep() }; }
            """)
    }

    // MARK: - Variables that functions seem to assign before they read them

    static let temporaries: [LeakProgram] = [
        LeakProgram(
            temporary: "assigns a variable under a condition",
            "function keep(u) { if (u) last = u; return last; }"),
        LeakProgram(
            temporary: "assigns a variable in one arm of a conditional expression",
            "function keep(u) { return u ? (last = u) : last; }"),
        LeakProgram(
            temporary: "assigns a variable behind and",
            "function keep(u) { u && (last = u); return last; }"),
        LeakProgram(
            temporary: "assigns a variable behind an assignment of what is false",
            "function keep(u) { var none = !u; none ||= last = u; return last; }"),
        LeakProgram(
            temporary: "assigns a variable in the argument of a call that may not be made",
            "function keep(u) { var f = u ? String : null; f?.(last = u); return last; }"),
        LeakProgram(
            temporary: "assigns a variable in a loop that may not run",
            "function keep(u) { while (u && last !== u) last = u; return last; }"),
        LeakProgram(
            temporary: "assigns a variable after a loop's turn",
            "function keep(u) { for (; u && last !== u; last = u); return last; }"),
        LeakProgram(
            temporary: "assigns a variable in a loop that may be left before",
            "function keep(u) { do { if (!u) break; last = u; } while (false); return last; }"),
        LeakProgram(
            temporary: "assigns the variable of a loop over keys, of which there may be none",
            "function keep(u) { for (last in u ? { [u]: 1 } : {}); return last; }"),
        LeakProgram(
            temporary: "assigns the variable of a loop over elements, of which there may be none",
            "function keep(u) { for (last of u ? [u] : []); return last; }"),
        LeakProgram(
            temporary: "assigns a variable in a block that may be left before",
            "function keep(u) { work: { if (!u) break work; last = u; } return last; }"),
        LeakProgram(
            temporary: "assigns a variable in one of a switch's cases",
            "function keep(u) { switch (!u) { case false: last = u; } return last; }"),
        LeakProgram(
            temporary: "assigns a variable in a case above the one that is entered",
            "function keep(u) { switch (!u) { case false: last = u; case true: return last; } }"),
        LeakProgram(
            temporary: "assigns a variable in a case's test",
            "function keep(u) { switch (u) { case undefined: break; case last = u: } return last; }"),
        LeakProgram(
            temporary: "assigns a variable behind what may throw",
            "function keep(u) { try { if (!u) throw u; last = u; } catch (e) {} return last; }"),
        LeakProgram(
            temporary: "assigns a variable where an error is caught",
            "function keep(u) { try { if (u) throw u; } catch (e) { last = e; } return last; }"),
        LeakProgram(
            temporary: "assigns a variable once its value is returned",
            "function keep(u) { try { return last; } finally { last = u; } }"),
        LeakProgram(
            temporary: "adds to a variable",
            #"function keep(u) { return last += u || ""; }"#),
        LeakProgram(
            temporary: "reads a variable before the next element assigns it",
            "function keep(u) { return [last, last = u][0]; }"),
        LeakProgram(
            temporary: "reads a variable as the default of a parameter",
            "function keep(u = last) { last = u; return u; }"),
        LeakProgram(
            temporary: "reads a variable as the default of a pattern",
            "function keep(u) { var { v = last } = { v: u }; last = v; return v; }"),
        LeakProgram(
            temporary: "assigns a variable in a pattern's default",
            "function keep(u) { var { v = (last = u) } = u ? {} : { v: 1 }; return last; }"),
        LeakProgram(
            temporary: "assigns a variable in a parameter's default",
            #"""
            function put(u, v = (last = u)) { return last; }
            function keep(u) { return put(u, u ? undefined : 1); }
            """#),
        LeakProgram(
            temporary: "reads a variable in a function that is declared below",
            "function keep(u) { var found = read(); last = u; function read() { return last; } return found; }"),
        LeakProgram(
            temporary: "assigns a variable in a function that may not be called",
            "function keep(u) { function put() { last = u; } if (u) put(); return last; }"),
        LeakProgram(
            temporary: "reads a variable as a member of this",
            "function keep(u) { var found = this.last; last = u; return found; }"),
        LeakProgram(
            temporary: "reads a variable by a name that it computes",
            #"function keep(u) { var found = this["la" + "st"]; last = u; return found; }"#),
        LeakProgram(
            temporary: "assigns a member of its name inside with",
            "function keep(u) { with ({ last: 1 }) last = u; var found = last; last = u; return found; }"),
        LeakProgram(
            temporary: "assigns a variable by a name with an escape",
            #"function keep(u) { if (u) l\u0061st = u; return last; }"#),
        LeakProgram(
            temporary: "assigns other variables of its name",
            #"""
            function keep(u) {
                { let last = u; }
                for (let last of [u]);
                try { throw u; } catch (last) { last = u; }
                (function (last) { last = u; })();
                (function () { var last = u; })();
                var found = last;
                last = u;
                return found;
            }
            """#),
        LeakProgram(
            "reads a variable in a class's field",
            #"""
            var last = null;
            class Reader { now = last; }
            function set(u) { last = u; }
            function get() { return { v: new Reader().now }; }
            """#),
        LeakProgram(
            "reads a variable in a method that its constructor made",
            #"""
            var last;
            function Users() { last = null; this.read = function () { return last; }; }
            var users = new Users();
            function set(u) { last = u; }
            function get() { return { v: users.read() }; }
            """#),
    ]
}
