// The API for tests of adapters (NAME.test.js), which `lamplighter test` runs; docs/testing-adapters.md describes it.
//
// Tests are synchronous: there are no promises, and each call of the harness is complete when it returns.

// ---- Suites and tests, as in Jest and Jasmine

type TestBody = () => void;

interface Declaring {
    /** Declares a test or a suite. @param limit the time limit in milliseconds, in place of `--timeout` */
    (name: string, body: TestBody, limit?: number): void;
    /** Declares one for each row. The row's values replace "%s", "%d", "%j" and "$key" in the name. */
    each<Row>(table: Row[]): (name: string, body: (...values: any[]) => void, limit?: number) => void;
    /** Declares one for each row of a template, whose first line has the names of the columns. Values replace "$key" in the name. */
    each(headings: TemplateStringsArray, ...values: any[]): (name: string, body: (row: any) => void, limit?: number) => void;
}

interface DeclaringAll extends Declaring {
    /** Declares a test or a suite that does not run. */
    skip: Declaring;
    /** Declares a test or a suite that runs alone: nothing else in the file runs. */
    only: Declaring;
}

interface DeclaringTests extends DeclaringAll {
    /** Declares a test that is not written yet. */
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

/** Runs a function before the first test of the suite. The function has no harness, because each test has a separate harness. */
declare function beforeAll(body: TestBody): void;
/** Runs a function after the last test of the suite. The function has no harness. */
declare function afterAll(body: TestBody): void;
/** Runs a function before each test of the suite. */
declare function beforeEach(body: TestBody): void;
/** Runs a function after each test of the suite, also after one that failed. */
declare function afterEach(body: TestBody): void;
/**
 * Returns the exports of another file (`module.exports`, or members of `exports`), or the contents of a JSON file. A file runs once for
 * each test file.
 * @param path a path relative to the calling file, which begins with ./ or ../, to a file in the project's `adapters` or `tests`
 */
declare function require(path: string): any;
/** Fails the test. */
declare function fail(message?: string): never;

// ---- Spies, with the names and meanings of `jest.fn`

/** A function that records its calls. */
interface Spy {
    (...values: any[]): any;
    readonly mock: {
        /** The arguments of each call. */
        readonly calls: any[][];
        /** The result of each call: the returned value, or the error that it threw. */
        readonly results: { type: "return" | "throw" | "incomplete"; value: any }[];
        /** The value of `this` in each call. */
        readonly contexts: any[];
        /** The arguments of the last call. */
        readonly lastCall: any[] | undefined;
    };
    /** Sets the value that calls return. */
    mockReturnValue(value: any): this;
    /** Sets the value that one call returns: the next call for which none is set yet. */
    mockReturnValueOnce(value: any): this;
    /** Sets the function that calls run. */
    mockImplementation(body: (...values: any[]) => any): this;
    /** Sets the function that one call runs: the next call for which none is set yet. */
    mockImplementationOnce(body: (...values: any[]) => any): this;
    /** Removes the recorded calls. */
    mockClear(): this;
    /** Removes the recorded calls, the functions and the values. The spy then returns undefined. */
    mockReset(): this;
}

/** Creates a spy. @param implementation the function that its calls run; without it they return undefined */
declare function fn(implementation?: (...values: any[]) => any): Spy;

// ---- Expectations, with the names and meanings of Jest's

interface Matchers {
    /** Expects the same value, by `Object.is`. */
    toBe(expected: any): void;
    /** Expects equal contents. Members that are undefined are ignored. */
    toEqual(expected: any): void;
    /** Expects equal contents, with members that are undefined and with prototypes. */
    toStrictEqual(expected: any): void;
    /** Expects an object with at least these members. */
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
    /** Expects a number near another one. @param digits the number of digits to compare after the decimal point; by default 2 */
    toBeCloseTo(expected: number, digits?: number): void;
    /** Expects a string with this substring, or a list with this same element. */
    toContain(expected: any): void;
    /** Expects a list with an element of equal contents. */
    toContainEqual(expected: any): void;
    toHaveLength(expected: number): void;
    /** Expects an object with a property. @param path the property's path, such as "a.b[0]" */
    toHaveProperty(path: string | string[], value?: any): void;
    toMatch(expected: string | RegExp): void;
    toBeInstanceOf(type: Function): void;
    /** Expects a function that throws. @param expected a part of the error's message, a pattern for it, or the error's class */
    toThrow(expected?: any): void;
    toThrowError(expected?: any): void;
    /** Expects a spy that was called. */
    toHaveBeenCalled(): void;
    toHaveBeenCalledTimes(expected: number): void;
    /** Expects a spy with a call whose arguments had equal contents. */
    toHaveBeenCalledWith(...expected: any[]): void;
    toHaveBeenLastCalledWith(...expected: any[]): void;
    /** Expects a spy whose nth call had arguments of equal contents. @param number the number of the call, from 1 */
    toHaveBeenNthCalledWith(number: number, ...expected: any[]): void;
    /** Expects a spy with a call that returned a value of equal contents. */
    toHaveReturnedWith(expected: any): void;
}

/** A matcher for `expect.extend`. `this.isNot` is true if it was called after `not`. */
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
    /** Returns a value that equals everything except null and undefined. */
    anything(): any;
    /** Returns a value that equals every value of a type: `expect.any(String)`. */
    any(type: Function): any;
    arrayContaining(elements: any[]): any;
    objectContaining(members: object): any;
    stringContaining(part: string): any;
    stringMatching(pattern: string | RegExp): any;
    closeTo(number: number, digits?: number): any;
    /** Adds matchers for this file. Declare them for the editor with `interface Matchers { toBeEven(): void; }` in a .d.ts file. */
    extend(matchers: { [name: string]: CustomMatcher }): void;
    /** Lets the test fail at its end unless it has called exactly this number of matchers. */
    assertions(number: number): void;
    /** Lets the test fail at its end unless it has called a matcher. */
    hasAssertions(): void;
    not: {
        arrayContaining(elements: any[]): any;
        objectContaining(members: object): any;
        stringContaining(part: string): any;
        stringMatching(pattern: string | RegExp): any;
    };
}

