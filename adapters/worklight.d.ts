// What a JavaScript adapter of IBM Worklight / MobileFirst Platform 5.0.6 to 7.1 sees, as Lamplighter runs it.
//
// Put this file into the folder `adapters`, and into each adapter's folder a jsconfig.json, because an adapter's functions are global:
//     {
//         "compilerOptions": {
//             "checkJs": true, "strict": true, "noImplicitAny": false, "noImplicitThis": false, "alwaysStrict": false,
//             "useUnknownInCatchVariables": false, "lib": ["es2022"], "target": "es2022", "types": []
//         },
//         "include": ["*.js"], "files": ["../worklight.d.ts"]
//     }
// docs/editors.md explains the settings and lists what TypeScript finds with them.

/** What the server offers to an adapter's script. */
declare namespace WL {
    /** Back ends, other procedures, identities, subscriptions and notifications. */
    namespace Server {
        // Back ends reached over HTTP

        /**
         * Sends a request to the adapter's HTTP back end, waits for the answer and gives its contents as an object.
         *
         * JSON becomes members of the result (an array becomes its member `array`), XML and HTML become an object with the root
         * element's name, anything else becomes the text in `text`. A status such as 404 is no failure: see `statusCode`. Only when
         * no answer came is `isSuccessful` false, with the reason in `errors`.
         * @example
         * var response = WL.Server.invokeHttp({ method: "get", path: "/messages", returnedContentType: "json" });
         * if (response.isSuccessful && response.statusCode === 200) WL.Logger.info(response.array.length);
         * @since 5.0.6
         */
        function invokeHttp<Given>(options: InvokeHttpOptions & CheckedOptions<Given, InvokeHttpOptions, InvokeHttpValues>): HttpResult;

        /**
         * Signs one element of a SOAP envelope with a key of the server's keystore (WS-Security).
         *
         * Lamplighter has no such connection: the call throws an error that says what to do instead.
         * @param envelope the envelope's XML
         * @param wsId the `wsu:Id` of the element to sign
         * @param keystoreAlias the key's alias in the keystore
         * @returns the envelope with its signature
         * @since 6.2
         */
        function signSoapMessage(envelope: any, wsId: string, keystoreAlias: string): any;

        /**
         * Starts an orchestration of the adapter's Cast Iron appliance over HTTP.
         *
         * Lamplighter has no such connection: the call throws an error that says what to do instead.
         * @since 5.0.6
         */
        function invokeCastIron(options: InvokeCastIronOptions): HttpResult;

        // Databases

        /**
         * Makes a statement for `invokeSQLStatement`. Call it outside all functions.
         * @param statement a select, insert, update or delete, with `?` where a parameter goes
         * @example
         * var byOwner = WL.Server.createSQLStatement("select id, amount from accounts where owner = ?");
         * @since 5.0.6
         */
        function createSQLStatement(statement: string): PreparedStatement;

        /**
         * Runs a statement in the adapter's database. Rows come in `resultSet`; a failure has `isSuccessful` false and `errors`.
         * @example
         * var rows = WL.Server.invokeSQLStatement({ preparedStatement: byOwner, parameters: [userId] }).resultSet;
         * @since 5.0.6
         */
        function invokeSQLStatement<Given>(options: SQLStatementOptions & CheckedOptions<Given, SQLStatementOptions, SQLValues>): SqlResult;

        /**
         * Calls a stored procedure of the adapter's database.
         * @since 5.0.6
         */
        function invokeSQLStoredProcedure<Given>(
            options: SQLStoredProcedureOptions & CheckedOptions<Given, SQLStoredProcedureOptions, SQLValues>
        ): SqlResult;

        // Message queues (JMS)

        /**
         * Takes one text message off a queue. Without a message the result is successful and has no `message`.
         *
         * Lamplighter has no such connection: the call throws an error that says what to do instead.
         * @since 5.0.6
         */
        function readSingleJMSMessage(options: JMSReadOptions): JMSMessageResult;

        /**
         * Takes all waiting messages off a queue. The timeout holds for each message anew.
         *
         * Lamplighter has no such connection: the call throws an error that says what to do instead.
         * @since 5.0.6
         */
        function readAllJMSMessages(options: JMSReadOptions): JMSMessagesResult;

        /**
         * Writes one text message to a queue or a topic.
         *
         * Lamplighter has no such connection: the call throws an error that says what to do instead.
         * @returns the new message's id in `JMSMessageID`
         * @since 5.0.6
         */
        function writeJMSMessage(options: JMSWriteOptions): JMSWriteResult;

        /**
         * Writes a message and waits for the reply to it, for which a destination of its own is made.
         *
         * Lamplighter has no such connection: the call throws an error that says what to do instead.
         * @since 5.0.6
         */
        function requestReplyJMSMessage(options: JMSRequestOptions): JMSMessageResult;

        // SAP NetWeaver Gateway

        /**
         * Reads business objects from a collection.
         *
         * Lamplighter has no such connection: the call throws an error that says what to do instead.
         * @since 6.2
         */
        function fetchNWBusinessObject(options: NWBusinessObjectOptions): NWBusinessObjectResult;

        /**
         * Creates a business object in a collection; its members are in `Content`.
         *
         * Lamplighter has no such connection: the call throws an error that says what to do instead.
         * @since 6.2
         */
        function createNWBusinessObject(options: NWBusinessObjectOptions): NWBusinessObjectResult;

        /**
         * Changes a business object of a collection; its members are in `Content`.
         *
         * Lamplighter has no such connection: the call throws an error that says what to do instead.
         * @since 6.2
         */
        function updateNWBusinessObject(options: NWBusinessObjectOptions): HttpResult;

        /**
         * Deletes a business object from a collection.
         *
         * Lamplighter has no such connection: the call throws an error that says what to do instead.
         * @since 6.2
         */
        function deleteNWBusinessObject(options: NWBusinessObjectOptions): HttpResult;

