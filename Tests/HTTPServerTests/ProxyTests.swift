import Foundation
import HTTPTypes
import NIOCore
import NIOHTTP1
import TestSupport
import Testing

@testable import HTTPServer

/// Behind the proxies that are most used, as they are without further settings.
@Suite("Behind nginx and HAProxy", .long, .onOwnThreads, .defaultTimeLimit)
struct ProxyTests {
    private static let size = 5_000_000

    private static let direct = DirectAnswers { path in
        guard path.hasPrefix("/direct/big/") else { return nil }
        return { request in
            let body = bigBody(request.path.split(separator: "/").last.flatMap { Int($0) } ?? 0)
            return Response(status: .ok, body: ByteBuffer(bytes: body))
        }
    }

    /// nginx speaks HTTP/1.0 with a server, and closes after each response.
    private static func nginx(to port: Int) throws -> WatchedServer {
        try WatchedServer(
            "nginx", [String(port)],
            script: """
                mkdir -p body proxy fastcgi uwsgi scgi
                cat > nginx.conf <<END
                daemon off;
                master_process off;
                pid $1/pid;
                error_log $1/log;
                events {}
                http {
                    access_log off;
                    client_body_temp_path $1/body;
                    proxy_temp_path $1/proxy;
                    fastcgi_temp_path $1/fastcgi;
                    uwsgi_temp_path $1/uwsgi;
                    scgi_temp_path $1/scgi;
                    server {
                        listen 127.0.0.1:$2;
                        location / { proxy_pass http://127.0.0.1:$3; }
                    }
                }
                END
                nginx -p "$1" -c "$1/nginx.conf" > log 2>&1 &
                pid=$!
                # Only to the proxy: the server behind it needs threads of this process, which waits.
                ready_when bash -c "exec 3<> /dev/tcp/127.0.0.1/$2"
                """, stop: "KILL")
    }

    /// - Parameter options: of the server's line.
    private static func haproxy(to port: Int, options: String = "") throws -> WatchedServer {
        try WatchedServer(
            "haproxy", [String(port), options],
            script: """
                cat > haproxy.cfg <<END
                defaults
                    mode http
                    timeout connect 300s
                    timeout client 300s
                    timeout server 300s
                frontend clients
                    bind 127.0.0.1:$2
                    default_backend server
                backend server
                    server one 127.0.0.1:$3 $4
                END
                haproxy -db -f haproxy.cfg > log 2>&1 &
                pid=$!
                # Only to the proxy: the server behind it needs threads of this process, which waits.
                ready_when bash -c "exec 3<> /dev/tcp/127.0.0.1/$2"
                """, stop: "KILL")
    }

    /// Requests a large response through a proxy, with small buffers and with one connection for each request.
    ///
    /// - Parameter isHTTP2: whether the proxy speaks HTTP/2 with the server. There each request needs a host.
    private func check(_ proxy: WatchedServer, isHTTP2: Bool = false) async throws {
        for path in ["/direct/big/", "/big/"] {
            for request in [
                "HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n",
                isHTTP2 ? "HTTP/1.0\r\nHost: h\r\n\r\n" : "HTTP/1.0\r\n\r\n",
                "HTTP/1.1\r\nHost: h\r\nConnection: close\r\nUpgrade: h2c\r\n\r\n",
            ] {
                let client = try await RawClient(port: proxy.port, receiveBuffer: 64 << 10)
                try await client.send("GET \(path)\(Self.size) \(request)")
                while await client.receive() {}
                #expect(String(decoding: client.received.prefix(9), as: UTF8.self).hasPrefix("HTTP/1."))
                #expect(
                    isBigBody(client.received.suffix(Self.size), Self.size),
                    "\(path): \(client.received.count) bytes came")
                await client.close()
            }
        }
    }

    @Test("Large responses come whole through nginx") func nginx() async throws {
        try await withServer(direct: Self.direct) { port in try await check(try Self.nginx(to: port)) }
    }

    @Test("Large responses come whole through HAProxy") func haproxy() async throws {
        try await withServer(direct: Self.direct) { port in try await check(try Self.haproxy(to: port)) }
    }

    @Test("Large responses come whole through HAProxy that closes each connection") func haproxyClosing() async throws {
        try await withServer(direct: Self.direct) { port in
            try await check(try Self.haproxy(to: port, options: "\n    option httpclose"))
        }
    }

    @Test("Large responses come whole through HAProxy over TLS", arguments: ["h2", "http/1.1"])
    func haproxyTLS(protocolName: String) async throws {
        let files = try TestCertificates()
        let certificate = try ServerCertificate(
            certificateFile: files.path("a.pem"), keyFile: files.path("a.key"), logger: LogRecorder().logger)
        try await withServer(certificate: certificate, direct: Self.direct) { port in
            try await check(
                try Self.haproxy(to: port, options: "ssl verify none alpn \(protocolName)"),
                isHTTP2: protocolName == "h2")
        }
    }
}