declare const expect: Expect;

// ---- The harness: the adapter's environment in a test

/** A request of the adapter to its back end. */
interface HarnessRequest {
    /** The method, in capitals. */
    method: string;
    /** The path, decoded, without the query. */
    path: string;
    query: { [name: string]: string };
    headers: { [name: string]: string };
    /** The body as a string. */
    text: string;
    /** The value of the body, if it is JSON. */
    json: any;
}

/** The response of a back end, with one of the bodies or none. */
interface HarnessAnswer {
    /** The status; by default 200. */
    status?: number;
    headers?: { [name: string]: string };
    json?: any;
    xml?: string;
    html?: string;
    text?: string;
    /** A body of the type `contentType`. */
    body?: string;
    contentType?: string;
    /** True for no response: the call fails with the error of the socket timeout, but at once. */
    silence?: boolean;
    /** True for a refused connection. */
    refused?: boolean;
}

type HarnessAnswering = (request: HarnessRequest) => HarnessAnswer | void;

/** A stub that replaces an adapter's HTTP back end. Later stubs have precedence over earlier ones. */
interface HarnessBackEnd {
    /**
     * Sets the responses to GET requests of a path. Each request gets the next response, and all further requests the last one.
     * @param path the path without the query; with `*` at its end, the prefix of paths
     */
    get(path: string, ...answers: HarnessAnswer[]): this;
    get(path: string, answer: HarnessAnswering): this;
    post(path: string, ...answers: HarnessAnswer[]): this;
    post(path: string, answer: HarnessAnswering): this;
    put(path: string, ...answers: HarnessAnswer[]): this;
    put(path: string, answer: HarnessAnswering): this;
    delete(path: string, ...answers: HarnessAnswer[]): this;
    delete(path: string, answer: HarnessAnswering): this;
    /** Sets the responses to requests of a method and a path. @param method the method; `*` for all methods */
    on(method: string, path: string, ...answers: HarnessAnswer[]): this;
    on(method: string, path: string, answer: HarnessAnswering): this;
    /** Forwards all requests to a real server, such as http://127.0.0.1:8080. */
    forward(url: string): this;
    /** The requests since the last `clearRequests()`, in order. */
    readonly requests: HarnessRequest[];
    /** Removes the requests so far from `requests`. */
    clearRequests(): void;
}

