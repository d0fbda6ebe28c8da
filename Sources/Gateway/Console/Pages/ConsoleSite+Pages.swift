/// The pages in the order of the menu, and the actions.
extension ConsoleSite {
    static let pages: [ConsolePage] =
        overviewPages + deliveryPages + messagePages + directoryPages + adapterPages + applicationPages + serverPages

    static let actions: [ConsoleAction] =
        deliveryActions + messageActions + directoryActions + adapterActions + applicationActions + serverActions
}
