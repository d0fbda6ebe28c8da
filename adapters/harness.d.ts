// What a test of an adapter (NAME.test.js) sees when `lamplighter test` runs it; docs/testing-adapters.md explains it.
//
// Tests are synchronous: there are no promises, and what the harness is asked has happened when it answers.

// ---- Suites and tests, in the manner of Jest and Jasmine

type TestBody = () => void;

interface Declaring {
    /** @param limit how long it may take, in milliseconds, instead of `--timeout` */
    (name: string, body: TestBody, limit?: number): void;
    /** Declares one for each row: "%s", "%d", "%j" and "$key" in the name stand for the row's values. */
    each<Row>(table: Row[]): (name: string, body: (...values: any[]) => void, limit?: number) => void;
    /** Declares one for each row of a template, whose first line has the names of the columns; "$key" in the name stands for a value. */
    each(headings: TemplateStringsArray, ...values: any[]): (name: string, body: (row: any) => void, limit?: number) => void;
}

interface DeclaringAll extends Declaring {
    /** Is not run. */
    skip: Declaring;
    /** Nothing else in the file is run, nor in the suites around it. */
    only: Declaring;
}

interface DeclaringTests extends DeclaringAll {
    /** A test that is still to be written. */
    todo(name: string): void;
}

declare const describe: DeclaringAll;
declare const it: DeclaringTests;
declare const test: DeclaringTests;
declare const xdescribe: Declaring;
declare const fdescribe: Declaring;
declare const xit: Declaring;
declare const xtest: Declaring;
declare const fit: Declaring;
declare const ftest: Declaring;

/** Before the first test of the suite. Here there is no harness: each test has one of its own. */
declare function beforeAll(body: TestBody): void;
/** After the last test of the suite, without a harness. */
declare function afterAll(body: TestBody): void;
declare function beforeEach(body: TestBody): void;
/** Also when the test has failed. */
declare function afterEach(body: TestBody): void;
/**
 * What another file exports, as `module.exports` or members of `exports`, or what a JSON file says. It is run once for a test file.
 * @param path begins with ./ or ../, from the file that requires it, and leads below the project's `adapters` or `tests`
 */
declare function require(path: string): any;
/** Fails the test. */
declare function fail(message?: string): never;

// ---- Spies, with the names and meanings of jest.fn's

/** A function that records its calls. */
interface Spy {
    (...values: any[]): any;
    readonly mock: {
        /** The arguments of each call. */
        readonly calls: any[][];
        readonly results: { type: "return" | "throw" | "incomplete"; value: any }[];
        /** `this` of each call. */
        readonly contexts: any[];
        /** The arguments of the last call. */
        readonly lastCall: any[] | undefined;
    };
    mockReturnValue(value: any): this;
    /** For the next call that has no such value yet. */
    mockReturnValueOnce(value: any): this;
    mockImplementation(body: (...values: any[]) => any): this;
    /** For the next call that has no such function yet. */
    mockImplementationOnce(body: (...values: any[]) => any): this;
    /** Forgets the calls. */
    mockClear(): this;
    /** Forgets the calls and what the spy does: it then returns undefined. */
    mockReset(): this;
}

/** Makes a spy. @param implementation what its calls do; they return undefined unless given */
declare function fn(implementation?: (...values: any[]) => any): Spy;

// ---- Expectations, with the names and meanings of Jest's