/** A SQLite database in memory that replaces the adapter's database. */
interface HarnessDatabase {
    /** Executes a statement. @returns the number of rows that it changed */
    execute(statement: string, parameters?: any[]): number;
    /** Executes a query. @returns the rows, each an object keyed by the labels of the columns */
    query(statement: string, parameters?: any[]): any[];
}

/** The request that `WL.Server.getClientRequest` returns to the adapter. */
interface HarnessClientRequest {
    /** The headers; an array of strings for a header that occurs several times. */
    headers?: { [name: string]: string | string[] };
    /** The client's address; by default 127.0.0.1. */
    address?: string;
    /** The method; by default POST. */
    method?: string;
    /** The path, without the query. */
    path?: string;
    /** The query's parameters; an array of strings for a parameter that occurs several times. */
    query?: { [name: string]: string | string[] };
}

/** The response of a USSD handler, created by `createUSSDResponse`. */
interface HarnessUSSDAnswer {
    content: string;
    contentType: string;
    /** True if this ends the dialog. */
    isLastMsg: boolean;
}

/** A caller of procedures. */
interface HarnessCaller {
    /** Calls a procedure; see `harness.call`. */
    call(procedure: string, ...parameters: any[]): any;
    /** Calls a procedure; see `harness.reply`. */
    reply(procedure: string, ...parameters: any[]): any;
}

/** A client with a session: an app, with or without a logged-in user. */
interface HarnessClient {
    /** The user of `harness.user`; null for `harness.client`. */
    readonly name: string | null;
    /**
     * Logs a user in to a realm, as if the realm's login module had accepted the login. The scripts of the realm are not called.
     * @param identity the user's id, or the object that `WL.Server.getActiveUser(realm)` then returns, with `userId`
     */
    login(realm: string, identity: string | { userId: string; [member: string]: any }): HarnessClient;
    /** Logs the user out. @param realm the realm; by default all realms */
    logout(realm?: string): HarnessClient;
    /**
     * Calls a procedure in this session; see `harness.call`.
     * @throws when the session has no user in a realm of the procedure's security test
     */
    call(procedure: string, ...parameters: any[]): any;
    /** Calls a procedure in this session; see `harness.reply`. */
    reply(procedure: string, ...parameters: any[]): any;
    /** Returns the same client, in the same session, whose calls and events have this request. */
    withRequest(request: HarnessClientRequest): HarnessClient;
    /** Returns a device of the user. @param options the platform, by default Apple, and the application, by default the project's first */
    device(id: string, options?: { platform?: "Apple" | "Android" | "Windows" | "WindowsPhone" | "Web"; application?: string }): HarnessDevice;
    /** Returns the identity in a realm, as passed to `setActiveUser`. */
    identity(realm: string): any;
    /**
     * Calls a function, such as `processRequest`, of the script that replaces the realm's Java authenticator, with this client's request.
     * @returns `status`, and `response`, `json` or `data` where they apply
     */
    authenticator(realm: string, name: string, values?: { isAccess?: boolean; message?: string | null; answer?: any }): any;
    /** Calls a function of the script that replaces the realm's Java login module. @returns for `login`: `isAccepted`, `identity` or `message` */
    loginModule(realm: string, name: string, values?: { data?: any }): any;
    /** Passes events to the adapters' handlers, as an app does. @returns the number of handlers called */
    transmit(...events: any[]): number;
    /** Ends the session and discards the adapters' variables for it. The next `harness.user` starts a new session. */
    end(): void;
}

interface HarnessDevice {
    readonly id: string;
    readonly platform: string;
    readonly token: string;
    /** Subscribes to an event source and runs the callbacks. @param eventSource an event source of this adapter, or `Adapter.EventSource` */
    subscribe(eventSource: string, options?: { alias?: string; options?: object; tolerateFailures?: boolean }): this;
    /** Ends a subscription and runs the callbacks. @returns true if the device was subscribed */
    unsubscribe(eventSource: string, options?: { tolerateFailures?: boolean }): boolean;
    /** Registers the device with its token, so that `sendMessage` reaches it. */
    register(): this;
    /** Registers the device and subscribes it to a tag. @param tag a tag that the application declares */
    subscribeToTag(tag: string): this;
}