        // Procedures, requests and configuration

        /**
         * Calls a procedure of this or of another adapter, and waits for its result.
         * @param ignored a second argument, as some scripts copied it from client code, does nothing
         * @example
         * var accounts = WL.Server.invokeProcedure({ adapter: "Bank", procedure: "getAccounts", parameters: [userId] });
         * @since 5.0.6
         */
        function invokeProcedure<Given>(
            invocationData: ProcedureInvocation & CheckedOptions<Given, ProcedureInvocation, {}>, ignored?: any
        ): ProcedureResult;

        /**
         * The request that called the procedure.
         *
         * It is `null` in a poll, which no client asked for. Its type leaves that out, because procedures always have a request.
         * @example
         * var agent = WL.Server.getClientRequest().getHeader("User-Agent");
         * @since 5.0.6
         */
        function getClientRequest(): HttpServletRequest;

        /**
         * Adds a header to the response of the running procedure call.
         * @param value not `null`
         * @example
         * WL.Server.addResponseHeader("Cache-Control", "no-store");
         * @since 7.1
         */
        function addResponseHeader(name: string, value: string): void;

        /**
         * The properties of worklight.properties, by their names.
         * @example
         * var host = WL.Server.configuration["backend.host"];
         * @since 5.0.6
         */
        const configuration: Configuration;

        /**
         * The value of one of the adapter's own properties.
         * @since 8.0 of the original, where only `MFP.Server` has it
         */
        function getPropertyValue(name: string): any;

        /**
         * Writes a line about what the user did into the server's reports.
         * @param activityType names the activity
         * @param deviceContext the device's state at that time; by default what `getClientDeviceContext` gives
         * @since 5.0.6
         * @deprecated since 7.0: write to `WL.Logger`
         */
        function logActivity(activityType: string, deviceContext?: DeviceContext | null): void;

        /**
         * Sets what the server's reports note as the application's state in this session; `null` takes it away.
         * @since 6.0
         */
        function setApplicationContext(applicationContext: any): void;

        // Identities

        /**
         * The user who is logged in, as the login module or `setActiveUser` described them; `null` without one, and in a poll.
         * @param realm the realm to ask; by default the user realm of the security test that guards the procedure
         * @since 5.0.6
         */
        function getActiveUser(realm?: string): Identity | null;

        /**
         * Logs a user in to a realm, or out of it with `null`. Who is logged in already must be logged out first.
         * @example
         * WL.Server.setActiveUser("BankRealm", null);
         * WL.Server.setActiveUser("BankRealm", { userId: "ann", displayName: "Ann", attributes: { branch: 7 } });
         * @since 5.0.6
         */
        function setActiveUser(realm: string, identity: Identity | null): void;

        /**
         * The user who is logged in; `null` without one.
         * @param realm the realm to ask; by default the user realm of the security test that guards the procedure
         * @since 6.0
         */
        function getCurrentUserIdentity(realm?: string): Identity | null;

        /**
         * The device of the security test's device realm; its id is `deviceId`.
         * @since 6.0
         */
        function getCurrentDeviceIdentity(ignored?: any): DeviceIdentity | null;

        /**
         * A text that stays the same for a client from call to call: a key for what a script keeps about the client in a database.
         * @since 7.1
         */
        function getClientId(): string;

        // Event sources and subscriptions

        /**
         * Declares an event source to which devices can subscribe, and how often it polls. Call it outside all functions.
         * @example
         * WL.Server.createEventSource({ name: "News", poll: { interval: 60, onPoll: "poll" }, securityTest: "NewsTest" });
         * @since 5.0.6
         */
        function createEventSource(options: EventSourceOptions): void;

        /**
         * The subscription of a user to an event source; `null` when none of the user's devices has subscribed.
         * @param eventSource `"Adapter.EventSource"`, or the name alone for one of this adapter
         * @since 5.0.6
         */
        function getUserNotificationSubscription(eventSource: string, userId: string): UserSubscription | null;

        // Notifications

        /**
         * A notification with a block for each push service, to be changed as needed and then sent.
         * @param notificationText what is shown
         * @param badge the number on the app's icon
         * @param payload the adapter's own data, for the app
         * @example
         * var notification = WL.Server.createDefaultNotification("You have mail", 1, { folder: "inbox" });
         * notification.APNS.sound = "chime.caf";
         * @since 5.0.6
         */
        function createDefaultNotification(notificationText?: string | null, badge?: number | string | null, payload?: any): DefaultNotification;

        /**
         * Sends a notification to all devices of a subscribed user.
         * @returns how many milliseconds to wait before sending the next: 0 when there is no need to
         * @since 5.0.6
         */
        function notifyAllDevices(userSubscription: UserSubscription, notificationOptions: NotificationOptions): number;

        /**
         * Sends a notification to one device of a subscribed user. A device that is not the user's is an error in the log only.
         * @param device the device's id, or its token
         * @returns how many milliseconds to wait before sending the next
         * @since 5.0.6
         */
        function notifyDevice(userSubscription: UserSubscription, device: string, options: NotificationOptions): number;

        /**
         * Sends a notification to one device, or to one phone number when the subscription is that of `subscribeSMS`.
         * @returns how many milliseconds to wait before sending the next
         * @since 5.0.6
         */
        function notifyDeviceSubscription(deviceSubscription: DeviceSubscription, notificationOptions: NotificationOptions): number;

        /**
         * Sends a notification to one device.
         * @returns how many milliseconds to wait before sending the next
         * @since 5.0.6
         * @deprecated since 4.1.3: `notifyDeviceSubscription` has the same arguments
         */
        function submitNotification(deviceSubscription: DeviceSubscription, notificationOptions: NotificationOptions): number;