interface Matchers {
    /** The same by `Object.is`. */
    toBe(expected: any): void;
    /** Equal in content; members that are undefined do not count. */
    toEqual(expected: any): void;
    /** Equal in content, members that are undefined and prototypes included. */
    toStrictEqual(expected: any): void;
    /** Has at least these members. */
    toMatchObject(expected: object): void;
    toBeTruthy(): void;
    toBeFalsy(): void;
    toBeNull(): void;
    toBeUndefined(): void;
    toBeDefined(): void;
    toBeNaN(): void;
    toBeGreaterThan(expected: number): void;
    toBeGreaterThanOrEqual(expected: number): void;
    toBeLessThan(expected: number): void;
    toBeLessThanOrEqual(expected: number): void;
    /** @param digits after the point; 2 unless given */
    toBeCloseTo(expected: number, digits?: number): void;
    /** A text that has this part, or a list that has this very element. */
    toContain(expected: any): void;
    /** A list that has an element of equal content. */
    toContainEqual(expected: any): void;
    toHaveLength(expected: number): void;
    /** @param path such as "a.b[0]" */
    toHaveProperty(path: string | string[], value?: any): void;
    toMatch(expected: string | RegExp): void;
    toBeInstanceOf(type: Function): void;
    /** A function that throws; with a part of the message, a pattern of it, or a class. */
    toThrow(expected?: any): void;
    toThrowError(expected?: any): void;
    /** A spy that was called. */
    toHaveBeenCalled(): void;
    toHaveBeenCalledTimes(expected: number): void;
    /** A spy of which one call had arguments of equal content. */
    toHaveBeenCalledWith(...expected: any[]): void;
    toHaveBeenLastCalledWith(...expected: any[]): void;
    /** @param number 1 for the first call */
    toHaveBeenNthCalledWith(number: number, ...expected: any[]): void;
    /** A spy of which one call returned a value of equal content. */
    toHaveReturnedWith(expected: any): void;
}

/** A matcher for `expect.extend`. `this.isNot` says whether it was called after `not`. */
type CustomMatcher = (
    this: {
        readonly isNot: boolean;
        equals(left: any, right: any, isStrict?: boolean): boolean;
        readonly utils: { stringify(value: any): string; printExpected(value: any): string; printReceived(value: any): string };
    },
    received: any, ...expected: any[]
) => { pass: boolean; message: () => string };

interface Expect {
    (received: any): Matchers & { not: Matchers };
    /** Equal to everything but null and undefined. */
    anything(): any;
    /** Equal to everything of that type: `expect.any(String)`. */
    any(type: Function): any;
    arrayContaining(elements: any[]): any;
    objectContaining(members: object): any;
    stringContaining(part: string): any;
    stringMatching(pattern: string | RegExp): any;
    closeTo(number: number, digits?: number): any;
    /** Adds matchers for this file. Declare them for the editor with `interface Matchers { toBeEven(): void; }` in a .d.ts file. */
    extend(matchers: { [name: string]: CustomMatcher }): void;
    /** The test fails unless it has called so many matchers at its end. */
    assertions(number: number): void;
    /** The test fails unless it has called a matcher at its end. */
    hasAssertions(): void;
    not: {
        arrayContaining(elements: any[]): any;
        objectContaining(members: object): any;
        stringContaining(part: string): any;
        stringMatching(pattern: string | RegExp): any;
    };
}

declare const expect: Expect;

// ---- The harness: what is around the adapter in a test

/** A request that the adapter made of its back end. */
interface HarnessRequest {
    /** In capitals. */
    method: string;
    /** Decoded, without the query. */
    path: string;
    query: { [name: string]: string };
    headers: { [name: string]: string };
    text: string;
    /** The body, when it is JSON. */
    json: any;
}

/** What a back end answers: one of the bodies, or none. */
interface HarnessAnswer {
    /** 200 unless given. */
    status?: number;
    headers?: { [name: string]: string };
    json?: any;
    xml?: string;
    html?: string;
    text?: string;
    /** A body of the type `contentType`. */
    body?: string;
    contentType?: string;
    /** It never answers: the call fails as after the socket timeout, at once. */
    silence?: boolean;
    /** Nobody listens there. */
    refused?: boolean;
}

type HarnessAnswering = (request: HarnessRequest) => HarnessAnswer | void;

