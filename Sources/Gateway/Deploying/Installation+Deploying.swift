extension Installation {
    /// Deploys what an adapter's folder in the project holds, in place of the version that runs or as a new adapter; see
    /// docs/live-reload.md. The rest of the project stays as read when the installation was opened.
    @discardableResult
    public func deploy(adapter name: String) async -> DeploymentReport {
        await deployments.deploy(name)
    }

    /// Takes an adapter away. What subscribed to its event sources stays subscribed, for when it comes back.
    ///
    /// - Parameter dropsCallbacks: whether the callbacks that it owes are dropped, instead of waiting for it to come back.
    @discardableResult
    public func undeploy(adapter name: String, dropsCallbacks: Bool = false) async -> DeploymentReport {
        await deployments.undeploy(name, dropsCallbacks: dropsCallbacks)
    }

    /// Whether there is a version of an adapter that is called.
    func isRunning(adapter name: String) -> Bool { deployments.isRunning(name) }
}