        /**
         * Sends a notification to the device with a token. The original names this function and says nothing more about it.
         * @since 6.2
         * @deprecated `notifyDevice` takes a token, too
         */
        function notifyDeviceToken(userSubscription: UserSubscription, token: string, options: NotificationOptions): number;

        /**
         * Sends a notification to everyone. The original names this function and says nothing more about it.
         * @since 7.1
         * @deprecated `sendMessage` without a target reaches all devices of an application
         */
        function notifyAll(...args: any[]): number;

        /**
         * Sends a message to the devices of an application: those of a target, or all of them without one.
         * @example
         * WL.Server.sendMessage("Shop", { message: { alert: "Sale!" }, target: { tagNames: ["offers"] } });
         * @returns how many milliseconds to wait before sending the next
         * @since 6.2
         */
        function sendMessage<Given>(
            applicationId: string, notificationOptions: MessageOptions & CheckedOptions<Given, MessageOptions, { target: {} }>
        ): number;

        // Text messages to phones, and USSD

        /**
         * Subscribes a phone number to an event source.
         * @param eventSource `"Adapter.EventSource"`
         * @param gatewayId the gateway of SMSConfig.xml that sends the messages
         * @returns a subscription for `notifyDeviceSubscription`
         * @since 6.2
         */
        function subscribeSMS(eventSource: string, phoneNumber: string, gatewayId: string): DeviceSubscription;

        /**
         * The subscription of a phone number to an event source; `null` when there is none.
         * @since 6.2
         */
        function getSMSSubscription(eventSource: string, phoneNumber: string): DeviceSubscription | null;

        /**
         * Ends the subscription of a phone number to an event source.
         * @since 6.2
         */
        function unsubscribeSMS(eventSource: string, phoneNumber: string): void;

        /**
         * Makes a handler for text messages from phones, to be set with `setEventHandlers`.
         * @param filter values that the gateway's parameters must have, for example `{ keyword: "join" }`
         * @param handler is called with all parameters of the gateway's request
         * @param gatewayId the gateway of SMSConfig.xml that receives the messages
         * @since 6.2
         */
        function createSMSEventHandler(filter: EventFilter, handler: Callback<(message: SMSMessage) => any>, gatewayId?: string): EventHandler;

        /**
         * Makes a handler for requests of a USSD gateway, to be set with `setEventHandlers`.
         * @param filter values that the request's parameters or headers must have; `__wlpath` stands for the path after `/ussd`
         * @param handler is called with the request, and returns what `createUSSDResponse` makes
         * @since 6.2
         */
        function createUSSDEventHandler(filter: EventFilter, handler: Callback<(request: USSDRequest) => any>): EventHandler;

        /**
         * Makes the answer to a USSD gateway, for a handler to return.
         * @param content the text that the gateway gets
         * @param contentType by default `text/plain; charset=UTF-8`
         * @param isLastMsg whether this ends the dialog; by default it does not
         * @since 6.2
         */
        function createUSSDResponse(content: string, contentType?: string, isLastMsg?: boolean): USSDResponse;

        // Events from devices, and where the devices are

        /**
         * Sets the handlers of the events that clients transmit, in place of those set before; `[]` removes them all.
         * @example
         * WL.Server.setEventHandlers([WL.Server.createEventHandler({ event: "arrived" }, arrived)]);
         * @since 6.0
         */
        function setEventHandlers(eventHandlers: EventHandler[]): void;

        /**
         * Makes a handler for the events that match a filter, to be set with `setEventHandlers`.
         * @param filter the members that an event must have, at any depth: `{ hotel: { country: "US" } }`; `{}` matches all events
         * @param handler is called with each of these events; give it a name, which reports show
         * @since 6.0
         */
        function createEventHandler(filter: EventFilter, handler: Callback<(event: DeviceEvent) => any>): EventHandler;

        /**
         * A copy of what the client's device last reported about itself, such as where it is; `null` when it reported nothing.
         * @since 6.0
         */
        function getClientDeviceContext(): DeviceContext | null;

        /**
         * The beacons of an application with their triggers.
         * @param beaconsOfInterest which beacons: one, or an array of them
         * @since 6.3
         */
        function getBeaconsAndTriggers(applicationName: string, beaconsOfInterest?: BeaconID | BeaconID[]): BeaconsResult;
    }

    /**
     * Writes to the server's log. A value that is no text is written as JSON, an Error with its stack. Worklight's took one
     * value; further ones follow after a blank.
     */
    namespace Logger {
        /**
         * Writes a line that helps to find a fault.
         * @since 5.0.6
         */
        function debug(value: any, ...more: any[]): void;

        /**
         * Writes a line as `info` does.
         * @since 5.0.6
         * @deprecated `info` is the name for it
         */
        function log(value: any, ...more: any[]): void;

        /**
         * Writes a line about what happened.
         * @since 5.0.6
         */
        function info(value: any, ...more: any[]): void;

        /**
         * Writes a line about what may become a fault.
         * @since 5.0.6
         */
        function warn(value: any, ...more: any[]): void;

        /**
         * Writes a line about a fault.
         * @since 5.0.6
         */
        function error(value: any, ...more: any[]): void;
    }

    /** Geometry on the earth, taken as a sphere of radius 6371 km. */
    namespace Geo {
        /**
         * The distance of two places in meters.
         * @since 6.0
         */
        function getDistanceBetweenCoordinates(coordinate1: Coordinate, coordinate2: Coordinate): number;

        /**
         * The distance of a place from the edge of a circle in meters, negative within it.
         * @since 6.0
         */
        function getDistanceToCircle(coordinate: Coordinate, circle: Circle, options?: DistanceOptions): number;

        /**
         * Whether a place is within a circle. Its edge belongs to it.
         * @since 6.0
         */
        function isInsideCircle(coordinate: Coordinate, circle: Circle, options?: AreaOptions): boolean;

