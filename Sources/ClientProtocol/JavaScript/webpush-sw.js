// Shows the notifications of Lamplighter, and passes them on to pages that are open. See docs/web-push.md.

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('push', (event) => {
    let message;
    try {
        message = event.data?.json();
    } catch {
        message = { alert: event.data.text() };
    }
    event.waitUntil(take(message ?? {}));
});

async function take({ id, title, alert, badge, sound, payload = {} }) {
    const props = Object.fromEntries(
        Object.entries({ title, alert, badge, sound }).filter(([, value]) => value !== undefined));
    const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
    for (const page of pages) page.postMessage({ type: 'lamplighter-push', id, props, payload });
    if (badge !== undefined && navigator.setAppBadge) {
        await (badge > 0 ? navigator.setAppBadge(badge) : navigator.clearAppBadge()).catch(() => {});
    }
    // Browsers withdraw the permission of pages that get messages and show nothing, unless the page is visible.
    const isSilent = title === undefined && alert === undefined;
    if (isSilent && pages.some((page) => page.visibilityState === 'visible')) return;
    const heading = title ?? alert ?? self.location.host;
    const body = heading === alert ? '' : alert ?? '';
    // A repeated message replaces the notification that is already shown.
    await self.registration.showNotification(heading, { body, tag: id, data: { payload }, silent: isSilent });
}

self.addEventListener('notificationclick', (event) => {
    event.notification.close();
    event.waitUntil(open(event.notification.data?.payload?.url));
});

/** Opens the page that the payload names, when it is one of this server's, or brings the open page to the front. */
async function open(text) {
    const url = new URL(typeof text === 'string' ? text : '/', self.location.origin);
    const isOwn = url.origin === self.location.origin;
    const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
    if (pages.length > 0 && (typeof text !== 'string' || !isOwn)) return pages[0].focus();
    return self.clients.openWindow(isOwn ? url : '/');
}
