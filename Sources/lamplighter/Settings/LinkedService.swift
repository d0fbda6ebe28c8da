/// The environment variables that Kubernetes and Docker set in each container for a service whose name begins with 'lamplighter'.
enum LinkedService {
    /// Returns whether a variable is one of these, such as `LAMPLIGHTER_PORT=tcp://10.0.0.7:10080`.
    static func isSet(_ name: String, to value: String) -> Bool {
        let isService =
            name.wholeMatch(
                of:
                    /LAMPLIGHTER_([A-Z0-9_]+_)?(SERVICE_HOST|SERVICE_PORT(_[A-Z0-9_]+)?|PORT_[0-9]+_(TCP|UDP|SCTP)(_(ADDR|PORT|PROTO))?)/
            ) != nil
        // LAMPLIGHTER_PORT and LAMPLIGHTER_CONSOLE_PORT are settings as well: an address is no port number.
        let isAddress = value.wholeMatch(of: /(tcp|udp|sctp):\/\/.*/) != nil
        // Docker's links.
        let isLink = name.hasPrefix("LAMPLIGHTER_ENV_") || (name == "LAMPLIGHTER_NAME" && value.hasPrefix("/"))
        return isService || isLink || (isAddress && name.wholeMatch(of: /LAMPLIGHTER_([A-Z0-9_]+_)?PORT/) != nil)
    }
}
