/// Statements that lead elsewhere: jumps, switch, with, try.
extension Parser {
    mutating func jump() throws(ParserError) -> NodeID {
        let start = token.start
        let isBreak = at(.break)
        let word = token.range
        try advance()
        var label = NodeID.absent
        if at(.identifier), !token.followsLineBreak {
            label = try bindingIdentifier()
            let name = source.text(in: range(label))
            guard function.labels.contains(name) else {
                throw ParserError("there is no label \(name) around here to jump to", at: range(label))
            }
        } else if function.loops == 0, !isBreak || function.switches == 0 {
            throw ParserError(
                isBreak ? "break is outside of a loop or switch" : "continue is outside of a loop", at: word)
        }
        try endStatement()
        return finish(isBreak ? .breakStatement : .continueStatement, from: start, [label])
    }

    mutating func returnStatement() throws(ParserError) -> NodeID {
        let start = token.start
        guard function.isInFunction else { throw ParserError("return is outside of a function", at: token.range) }
        try advance()
        var value = NodeID.absent
        if token.kind != .semicolon, token.kind != .rightBrace, token.kind != .end, !token.followsLineBreak {
            value = try expression()
        }
        try endStatement()
        return finish(.returnStatement, from: start, [value])
    }

    mutating func throwStatement() throws(ParserError) -> NodeID {
        let start = token.start
        try advance()
        if token.followsLineBreak { throw unexpected("expected what to throw on the line of throw") }
        let value = try expression()
        try endStatement()
        return finish(.throwStatement, from: start, [value])
    }

    mutating func withStatement() throws(ParserError) -> NodeID {
        let start = token.start
        try advance()
        let object = try condition("with")
        let body = try statement()
        return finish(.withStatement, from: start, [object, body])
    }

    mutating func switchStatement() throws(ParserError) -> NodeID {
        let start = token.start
        try advance()
        var parts = [try condition("switch")]
        try expect(.leftBrace, "{", "to begin the cases")
        function.switches += 1
        defer { function.switches -= 1 }
        var hasDefault = false
        while !at(.rightBrace) {
            let start = token.start
            var children = [NodeID.absent]
            if at(.default) {
                if hasDefault { throw unexpected("a switch has one default") }
                hasDefault = true
                try advance()
            } else {
                try expect(.case, "case, default or }", "in the switch")
                children[0] = try expression()
            }
            try expect(.colon, ":", "after the case")
            while !at(.case), !at(.default) || next()?.kind != .colon, !at(.rightBrace) {
                if at(.end) { throw unexpected("expected } to end the switch") }
                children.append(try statement(inList: true))
            }
            parts.append(finish(.switchCase, from: start, children))
        }
        try advance()
        return finish(.switchStatement, from: start, parts)
    }

    mutating func tryStatement() throws(ParserError) -> NodeID {
        let start = token.start
        try advance()
        var parts = [try block()]
        var isComplete = false
        while at(.catch) {
            if isComplete { throw unexpected("a catch without condition must be the last one") }
            let start = token.start
            try advance()
            var parameter = NodeID.absent
            var condition = NodeID.absent
            if try take(.leftParenthesis) {
                parameter = try bindingTarget()
                if try take(.if) { condition = try expression() }
                try expect(.rightParenthesis, ")", "after what is caught")
            }
            isComplete = condition.isAbsent
            let body = try block()
            parts.append(finish(.catchClause, from: start, [parameter, condition, body]))
        }
        var last = NodeID.absent
        if try take(.finally) { last = try block() }
        if parts.count == 1, last.isAbsent { throw unexpected("expected catch or finally after the block of try") }
        return finish(.tryStatement, from: start, parts + [last])
    }
}
