import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import PushModel

/// Sends requests with a credential's access token, with a new one when the service says that the old one is no good.
struct AuthorisedExchange {
    let client: ServiceClient
    let tokens: AccessTokens
    /// How long to leave the service alone after a request that timed out.
    let patience: Duration?

    /// - Parameters:
    ///   - url: where it goes: the request's own address, or the replaced one.
    ///   - isTokenRefused: whether an answer is about the access token.
    ///   - read: what an answer means, the second one to a request whose token was refused twice included.
    func run(
        _ request: PushRequest, url: String, isTokenRefused: (ServiceAnswer) -> Bool,
        read: (ServiceAnswer) -> ServiceVerdict
    ) async -> ServiceVerdict {
        var outgoing = HTTPClientRequest(url: url)
        outgoing.method = HTTPMethod(rawValue: request.method)
        for header in request.headers { outgoing.headers.add(name: header.name, value: header.value) }
        outgoing.body = .bytes(ByteBuffer(string: request.body))
        do throws(AccessTokens.Failure) {
            let token = try await tokens.current()
            let answer = await send(outgoing, token)
            guard case .success(let first) = answer, isTokenRefused(first) else { return verdict(answer, read) }
            tokens.refused(token)
            return verdict(await send(outgoing, try await tokens.current()), read)
        } catch {
            return error.verdict
        }
    }

    private func send(
        _ request: HTTPClientRequest, _ token: AccessTokens.Token
    ) async -> Result<ServiceAnswer, ServiceFailure> {
        var request = request
        request.headers.replaceOrAdd(name: "Authorization", value: token.authorization)
        do throws(ServiceFailure) {
            return .success(try await client.send(request))
        } catch {
            return .failure(error)
        }
    }

    private func verdict(
        _ answer: Result<ServiceAnswer, ServiceFailure>, _ read: (ServiceAnswer) -> ServiceVerdict
    ) -> ServiceVerdict {
        switch answer {
        case .success(let answer): read(answer)
        case .failure(let failure): failure.verdict(patience: patience)
        }
    }
}