        /**
         * Whether a place is outside a circle. A place near the edge can be neither, when confidence is asked for.
         * @since 6.0
         */
        function isOutsideCircle(coordinate: Coordinate, circle: Circle, options?: AreaOptions): boolean;

        /**
         * The distance of a place from the edge of a polygon in meters, negative within it.
         * @since 6.0
         */
        function getDistanceToPolygon(coordinate: Coordinate, polygon: Coordinate[], options?: DistanceOptions): number;

        /**
         * Whether a place is within a polygon. Its edge belongs to it.
         * @since 6.0
         */
        function isInsidePolygon(coordinate: Coordinate, polygon: Coordinate[], options?: AreaOptions): boolean;

        /**
         * Whether a place is outside a polygon. A place near the edge can be neither, when confidence is asked for.
         * @since 6.0
         */
        function isOutsidePolygon(coordinate: Coordinate, polygon: Coordinate[], options?: AreaOptions): boolean;
    }

    // How options are checked

    /** The type of an argument that has an option which its function does not know. */
    interface UnknownOption<Name> {
        "this option is not known": Name;
    }

    /**
     * Checks the options of a call beyond what an interface can: TypeScript itself looks for unknown options only where the options
     * are written in the call, and adapters mostly put them into a variable first.
     *
     * `Given` is the type of the argument, which TypeScript infers from the branch `Given`; this branch is never the result. `Known`
     * has the options' names, and `Values` the values of options that take only some texts. A text in a variable has the type
     * `string`, which counts as right. So does an argument whose names TypeScript does not know.
     */
    type CheckedOptions<Given, Known, Values> = string extends keyof Given
        ? unknown
        : [Exclude<keyof Given, keyof Known>] extends [never]
        ? { [Name in keyof Given & keyof Known & keyof Values]?: CheckedValue<Given[Name], Known[Name], Values[Name]> }
        : Given extends never
        ? Given
        : UnknownOption<Exclude<keyof Given, keyof Known>>;

    type CheckedValue<Given, Known, Value> = Given extends string
        ? string extends Given
            ? unknown
            : Given extends Value
            ? unknown
            : Lowercase<Given> extends Value
            ? unknown
            : Value
        : Given extends object
        ? CheckedOptions<Given, NonNullable<Known>, Value>
        : unknown;

    // HTTP

    type KnownHttpMethod = "get" | "post" | "put" | "delete" | "head" | "patch" | "options";

    /** A name in any letter case. */
    type HttpMethod = KnownHttpMethod | (string & {});

    type KnownContentType = "css" | "csv" | "html" | "javascript" | "json" | "plain" | "xml";

    /** What kind of contents to expect, or a MIME type that has one of these words in it. */
    type ContentType = KnownContentType | (string & {});

    interface InvokeHttpOptions {
        method: HttpMethod;
        /** Follows the back end's protocol, host and port; sent as it is. Give no `?` here together with `parameters` and GET. */
        path: string;
        /** How the answer is read, whatever its own header says. */
        returnedContentType?: ContentType | null;
        /** The answer's character encoding; by default `utf-8`. */
        returnedContentEncoding?: string | null;
        /** Go into the query, or for POST, PUT and PATCH without a body into a form. */
        parameters?: { [name: string]: any } | null;
        headers?: { [name: string]: any } | null;
        cookies?: { [name: string]: any } | null;
        /** Not allowed with GET and HEAD. */
        body?: HttpBody | null;
        transformation?: Transformation | null;
        /** How long to wait for a connection; by default what the adapter's XML file says, or 30000. */
        connectionTimeoutInMilliseconds?: number | string | null;
        /** How long to wait for the next packet; by default what the adapter's XML file says, or 30000. */
        socketTimeoutInMilliseconds?: number | string | null;
    }

    interface HttpBody {
        /** For example `application/json; charset=utf-8`; by default `text/plain; charset=utf-8`. */
        contentType?: string | null;
        /** A text. An object or an array is sent as JSON; by default the body is empty. */
        content?: any;
    }

    /** An XSL transformation of the answer; what it makes must be JSON. */
    interface Transformation {
        type: KnownTransformation | (string & {});
        /** The file in the adapter's folder, with the type `xslFile`. */
        xslFile?: string | null;
    }

    type KnownTransformation = "default" | "xslFile" | "void";

    /** The values of `InvokeHttpOptions` that can be wrong. */
    interface InvokeHttpValues {
        method: KnownHttpMethod;
        returnedContentType:
            | KnownContentType
            | `${string}${KnownContentType}${string}`
            | `${"text" | "image" | "audio" | "video" | "font"}/${string}`
            | `${string}${"octet-stream" | "pdf" | "zip" | "x-tar" | "protobuf"}${string}`;
        body: {};
        transformation: { type: KnownTransformation };
    }

    interface InvokeCastIronOptions extends InvokeHttpOptions {
        /** The orchestration project. */
        appName: string;
        requestType?: "http" | "https" | (string & {});
    }

    /**
     * What every call of a back end gives, and what a client gets of a procedure.
     *
     * After a failure only `isSuccessful`, `errors`, `warnings` and `info` are sure to be there, and `errors` is missing after a
     * success of SQL. The types leave that out, because scripts test `isSuccessful` in ways that TypeScript cannot follow.
     */
    interface InvocationResult {
        isSuccessful: boolean;
        errors: string[];
        warnings: string[];
        info: string[];
        /** The contents of the answer. */
        [member: string]: any;
    }

    interface HttpResult extends InvocationResult {
        /** The status of HTTP, for example 200; missing when no answer came. */
        statusCode: number;
        statusReason: string;
        /** A text for each header, or an array of texts for one that came several times. */
        responseHeaders: { [name: string]: any };
        /** Milliseconds until the back end's answer. */
        responseTime: number;
        /** Milliseconds in all. */
        totalTime: number;
        /** The contents when they are a JSON array. */
        array: any[];
        /** The contents when they are neither JSON nor XML. */
        text: string;
    }

