// Notifications of Lamplighter for this page, by Web Push. See docs/web-push.md.

const here = new URL('./webpush/', import.meta.url);
let instanceID;

/** What went wrong: `status` and `answer` are the server's, when it has answered. */
export class WebPushError extends Error {
    constructor(message, status, answer) {
        super(message);
        this.name = 'WebPushError';
        this.status = status;
        this.answer = answer;
    }
}

export const isSupported =
    'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis;

/**
 * Subscribes this browser. To be called from a click, since the browser asks its user; later, at every start of the
 * page, it renews what has changed without asking.
 *
 * `application` is needed, and either `adapter` and `eventSource` (with `alias` and `options`) or `tag`; without
 * them the page gets what is sent to everybody. A user must be logged in where the event source wants one.
 */
export async function subscribe(what) {
    if (!isSupported) throw new WebPushError('this browser has no Web Push, or the page is not served by https');
    if (await Notification.requestPermission() !== 'granted') {
        throw new WebPushError('the user does not want notifications of this page');
    }
    const worker = await serviceWorker(what);
    const key = await applicationServerKey();
    let subscription = await worker.pushManager.getSubscription();
    if (subscription && !isSame(subscription.options.applicationServerKey, key)) {
        await subscription.unsubscribe();
        subscription = null;
    }
    subscription ??= await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
    await post('subscribe', what, subscription);
    return subscription;
}

/** Ends the subscription to an event source or to a tag. Does nothing in a browser that has none. */
export async function unsubscribe(what) {
    const worker = await serviceWorker(what);
    const subscription = await worker.pushManager.getSubscription();
    if (subscription) await post('unsubscribe', what, subscription);
}

/**
 * Calls `callback(props, payload)` for every message that comes while the page is open. `payload.alias` or
 * `payload.tag` tells what it was subscribed by.
 */
export function onMessage(callback) {
    const listener = ({ data }) => {
        if (data?.type === 'lamplighter-push') callback(data.props, data.payload);
    };
    navigator.serviceWorker.addEventListener('message', listener);
    navigator.serviceWorker.startMessages();
    return () => navigator.serviceWorker.removeEventListener('message', listener);
}

async function serviceWorker({ serviceWorker }) {
    if (serviceWorker) return serviceWorker;
    const registration = await navigator.serviceWorker.register(new URL('./webpush-sw.js', import.meta.url));
    const worker = registration.active ?? registration.waiting ?? registration.installing;
    await new Promise((resolve) => {
        const look = () => { if (worker.state === 'activated' || registration.active) resolve(); };
        worker.addEventListener('statechange', look);
        look();
    });
    return registration;
}

async function applicationServerKey() {
    const response = await fetch(new URL('key', here), { cache: 'no-store' });
    if (!response.ok) throw new WebPushError('the server gives no key', response.status);
    const text = (await response.json()).applicationServerKey.replaceAll('-', '+').replaceAll('_', '/');
    return Uint8Array.from(atob(text), (digit) => digit.charCodeAt(0));
}

function isSame(buffer, key) {
    const bytes = buffer && new Uint8Array(buffer);
    return bytes?.length === key.length && key.every((byte, index) => byte === bytes[index]);
}

async function post(action, what, subscription) {
    const fields = new URLSearchParams({ subscription: JSON.stringify(subscription) });
    for (const name of ['application', 'environment', 'adapter', 'eventSource', 'alias', 'tag']) {
        if (what[name] !== undefined) fields.set(name, what[name]);
    }
    if (what.options) fields.set('options', JSON.stringify(what.options));
    for (;;) {
        const headers = { 'X-Requested-With': 'XMLHttpRequest' };
        if (instanceID) headers['WL-Instance-Id'] = instanceID;
        const response = await fetch(new URL(action, here), { method: 'POST', headers, body: fields });
        const answer = unwrapped(await response.text());
        const told = answer?.challenges?.wl_antiXSRFRealm?.['WL-Instance-Id'];
        if (response.status === 401 && told && told !== instanceID) {
            instanceID = told;
            continue;
        }
        if (response.ok && answer?.isSuccessful) return;
        throw new WebPushError(
            answer?.errorMsg ?? (response.ok ? 'a user has to log in first' : 'the server refuses'),
            response.status, answer);
    }
}

function unwrapped(text) {
    try {
        return JSON.parse(text.replace(/^\/\*-secure-\n/, '').replace(/\*\/$/, ''));
    } catch {
        return undefined;
    }
}