/** A notification to one device, with the requests to its push service. */
interface HarnessNotification {
    /** The platform: `Apple`, `Android`, `Windows`, `Web` or `SMS`. */
    platform: string;
    user: string | null;
    device: string | null;
    application: string | null;
    /** The event source, as `Adapter.EventSource`; null for `sendMessage`. */
    eventSource: string | null;
    /** The tag that `sendMessage` addressed; null for another kind of address. */
    tag: string | null;
    /** The push service: `APNs`, `FCM` and so on. */
    service: string | null;
    /** The headers of the first request. */
    headers: { [name: string]: string };
    /** The body of the first request: its value if it is JSON, or else a string. */
    body: any;
    /** All requests; Windows gets several. Comparisons and failures omit this member if there is only one request. */
    requests: { service: string; method: string; url: string; headers: { [name: string]: string }; body: any }[];
    /** The reason why nothing would be sent, for example a payload that is too large; null without one. */
    refusal: string | null;
}

interface Harness {
    /**
     * Calls a procedure without a session, as a back end does.
     * @param procedure a procedure of this adapter, or `Adapter/procedure`
     * @returns the value that the function returned
     * @throws an error with the adapter's stack when the function threw
     */
    call(procedure: string, ...parameters: any[]): any;
    /** Calls a procedure without a session and returns the response to a client: always an object with `isSuccessful`, also after a failure. */
    reply(procedure: string, ...parameters: any[]): any;
    /** Returns a caller without a session, such as a back end, whose calls have this request. */
    withRequest(request: HarnessClientRequest): HarnessCaller;
    /**
     * Passes a text message to the handlers of `createSMSEventHandler`, as an SMS gateway does.
     * @param parameters the parameters of the gateway's request, by the gateway's names
     * @returns the number of handlers called
     */
    receiveSMS(parameters: { [name: string]: string }): number;
    /**
     * Passes one step of a USSD dialog to the handlers of `createUSSDEventHandler`, as a USSD gateway does.
     * @param options `path` is the path after `/ussd`, which filters see as `__wlpath`
     * @returns the first response of a handler; null when no handler responds
     */
    ussd(
        parameters: { [name: string]: string },
        options?: { path?: string; headers?: { [name: string]: string }; body?: string }
    ): HarnessUSSDAnswer | null;
    /** Returns an expression's value in the adapter's script, without variables of sessions and polls. Do not assign in it. */
    evaluate(expression: string, adapter?: string): any;
    /** Returns a client whose user is logged in to every realm; in the same session for the same name, until the session ends. */
    user(name: string): HarnessClient;
    /** Returns a client with a new session and no user; log in with `client.login`. The security tests of procedures apply. */
    client(): HarnessClient;
    /** Returns the stub of an adapter's HTTP back end. @param adapter the adapter's name; by default this adapter */
    backEnd(adapter?: string): HarnessBackEnd;
    /** Returns the database in memory that replaces an adapter's database. @param adapter the adapter's name; by default this adapter */
    database(adapter?: string): HarnessDatabase;
    readonly clock: {
        /**
         * Advances the clock and runs each poll of this adapter at exactly its due time; with `adapters: "all"`, the polls of all adapters.
         * @returns the runs of the polls
         * @throws an error when a poll failed, unless `tolerateFailures` is set
         */
        advance(seconds: number, options?: { tolerateFailures?: boolean; adapters?: "own" | "all" }): HarnessPoll[];
        /** Returns the time of day, the same as `Date` in the adapter and in the test. */
        now(): Date;
        /** The seconds by which the test has advanced the clock. */
        readonly elapsed: number;
    };
    /** The notifications sent so far, in order; `clear()` removes them. */
    readonly sent: HarnessNotification[] & { clear(): void };
    /** The runs of the polls. */
    readonly polls: HarnessPoll[];
    /** The log lines of the adapters. */
    readonly log: { level: string; adapter: string; message: string }[];
}

interface HarnessPoll {
    eventSource: string;
    /** The seconds from the beginning of the test to the beginning of the run, on the harness's clock. */
    elapsed: number;
    /** The error with the JavaScript stack; null without one. */
    failure: string | null;
}

declare const harness: Harness;