    // SQL

    /** What `createSQLStatement` made. */
    interface PreparedStatement {
        readonly __preparedStatement?: never;
    }

    /** A value for a `?`. */
    type SQLParameter = string | number | boolean | Date | Uint8Array | null | undefined;

    interface SQLStatementOptions {
        /** What `createSQLStatement` made, or (in 8.0 of the original) the statement's text. */
        preparedStatement: PreparedStatement | string;
        /** One value for each `?`; a single value need not be in an array. */
        parameters?: SQLParameter[] | SQLParameter;
        /** @deprecated a misspelling of `parameters` in the original's documents, which works */
        parametrers?: SQLParameter[] | SQLParameter;
        transformation?: SQLTransformation | null;
    }

    interface SQLStoredProcedureOptions {
        /** The procedure's name. */
        procedure: string;
        /** The procedure's arguments; a single value need not be in an array. */
        parameters?: SQLParameter[] | SQLParameter;
        /** @deprecated a misspelling of `parameters` in the original's documents, which works */
        parametrers?: SQLParameter[] | SQLParameter;
        transformation?: SQLTransformation | null;
    }

    /** Does nothing: there are no stylesheets for rows. */
    interface SQLTransformation {
        type: "default" | "void" | (string & {});
    }

    /** The values of the options for SQL that can be wrong. */
    interface SQLValues {
        transformation: { type: "default" | "void" };
    }

    interface SqlResult extends InvocationResult {
        /** The rows: an object each, with a member for each column; NULL is `null`. */
        resultSet: any[];
        /** In place of rows, for a statement that changes them. */
        updateStatementResult: { updateCount: number };
    }

    // JMS

    interface JMSReadOptions {
        /** The queue's JNDI name. */
        destination: string;
        /** Milliseconds to wait for a message: 0 waits for ever, a negative number or none not at all. */
        timeout?: number;
        /** A JMS selector, for example `JMSCorrelationID = 'a1'`. */
        filter?: string;
    }

    interface JMSMessage {
        body?: string;
        /** Properties of JMS, of the provider and of the user. */
        properties?: { [name: string]: any };
    }

    interface JMSWriteOptions {
        /** The JNDI name of the queue or the topic. */
        destination: string;
        message?: JMSMessage;
        /** Milliseconds that the message lives; by default for ever. */
        ttl?: number;
    }

    interface JMSRequestOptions extends JMSWriteOptions {
        /** Milliseconds to wait for the reply: 0 waits for ever, a negative number or none not at all. */
        timeout?: number;
        /** A JMS selector for the reply. */
        filter?: string;
    }

    interface JMSMessageResult extends InvocationResult {
        /** Missing when there was no message. */
        message?: JMSMessage;
    }

    interface JMSMessagesResult extends InvocationResult {
        messages?: JMSMessage[];
    }

    interface JMSWriteResult extends InvocationResult {
        JMSMessageID?: string;
    }

    // SAP NetWeaver Gateway

    interface NWBusinessObjectOptions {
        /** The type of the business object. */
        Object: string;
        /** OData filters, for example `["City+eq+'Rochester'"]`; `[]` without one. */
        Filters: string[];
        CollectionName: string;
        /** The primary keys of the object. */
        Keys: { Name: string; value: any }[];
        /** The members of the object that is created or changed. */
        Content?: { [member: string]: any };
    }

    interface NWBusinessObjectResult extends InvocationResult {
        __metadata?: { type: string; uri: string; [more: string]: any };
    }

    // Procedures, requests and configuration

    interface ProcedureInvocation {
        /** The name of the adapter. */
        adapter: string;
        /** The name of one of its procedures. */
        procedure: string;
        /** The procedure's arguments: an array, or a single value that is none. */
        parameters?: any;
        /** @deprecated does nothing: an option of client code, which some scripts copied */
        compressResponse?: any;
    }

    interface ProcedureResult extends InvocationResult {
        errorMessages: string[];
    }

    interface Configuration {
        readonly [name: string]: string;
    }

    /** What there is of Java's HttpServletRequest. */
    interface HttpServletRequest {
        getMethod(): string;
        /** The address without its query; a text, or what `toString` makes one. */
        getRequestURL(): any;
        getRequestURI(): string;
        getContextPath(): string;
        getPathInfo(): string | null;
        getServletPath(): string;
        getQueryString(): string | null;
        getScheme(): string;
        getProtocol(): string;
        getServerName(): string;
        getServerPort(): number;
        isSecure(): boolean;
        getRemoteAddr(): string;
        getRemoteHost(): string;
        /** The name of the user who is logged in. */
        getRemoteUser(): string | null;
        /** The user who is logged in; ask it for `getName()`. */
        getUserPrincipal(): any;
        getContentType(): string | null;
        getContentLength(): number;
        getCharacterEncoding(): string | null;
        /** Names of headers are the same in capital and small letters. */
        getHeader(name: string): string | null;
        getHeaders(name: string): Enumeration;
        getHeaderNames(): Enumeration;
        getParameter(name: string): string | null;
        getParameterValues(name: string): string[] | null;
        getParameterNames(): Enumeration;
        /** All values of each, by name. */
        getParameterMap(): { [name: string]: string[] };
        /** -1 when there is no such header; an error when it is no whole number. */
        getIntHeader(name: string): number;
        /** The language that the client puts first; ask it for `getLanguage()`, `getCountry()` and `toString()`. */
        getLocale(): any;
        /** Always null: there are no servlets that could have set one. */
        getAttribute(name: string): null;
        /** Ask each for `getName()` and `getValue()`. */
        getCookies(): any[] | null;
        getSession(create?: boolean): HttpSession;
        [more: string]: any;
    }