/** Stands in for an adapter's HTTP back end. What is set later comes first. */
interface HarnessBackEnd {
    /** With several answers the first is given first, and the last for ever. A path may end with `*`. */
    get(path: string, ...answers: HarnessAnswer[]): this;
    get(path: string, answer: HarnessAnswering): this;
    post(path: string, ...answers: HarnessAnswer[]): this;
    post(path: string, answer: HarnessAnswering): this;
    put(path: string, ...answers: HarnessAnswer[]): this;
    put(path: string, answer: HarnessAnswering): this;
    delete(path: string, ...answers: HarnessAnswer[]): this;
    delete(path: string, answer: HarnessAnswering): this;
    /** @param method `*` for all */
    on(method: string, path: string, ...answers: HarnessAnswer[]): this;
    on(method: string, path: string, answer: HarnessAnswering): this;
    /** Has a real server answer, such as http://127.0.0.1:8080. */
    forward(url: string): this;
    /** What was asked, in order. */
    readonly requests: HarnessRequest[];
    clearRequests(): void;
}

/** A real SQLite database in memory, in place of the adapter's own. */
interface HarnessDatabase {
    /** @returns how many rows it touched */
    execute(statement: string, parameters?: any[]): number;
    query(statement: string, parameters?: any[]): any[];
}

/** What `WL.Server.getClientRequest` tells adapters of a request. */
interface HarnessClientRequest {
    /** A list of texts where a header comes several times. */
    headers?: { [name: string]: string | string[] };
    /** The client's; 127.0.0.1 unless given. */
    address?: string;
    /** POST unless given. */
    method?: string;
    /** Without the query. */
    path?: string;
    /** The query's parameters. */
    query?: { [name: string]: string | string[] };
}

/** What a USSD handler answers with `createUSSDResponse`. */
interface HarnessUSSDAnswer {
    content: string;
    contentType: string;
    /** Whether the dialogue is over. */
    isLastMsg: boolean;
}

/** Who calls procedures. */
interface HarnessCaller {
    /** Calls a procedure; see `harness.call`. */
    call(procedure: string, ...parameters: any[]): any;
    /** Calls a procedure; see `harness.reply`. */
    reply(procedure: string, ...parameters: any[]): any;
}

/** A session: an app with a user who is logged in, or with nobody yet. */
interface HarnessClient {
    readonly name: string | null;
    /**
     * Logs a user in to a realm, as if the realm's login module had accepted the login. The scripts of the realm are not called.
     * @param identity the user's id, or the object that `WL.Server.getActiveUser(realm)` then returns, with `userId`
     */
    login(realm: string, identity: string | { userId: string; [member: string]: any }): HarnessClient;
    /** Logs out. @param realm all realms unless given */
    logout(realm?: string): HarnessClient;
    /**
     * Calls a procedure in this session; see `harness.call`.
     * @throws when the session has no user in a realm of the procedure's security test
     */
    call(procedure: string, ...parameters: any[]): any;
    /** Calls a procedure in this session; see `harness.reply`. */
    reply(procedure: string, ...parameters: any[]): any;
    /** The same client, in the same session, whose calls and events come with such a request. */
    withRequest(request: HarnessClientRequest): HarnessClient;
    device(id: string, options?: { platform?: "Apple" | "Android" | "Windows" | "WindowsPhone" | "Web"; application?: string }): HarnessDevice;
    /** Whom a realm knows, as `setActiveUser` was given it. */
    identity(realm: string): any;
    /**
     * Calls a function of the script in place of the realm's Java authenticator, such as `processRequest`, with this client's request.
     * @returns `status`, and `response`, `json` or `data` where they apply
     */
    authenticator(realm: string, name: string, values?: { isAccess?: boolean; message?: string | null; answer?: any }): any;
    /** Calls a function of the script in place of the realm's Java login module. @returns of `login`: `isAccepted`, `identity` or `message` */
    loginModule(realm: string, name: string, values?: { data?: any }): any;
    /** Gives events to the adapters' handlers, as an app does. @returns how many handlers were called */
    transmit(...events: any[]): number;
    /** Ends the session, and with it the adapters' variables for it; `harness.user` begins a new one. */
    end(): void;
}

