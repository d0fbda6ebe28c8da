import Authentication
import Core
import Foundation
import HTTPServer
import HTTPTypes
import Installation
import Logging
import NIOCore
import PushModel
import Storage

/// The services for clients of any application under `/apps/services/`.
enum ClientService: String, Sendable, CaseIterable {
    case loginForm = "j_security_check"
    case reach
    case random
    case uploadLog = "loguploader"
    case logProfile = "configprofile"
}

/// The resources directly under `/apps/services/`: for clients of any application, and without a session (wire-protocol 1, 7).
extension ClientProtocolHandler {
    func answer(service name: String, _ call: IncomingRequest) async -> Response {
        switch ClientService(rawValue: name) {
        case .loginForm: return await inSession(call) { await submitForm($0) }
        case .reach: return ClientProtocolResponse.text("OK")
        case .random: return ClientProtocolResponse.text(random(fields: call.fields))
        case .uploadLog: return await takeClientLog(call)
        case .logProfile: return logProfile
        case nil:
            if call.request.method == .get, security.gate.realms.loginPage(named: name, preferred: nil) != nil {
                return await inSession(call) { exchange in
                    let page = security.gate.realms.loginPage(named: name, preferred: exchange.session.pendingRealm)
                    return ClientProtocolResponse.page((page ?? .standard).html())
                }
            }
            if let answer = await offered(call, to: nil) { return answer }
            return ClientProtocolResponse.failure(
                .notFound, "there is no service '\(name.prefix(100))'", status: .notFound)
        }
    }

    /// Offers a request for an unknown path to the project's own authenticators.
    ///
    /// - Returns: `nil` when there are none, or none recognizes it.
    func offered(_ call: IncomingRequest, to application: ClientApplication?) async -> Response? {
        guard security.gate.realms.hasScripts else { return nil }
        let response = await inSession(call, application: application) { exchange in
            if let application = exchange.application,
                let block = handshake.block(application) ?? handshake.block(exchange.session, of: application.id)
            {
                return block
            }
            guard exchange.body.readableBytes <= Self.longestForm else {
                return ClientProtocolResponse.failure(
                    .unexpected, "the login form is longer than \(Self.longestForm) bytes", status: .contentTooLarge)
            }
            // A link of another site makes a browser send GET; only the session's client knows its instance id.
            let isPosted = exchange.head.method == .post
            let isProven = exchange.session.proves(instanceID: exchange.head.headerFields.value(of: .instanceID))
            guard !mayBeForged(exchange), isPosted || isProven else { return Self.crossSiteRefusal }
            guard let answer = await security.gate.offer(exchange.visit) else {
                return ClientProtocolResponse.failure(.notFound, "there is nothing of that name", status: .notFound)
            }
            return self.response(to: answer)
        }
        return response
    }

    /// Random bytes in hexadecimal, from which clients make keys for the data that they store.
    private func random(fields: FormFields) -> String {
        RandomBytes.hexadecimal(min(max(fields["bytes"].flatMap { Int($0) } ?? 64, 1), 1024))
    }

    /// The profile that configures the clients' logs. Without a profile the response has no body: an empty object breaks clients of 6.2 and 7.1.
    private var logProfile: Response {
        guard let level = installation.settings.clientLogLevel else {
            return Response(status: .noContent, headers: [:])
        }
        return ClientProtocolResponse.wrapped(["wllogger": ["capture": true, "level": .string(level), "filters": [:]]])
    }

    /// Keeps a client's log entries. Native clients delete theirs only when the response is 201.
    private func takeClientLog(_ call: IncomingRequest) async -> Response {
        let limit = installation.settings.longestRequest
        let (now, log) = (installation.time.now, installation.telemetry.clientLog)
        // Otherwise each browser that another site's page uses would have its own address, and so its own quota.
        guard !page(of: call).isCrossSite else { return Self.crossSiteRefusal }
        do {
            let (upload, removed) = try await runBlocking {
                let headers = call.request.headers
                var body = call.body
                if headers[.contentEncoding]?.lowercased() == "gzip" || headers[.compressed] == "true" {
                    let plain = try Zlib.decompress(Array(body.readableBytesView), .gzipOrZlib, limit: limit)
                    body = ByteBuffer(bytes: plain)
                }
                // JSON from most clients, a form from some.
                let form = call.fields["__logdata"].map { JSONValue.object(["__logdata": .string($0)]) }
                let upload = try ClientLogUpload(
                    body: try form ?? JSONValue(parsing: String(buffer: body)), receivedAt: now
                ) { name in HTTPField.Name(name).flatMap { headers[$0] } }
                return (upload, try log.append(upload.entries, from: call.network))
            }
            for (limit, count) in [
                ("limits.clientLogPerAddress", removed.ofNetwork), ("limits.clientLog", removed.ofAll),
            ] where count > 0 {
                security.log.reached(
                    limit, by: call.address, at: .notice, "removed the oldest entries of clients' logs")
            }
            if upload.damaged > 0 || upload.isCut {
                security.log.log(
                    "damaged client log", at: .notice, metadata: ["address": "\(call.address)"],
                    "an uploaded client log is damaged: \(upload.damaged) unreadable parts, truncated: \(upload.isCut)")
            }
        } catch let error as StoreError {
            return storeFailure(error)
        } catch {
            // It would be sent again and again, and never be better.
            security.log.log(
                "unreadable client log", at: .notice, metadata: ["address": "\(call.address)"],
                "a client's log cannot be read: \(error)")
        }
        return Response(status: .created, headers: [.contentLength: "0"])
    }
}

extension HTTPField.Name {
    fileprivate static let compressed = HTTPField.Name("x-wl-compressed") ?? .contentEncoding
}