    /** What there is of Java's HttpSession: values that last as long as the client's session. */
    interface HttpSession {
        getId(): string;
        getAttribute(name: string): any;
        setAttribute(name: string, value: any): void;
        removeAttribute(name: string): void;
        getAttributeNames(): Enumeration;
        [more: string]: any;
    }

    interface Enumeration {
        hasMoreElements(): boolean;
        nextElement(): string;
    }

    // Identities

    /** A user as a login describes them; further members are kept. */
    interface Identity {
        /** The id with which the user logged in. */
        userId?: string;
        displayName?: string;
        /** For example the password. */
        credentials?: any;
        /** Whatever else is known of the user. */
        attributes?: any;
        [more: string]: any;
    }

    interface DeviceIdentity {
        deviceId?: string;
        [more: string]: any;
    }

    // Event sources

    /** A function of the script, or its name. */
    type Callback<F> = F | (string & {});

    interface EventSourceOptions {
        /** Unique in the adapter. */
        name: string;
        /** Is called when a device has subscribed. */
        onDeviceSubscribe?: Callback<(userSubscription: UserSubscription, deviceSubscription: DeviceSubscription) => any> | null;
        /** Is called when a device's subscription has ended, by the client or because the device is gone. */
        onDeviceUnsubscribe?: Callback<(userSubscription: UserSubscription, deviceSubscription: DeviceSubscription) => any> | null;
        /** Is called when a user's first device has subscribed. */
        onUserSubscribe?: Callback<(userSubscription: UserSubscription) => any> | null;
        /** Is called when the subscription of a user's last device has ended. */
        onUserUnsubscribe?: Callback<(userSubscription: UserSubscription) => any> | null;
        /** Is called when a device subscribes that another user had subscribed; says whether it may. */
        onUserChange?: Callback<(change: UserChange) => UserChangeAnswer> | null;
        poll?: Poll | null;
        /** The test of authenticationConfig.xml that guards subscribing. */
        securityTest?: string | null;
    }

    interface Poll {
        /** Seconds from the end of a poll to the next. */
        interval: number;
        /** Is called at each poll, without arguments. */
        onPoll: Callback<() => any>;
    }

    interface UserChange {
        /** Who subscribes now. */
        userId: string;
        /** Whose subscription the device has. */
        previousUserId: string;
        device: string;
        applicationId: string;
        platform: string;
        alias: string;
        /** What the client gave when it subscribed. */
        options: any;
        [more: string]: any;
    }

    interface UserChangeAnswer {
        /** Whether the device is subscribed for its new user. */
        isSuccessful: boolean;
        /** Goes to the client. */
        [more: string]: any;
    }

    interface UserSubscription {
        readonly userId: string;
        /** Whatever the script keeps about the user; `save` stores it. */
        state: any;
        /** The subscriptions of the user's devices to the event source. */
        getDeviceSubscriptions(): DeviceSubscription[];
        /** Stores `state`. */
        save(): void;
    }

    interface DeviceSubscription {
        readonly alias?: string | null;
        /** The device's id. */
        readonly device: string;
        /** What the push service calls the device. */
        readonly token: string;
        readonly applicationId: string;
        readonly platform: string;
        /** What the client gave when it subscribed. */
        readonly options: any;
        /** The number of a subscription of `subscribeSMS`. */
        readonly phoneNumber?: string;
        /** The gateway of a subscription of `subscribeSMS`. */
        readonly gatewayId?: string;
    }

    // Notifications

    /** A notification in either form; blocks are used when there is one. */
    type NotificationOptions = Notification | FlatNotification;

    /** A block for each push service; a device gets that of its own. */
    interface Notification {
        /** Apple. */
        APNS?: APNSBlock | null;
        /** Android. */
        GCM?: GCMBlock | null;
        /** Windows Phone 8. */
        MPNS?: MPNSBlock | null;
        /**
         * Windows 8.
         * @since 7.0
         */
        WNS?: WNSBlock | null;
        /** Phone numbers. */
        SMS?: SMSBlock | null;
    }

    /** What `createDefaultNotification` makes. */
    interface DefaultNotification extends Notification {
        APNS: APNSBlock;
        GCM: GCMBlock;
        MPNS: DefaultMPNSBlock;
        SMS: SMSBlock;
        WNS: DefaultWNSBlock;
    }

    /**
     * The form before 5.0.6, the same for all devices.
     * @deprecated since 5.0.6: give a block for each push service
     */
    interface FlatNotification {
        alert?: string | number | null;
        badge?: number | string | null;
        sound?: string | null;
        /** The label of the button that opens the app. */
        activateButtonLabel?: string | null;
        payload?: any;
        /** The text for phone numbers. */
        text?: string | number | null;
    }

    interface APNSBlock {
        /** A text, or an object as APNs knows it. */
        alert?: any;
        title?: string | number | null;
        subtitle?: string | number | null;
        /** As `subtitle`. */
        subTitle?: string | number | null;
        /** The number on the app's icon; 0 takes it away. */
        badge?: number | string | null;
        /** The name of a sound file in the app. */
        sound?: string | null;
        /** The label of the button that opens the app. */
        actionKey?: string | null;
        /** As `actionKey`, the name in `sendMessage`. */
        iosActionKey?: string | null;
        /** The adapter's own data. */
        payload?: any;
        /**
         * Whether it is shown, wakes the app, or both.
         * @since 6.3
         */
        type?: "DEFAULT" | "SILENT" | "MIXED" | (string & {}) | null;
        /**
         * The set of actions that the app offers with it.
         * @since 6.3
         */
        category?: string | null;
        /** A newer notification with the same id takes this one's place; 1 to 64 characters of ASCII. */
        collapseId?: string | number | null;
    }