interface HarnessDevice {
    readonly id: string;
    readonly platform: string;
    readonly token: string;
    /** Subscribes to an event source and runs the callbacks. @param eventSource of this adapter, or `Adapter.EventSource` */
    subscribe(eventSource: string, options?: { alias?: string; options?: object; tolerateFailures?: boolean }): this;
    /** @returns whether there was a subscription */
    unsubscribe(eventSource: string, options?: { tolerateFailures?: boolean }): boolean;
    /** Tells the server the token, so that `sendMessage` reaches the device. */
    register(): this;
    /** @param tag one that the application declares */
    subscribeToTag(tag: string): this;
}

/** A notification to one device, as its push service would get it. */
interface HarnessNotification {
    /** `Apple`, `Android`, `Windows`, `Web` or `SMS`. */
    platform: string;
    user: string | null;
    device: string | null;
    application: string | null;
    /** `Adapter.EventSource`; null for `sendMessage`. */
    eventSource: string | null;
    tag: string | null;
    /** `APNs`, `FCM` and so on. */
    service: string | null;
    /** Of the first request. */
    headers: { [name: string]: string };
    /** Of the first request, as an object when it is JSON. */
    body: any;
    /** All requests: Windows gets several. Where there is one, comparisons and failures leave it out. */
    requests: { service: string; method: string; url: string; headers: { [name: string]: string }; body: any }[];
    /** Why nothing can be sent there: too large, say. */
    refusal: string | null;
}

interface Harness {
    /**
     * Calls a procedure of this adapter, or `Adapter/procedure`, as a back end does, without a session.
     * @returns what the function returned
     * @throws with the adapter's stack when it threw
     */
    call(procedure: string, ...parameters: any[]): any;
    /** The same, and gives what goes over the wire: always an object with `isSuccessful`, failures included. */
    reply(procedure: string, ...parameters: any[]): any;
    /** Who calls as a back end does, with such a request. */
    withRequest(request: HarnessClientRequest): HarnessCaller;
    /**
     * Gives a text message to the handlers of `createSMSEventHandler`, as an SMS gateway does.
     * @param parameters by the names that the gateway uses
     * @returns how many handlers were called
     */
    receiveSMS(parameters: { [name: string]: string }): number;
    /**
     * One step of a USSD dialogue: asks the handlers of `createUSSDEventHandler`, as a USSD gateway does.
     * @param options `path` is what follows `/ussd`, which filters see as `__wlpath`
     * @returns what the first one answers that does; null when none does
     */
    ussd(
        parameters: { [name: string]: string },
        options?: { path?: string; headers?: { [name: string]: string }; body?: string }
    ): HarnessUSSDAnswer | null;
    /** Returns an expression's value in the adapter's script, without variables of sessions and polls. Do not assign in it. */
    evaluate(expression: string, adapter?: string): any;
    /** A user who is logged in; the same one each time, until the session ends. */
    user(name: string): HarnessClient;
    /** A new session in which nobody is logged in: `client.login` logs in. Security tests of procedures hold. */
    client(): HarnessClient;
    backEnd(adapter?: string): HarnessBackEnd;
    database(adapter?: string): HarnessDatabase;
    readonly clock: {
        /**
         * Lets time go by, and runs each poll of this adapter at exactly its moment; with `adapters: "all"` those of others, too.
         * @returns the polls that ran
         * @throws when one failed, unless `tolerateFailures` is set
         */
        advance(seconds: number, options?: { tolerateFailures?: boolean; adapters?: "own" | "all" }): HarnessPoll[];
        /** The time of day that `Date` tells as well, in the adapter and in the test. */
        now(): Date;
        /** Seconds since the test began. */
        readonly elapsed: number;
    };
    /** What was sent so far; `clear()` takes it away. */
    readonly sent: HarnessNotification[] & { clear(): void };
    /** The polls that have run. */
    readonly polls: HarnessPoll[];
    /** What the adapters have logged. */
    readonly log: { level: string; adapter: string; message: string }[];
}

interface HarnessPoll {
    eventSource: string;
    /** Seconds since the test began. */
    elapsed: number;
    failure: string | null;
}

declare const harness: Harness;