    interface GCMBlock {
        alert?: string | number | null;
        /** The name of a sound file in the app. */
        sound?: string | null;
        /** The adapter's own data. */
        payload?: any;
        /** Whether it waits until an idle device wakes up; by default it does not. */
        delayWhileIdle?: boolean | "true" | "false" | (string & {}) | null;
        /** Seconds for which it is kept for a device that cannot be reached; by default four weeks. */
        timeToLive?: number | string | null;
        /** @deprecated does nothing: Android has no badge */
        badge?: any;
    }

    interface SMSBlock {
        /** Up to 160 characters in one message. */
        text?: string | number | null;
    }

    interface MPNSBlock {
        /** Data for an app that is open. */
        raw?: { payload?: any } | null;
        toast?: MPNSToast | null;
        tile?: MPNSTile | null;
    }

    interface DefaultMPNSBlock extends MPNSBlock {
        raw: { payload?: any };
        /** `null` at first. */
        toast: any;
        tile: MPNSTile;
    }

    interface DefaultWNSBlock extends WNSBlock {
        raw: { payload?: any };
        toast: { launch?: any; visual: { binding: WNSBinding } };
        badge: { value?: number | string | null };
    }

    interface MPNSToast {
        /** The title. */
        text1?: string | null;
        text2?: string | null;
        /** The screen to open, with parameters. */
        param?: string | null;
    }

    /** What the app's tile shows. An empty text takes a value away, and so does the count 0. */
    interface MPNSTile {
        /** Which of the app's tiles; the default one without it. */
        id?: string | null;
        /** From 1 to 99. */
        count?: number | null;
        title?: string | null;
        backgroundImage?: string | null;
        smallBackgroundImage?: string | null;
        wideBackgroundImage?: string | null;
        wideBackBackgroundImage?: string | null;
        wideBackContent?: string | null;
        backBackgroundImage?: string | null;
        backTitle?: string | null;
        backContent?: string | null;
        smallIconImage?: string | null;
        iconImage?: string | null;
        wideContent1?: string | null;
        wideContent2?: string | null;
        wideContent3?: string | null;
        backgroundColor?: string | null;
        cycleImage1?: string | null;
        cycleImage2?: string | null;
        cycleImage3?: string | null;
        cycleImage4?: string | null;
        cycleImage5?: string | null;
        cycleImage6?: string | null;
        cycleImage7?: string | null;
        cycleImage8?: string | null;
        cycleImage9?: string | null;
    }

    interface WNSBlock {
        /** Data for an app that is open. */
        raw?: { payload?: any } | null;
        toast?: { launch?: any; visual?: WNSVisual | null } | null;
        tile?: { visual?: WNSVisual | null } | null;
        /**
         * A whole number from 0, or one of the glyphs `none`, `activity`, `alarm`, `alert`, `attention`, `available`, `away`,
         * `busy`, `error`, `newMessage`, `paused`, `playing` and `unavailable`.
         */
        badge?: { value?: number | string | null } | null;
    }

    interface WNSVisual {
        /** One for each size, or one for all. */
        binding?: WNSBinding | WNSBinding[] | null;
    }

    interface WNSBinding {
        /** A template of Windows, for example `ToastText01`. */
        template: string;
        text?: { content?: string | number | null }[] | { content?: string | number | null } | null;
        image?: { src?: string | null }[] | { src?: string | null } | null;
    }

    /** A message for `sendMessage`. */
    interface MessageOptions {
        message: { alert: string | number };
        /** Which devices, by one of its members; all devices of the application without it. */
        target?: MessageTarget | null;
        settings?: MessageSettings | null;
    }

    interface MessageTarget {
        deviceIds?: string[] | null;
        userIds?: string[] | null;
        /** Devices that are subscribed to one of these tags. */
        tagNames?: string[] | null;
        /** `A` for Apple, `G` for Android, `M` for Windows Phone 8, and since 7.0 `W` for Windows 8. */
        platforms?: ("A" | "G" | "M" | "W" | (string & {}))[] | null;
    }

    /** What differs from one push service to the other; the blocks are those of a notification. */
    interface MessageSettings {
        apns?: APNSBlock | null;
        gcm?: GCMBlock | null;
        mpns?: MPNSBlock | null;
        wns?: WNSBlock | null;
    }

    // Events

    interface EventHandler {
        filter: EventFilter;
        handler: Callback<(event: any) => any>;
        /** The gateway of a handler of `createSMSEventHandler`. */
        gatewayId?: any;
    }

    interface EventFilter {
        [member: string]: any;
    }

    /** An event as the client transmitted it. */
    interface DeviceEvent {
        /** The state of the device when the event happened. */
        deviceContext?: DeviceContext | null;
        [member: string]: any;
    }

    /** The parameters of the gateway's request; SMSConfig.xml says which of them hold the number and the text. */
    interface SMSMessage {
        [parameter: string]: string;
    }

    interface USSDRequest {
        params: { [name: string]: string };
        headers: { [name: string]: string };
        body: string;
        [more: string]: any;
    }

    interface USSDResponse {
        content: string;
        contentType: string;
        isLastMsg: boolean;
        [more: string]: any;
    }

    interface DeviceContext {
        Geo?: DevicePosition;
        Wifi?: DeviceNetworks;
        /** Milliseconds since 1970. */
        lastModified?: number;
        /** Minutes from local time to UTC. */
        timezoneOffset?: number;
        [more: string]: any;
    }

    interface DevicePosition {
        coords: DeviceCoordinates;
        /** Milliseconds since 1970. */
        timestamp: number;
        [more: string]: any;
    }

    interface DeviceCoordinates extends Coordinate {
        /** Meters. */
        altitude?: number | null;
        /** Meters. */
        altitudeAccuracy?: number | null;
        /** Degrees from north. */
        heading?: number | null;
        /** Meters per second. */
        speed?: number | null;
    }

    interface DeviceNetworks {
        accessPoints?: AccessPoint[];
        connectedAccessPoint?: AccessPoint;
        /** Milliseconds since 1970. */
        timestamp?: number;
        [more: string]: any;
    }

    interface AccessPoint {
        SSID?: string;
        MAC?: string;
        [more: string]: any;
    }

    // Beacons

    interface BeaconID {
        uuid: string;
        major?: number;
        minor?: number;
    }

    interface BeaconsResult extends InvocationResult {
        beacons?: (BeaconID & { customData?: any })[];
        beaconTriggers?: BeaconTrigger[];
        beaconTriggerAssociations?: (BeaconID & { triggerName: string })[];
    }

    interface BeaconTrigger {
        triggerName: string;
        triggerType: "Enter" | "Exit" | "DwellInside" | "DwellOutside" | (string & {});
        proximityState?: "Immediate" | "Near" | "Far" | (string & {});
        /** Milliseconds. */
        dwellingTime?: number;
        actionPayload?: any;
        [more: string]: any;
    }

    // Places

    interface Coordinate {
        /** Degrees, east positive. */
        longitude: number;
        /** Degrees, north positive. */
        latitude: number;
        /** Meters by which the place may be off. */
        accuracy?: number | null;
        [more: string]: any;
    }

    interface Circle {
        /** Of the center, in degrees. */
        longitude: number;
        /** Of the center, in degrees. */
        latitude: number;
        /** Meters. */
        radius: number;
        [more: string]: any;
    }

    interface DistanceOptions {
        /** Meters by which the area is larger; smaller when negative. By default 0. */
        bufferZoneWidth?: number | null;
    }

    interface AreaOptions extends DistanceOptions {
        /** How sure the answer must be: `medium` is about 70 %, `high` about 95 %; by default `low`, which takes the place as exact. */
        confidenceLevel?: "low" | "medium" | "high" | (string & {}) | null;
    }
}

/**
 * Another name of `WL`, which some adapters use.
 * @since 7.1
 */
declare namespace MFP {
    export import Server = WL.Server;
    export import Logger = WL.Logger;
}

/**
 * The packages of Java. Lamplighter has no Java; of its classes these can be used: `java.lang.System.out.println`,
 * `java.lang.System.currentTimeMillis`, `java.lang.Thread.currentThread`, `java.util.Properties`, `java.util.Hashtable`,
 * `java.net.URLEncoder.encode` and `java.net.URLDecoder.decode`.
 * @since 5.0.6
 */
declare var java: any;

/** The packages of Java's extensions; see `java`. */
declare var javax: any;

/**
 * The packages of companies; see `java`. `com.worklight.common.js.util.JSObjectConverter.toFormattedString` gives an object as
 * JSON for people to read.
 */
declare var com: any;

/** The packages of organizations; see `java`. */
declare var org: any;

/** The packages of universities; see `java`. */
declare var edu: any;

/** The packages of networks; see `java`. */
declare var net: any;

/** All packages; see `java`. */
declare var Packages: any;

// What Rhino had besides JavaScript. Where a script writes XML or `for each`, TypeScript gives up the file (TS1005 and others).

/**
 * Makes the classes of a Java package known by their short names, as `importPackage(java.util)` does for `HashMap`. TypeScript does
 * not know these names: write `java.util.HashMap`, or `var HashMap = java.util.HashMap`.
 */
declare function importPackage(...packages: any[]): void;

/** Makes a Java class known by its short name; see `importPackage`. */
declare function importClass(...classes: any[]): void;

/** `new JavaImporter(java.util)`: an object for `with` that has the classes of packages. */
declare var JavaImporter: any;

/** `new JavaAdapter(type, members)`: an object in place of one that implements a Java interface. */
declare var JavaAdapter: any;

/** Whether a value is the name of an XML element or attribute (E4X). */
declare function isXMLName(value: any): boolean;

/** A value as JavaScript source. */
declare function uneval(value: any): string;

/** XML as a value (E4X). */
declare var XML: any;

/** A list of elements, attributes or texts of XML (E4X). */
declare var XMLList: any;

/** The name of an element or attribute with its namespace (E4X). */
declare var QName: any;

/** A namespace of XML (E4X). */
declare var Namespace: any;

/** What `next` of an iterator of Rhino throws at its end. */
declare var StopIteration: any;

/**
 * Writes to the server's log, as `WL.Logger` does. The original had no console.
 *
 * Values are written one after the other: texts as they are, Errors with their stack, everything else as JSON. When the first is
 * a text, its `%s %d %i %f %j %o %O %c %%` take the values behind it.
 */
interface Console {
    /** Level debug. */
    debug(...values: any[]): void;
    /** Level info. */
    log(...values: any[]): void;
    /** Level info. */
    info(...values: any[]): void;
    /** Level warning. */
    warn(...values: any[]): void;
    /** Level error. */
    error(...values: any[]): void;
    /** The calls that are running. Level info. */
    trace(...values: any[]): void;
    /** A line of level error unless the condition holds. */
    assert(condition?: any, ...values: any[]): void;
    /** The value as JSON. Level info. */
    dir(value?: any, options?: any): void;
    /** As `dir`. */
    dirxml(value?: any): void;
    /** An array of objects, or an object of them, as a table. Level info. */
    table(rows: any): void;
    /** Starts a timer, which belongs to the scope as a variable does. */
    time(label?: string): void;
    /** What a timer shows. Level info. */
    timeLog(label?: string, ...values: any[]): void;
    /** As `timeLog`; the timer ends. */
    timeEnd(label?: string): void;
    /** How often it was called with this label in this scope. Level info. */
    count(label?: string): void;
    countReset(label?: string): void;
    /** Writes a line, and indents those that follow until `groupEnd` or the end of the call. */
    group(...values: any[]): void;
    /** As `group`. */
    groupCollapsed(...values: any[]): void;
    groupEnd(): void;
}

declare var console: Console;
