// The API for JavaScript adapters of IBM Worklight / MobileFirst Platform 5.0.6 to 7.1, as Lamplighter implements it.
//
// Put this file into the folder `adapters`. Put a jsconfig.json into each adapter's folder, because an adapter's functions are global:
//     {
//         "compilerOptions": {
//             "checkJs": true, "strict": true, "noImplicitAny": false, "noImplicitThis": false, "alwaysStrict": false,
//             "useUnknownInCatchVariables": false, "lib": ["es2022"], "target": "es2022", "types": []
//         },
//         "include": ["*.js"], "files": ["../worklight.d.ts"]
//     }
// docs/editors.md explains the settings and lists the errors that TypeScript finds with them.

/** The server's API for the script of an adapter. */
declare namespace WL {
    /** Functions for back ends, other procedures, identities, subscriptions and notifications. */
    namespace Server {
        // Back ends reached over HTTP

        /**
         * Sends a request to the adapter's HTTP back end, waits for the response and returns its contents as an object.
         *
         * The members of a JSON object become members of the result, and a JSON array becomes its member `array`. XML and HTML become an
         * object with the root element's name. Other contents become the string `text`. A status such as 404 is not a failure: check
         * `statusCode`. `isSuccessful` is false only without a response; `errors` then has the reason.
         * @example
         * var response = WL.Server.invokeHttp({ method: "get", path: "/messages", returnedContentType: "json" });
         * if (response.isSuccessful && response.statusCode === 200) WL.Logger.info(response.array.length);
         * @since 5.0.6
         */
        function invokeHttp<Given>(options: InvokeHttpOptions & CheckedOptions<Given, InvokeHttpOptions, InvokeHttpValues>): HttpResult;

        /**
         * Signs one element of a SOAP envelope with a key of the server's keystore (WS-Security).
         *
         * Lamplighter does not support this: the call throws an error that names an alternative.
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
         * Lamplighter does not support this: the call throws an error that names an alternative.
         * @since 5.0.6
         */
        function invokeCastIron(options: InvokeCastIronOptions): HttpResult;

        // Databases

        /**
         * Creates a statement for `invokeSQLStatement`. Call it outside all functions.
         * @param statement a select, insert, update or delete, with `?` for each parameter
         * @example
         * var byOwner = WL.Server.createSQLStatement("select id, amount from accounts where owner = ?");
         * @since 5.0.6
         */
        function createSQLStatement(statement: string): PreparedStatement;

        /**
         * Runs a statement in the adapter's database. The result has the rows in `resultSet`. After a failure `isSuccessful` is false, and
         * `errors` has the reason.
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
         * Removes one text message from a queue and returns it. Without a message the result is successful and has no `message`.
         *
         * Lamplighter does not support this: the call throws an error that names an alternative.
         * @since 5.0.6
         */
        function readSingleJMSMessage(options: JMSReadOptions): JMSMessageResult;

        /**
         * Removes all waiting messages from a queue and returns them. The timeout applies to each message.
         *
         * Lamplighter does not support this: the call throws an error that names an alternative.
         * @since 5.0.6
         */
        function readAllJMSMessages(options: JMSReadOptions): JMSMessagesResult;

        /**
         * Writes one text message to a queue or a topic.
         *
         * Lamplighter does not support this: the call throws an error that names an alternative.
         * @returns the new message's id in `JMSMessageID`
         * @since 5.0.6
         */
        function writeJMSMessage(options: JMSWriteOptions): JMSWriteResult;

        /**
         * Writes a message and waits for its reply on a temporary destination.
         *
         * Lamplighter does not support this: the call throws an error that names an alternative.
         * @since 5.0.6
         */
        function requestReplyJMSMessage(options: JMSRequestOptions): JMSMessageResult;

        // SAP NetWeaver Gateway

        /**
         * Reads business objects from a collection.
         *
         * Lamplighter does not support this: the call throws an error that names an alternative.
         * @since 6.2
         */
        function fetchNWBusinessObject(options: NWBusinessObjectOptions): NWBusinessObjectResult;

        /**
         * Creates a business object in a collection. `Content` has its members.
         *
         * Lamplighter does not support this: the call throws an error that names an alternative.
         * @since 6.2
         */
        function createNWBusinessObject(options: NWBusinessObjectOptions): NWBusinessObjectResult;

        /**
         * Changes a business object of a collection. `Content` has its members.
         *
         * Lamplighter does not support this: the call throws an error that names an alternative.
         * @since 6.2
         */
        function updateNWBusinessObject(options: NWBusinessObjectOptions): HttpResult;

        /**
         * Deletes a business object from a collection.
         *
         * Lamplighter does not support this: the call throws an error that names an alternative.
         * @since 6.2
         */
        function deleteNWBusinessObject(options: NWBusinessObjectOptions): HttpResult;

        // Procedures, requests and configuration

        /**
         * Calls a procedure of this or another adapter, and waits for its result.
         * @param ignored a second argument that some scripts copied from client code; it has no effect
         * @example
         * var accounts = WL.Server.invokeProcedure({ adapter: "Bank", procedure: "getAccounts", parameters: [userId] });
         * @since 5.0.6
         */
        function invokeProcedure<Given>(
            invocationData: ProcedureInvocation & CheckedOptions<Given, ProcedureInvocation, {}>, ignored?: any
        ): ProcedureResult;

        /**
         * Returns the request that called the procedure.
         *
         * It is `null` in a poll, which has no request. The type does not include `null`, because procedures always have a request.
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
         * Returns the value of a property of the adapter.
         * @since 8.0 of the original, which has it in `MFP.Server` only
         */
        function getPropertyValue(name: string): any;

        /**
         * Writes a line about an activity of the user to the server's reports.
         * @param activityType the name of the activity
         * @param deviceContext the device's state at that time; by default the result of `getClientDeviceContext`
         * @since 5.0.6
         * @deprecated since 7.0: write to `WL.Logger`
         */
        function logActivity(activityType: string, deviceContext?: DeviceContext | null): void;

        /**
         * Sets the application's state of this session for the server's reports; `null` removes it.
         * @since 6.0
         */
        function setApplicationContext(applicationContext: any): void;

        // Identities

        /**
         * Returns the user who is logged in, as described by the login module or `setActiveUser`; `null` without a login, and in a poll.
         * @param realm the user's realm; by default the user realm of the procedure's security test
         * @since 5.0.6
         */
        function getActiveUser(realm?: string): Identity | null;

        /**
         * Logs a user in to a realm, or out of it with `null`. It throws an error if another user is logged in: log that user out first.
         * @example
         * WL.Server.setActiveUser("BankRealm", null);
         * WL.Server.setActiveUser("BankRealm", { userId: "ann", displayName: "Ann", attributes: { branch: 7 } });
         * @since 5.0.6
         */
        function setActiveUser(realm: string, identity: Identity | null): void;

        /**
         * Returns the user who is logged in; `null` without a login.
         * @param realm the user's realm; by default the user realm of the procedure's security test
         * @since 6.0
         */
        function getCurrentUserIdentity(realm?: string): Identity | null;

        /**
         * Returns the device in the device realm of the security test. Its id is `deviceId`.
         * @since 6.0
         */
        function getCurrentDeviceIdentity(ignored?: any): DeviceIdentity | null;

        /**
         * Returns a string that identifies the client and is the same in all its calls, for example as a key in a database. It throws an
         * error in a call without a session.
         * @since 7.1
         */
        function getClientId(): string;

        // Event sources and subscriptions

        /**
         * Declares an event source to which devices can subscribe, with the interval of its polls. Call it outside all functions.
         * @example
         * WL.Server.createEventSource({ name: "News", poll: { interval: 60, onPoll: "poll" }, securityTest: "NewsTest" });
         * @since 5.0.6
         */
        function createEventSource(options: EventSourceOptions): void;

        /**
         * Returns the subscription of a user to an event source; `null` when none of the user's devices has subscribed.
         * @param eventSource `"Adapter.EventSource"`, or only the name for an event source of this adapter
         * @since 5.0.6
         */
        function getUserNotificationSubscription(eventSource: string, userId: string): UserSubscription | null;

        // Notifications

        /**
         * Creates a notification with a block for each push service. The script can change it before it sends it.
         * @param notificationText the message to show
         * @param badge the number on the app's icon
         * @param payload the adapter's data for the app
         * @example
         * var notification = WL.Server.createDefaultNotification("You have mail", 1, { folder: "inbox" });
         * notification.APNS.sound = "chime.caf";
         * @since 5.0.6
         */
        function createDefaultNotification(notificationText?: string | null, badge?: number | string | null, payload?: any): DefaultNotification;

        /**
         * Sends a notification to all devices of a subscribed user.
         * @returns the number of milliseconds to wait before sending the next one; 0 to send it at once
         * @since 5.0.6
         */
        function notifyAllDevices(userSubscription: UserSubscription, notificationOptions: NotificationOptions): number;

        /**
         * Sends a notification to one device of a subscribed user. If the device is not the user's, the log has an error, and the call
         * does not fail.
         * @param device the device's id, or its token
         * @returns the number of milliseconds to wait before sending the next one
         * @since 5.0.6
         */
        function notifyDevice(userSubscription: UserSubscription, device: string, options: NotificationOptions): number;

        /**
         * Sends a notification to one device, or to one phone number for a subscription of `subscribeSMS`.
         * @returns the number of milliseconds to wait before sending the next one
         * @since 5.0.6
         */
        function notifyDeviceSubscription(deviceSubscription: DeviceSubscription, notificationOptions: NotificationOptions): number;

        /**
         * Sends a notification to one device.
         * @returns the number of milliseconds to wait before sending the next one
         * @since 5.0.6
         * @deprecated since 4.1.3: `notifyDeviceSubscription` has the same arguments
         */
        function submitNotification(deviceSubscription: DeviceSubscription, notificationOptions: NotificationOptions): number;

        /**
         * Sends a notification to the device with a token. The original's documents name this function and do not describe it.
         * @since 6.2
         * @deprecated `notifyDevice` accepts a token, too
         */
        function notifyDeviceToken(userSubscription: UserSubscription, token: string, options: NotificationOptions): number;

        /**
         * Sends a notification to all users. The original's documents name this function and do not describe it.
         * @since 7.1
         * @deprecated `sendMessage` without a target reaches all devices of an application
         */
        function notifyAll(...args: any[]): number;

        /**
         * Sends a message to the devices of an application: those of a target, or all of them without one.
         * @example
         * WL.Server.sendMessage("Shop", { message: { alert: "Sale!" }, target: { tagNames: ["offers"] } });
         * @returns the number of milliseconds to wait before sending the next one
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
         * Returns the subscription of a phone number to an event source; `null` without one.
         * @since 6.2
         */
        function getSMSSubscription(eventSource: string, phoneNumber: string): DeviceSubscription | null;

        /**
         * Ends the subscription of a phone number to an event source.
         * @since 6.2
         */
        function unsubscribeSMS(eventSource: string, phoneNumber: string): void;

        /**
         * Creates a handler for text messages from phones, for `setEventHandlers`.
         * @param filter values that the gateway's parameters must have, for example `{ keyword: "join" }`
         * @param handler the function to call with all parameters of the gateway's request
         * @param gatewayId the gateway of SMSConfig.xml that receives the messages
         * @since 6.2
         */
        function createSMSEventHandler(filter: EventFilter, handler: Callback<(message: SMSMessage) => any>, gatewayId?: string): EventHandler;

        /**
         * Creates a handler for requests of a USSD gateway, for `setEventHandlers`.
         * @param filter values that the request's parameters or headers must have; `__wlpath` is the path after `/ussd`
         * @param handler the function to call with the request; it returns the result of `createUSSDResponse`
         * @since 6.2
         */
        function createUSSDEventHandler(filter: EventFilter, handler: Callback<(request: USSDRequest) => any>): EventHandler;

        /**
         * Creates the response to a USSD gateway, which a handler returns.
         * @param content the body of the response
         * @param contentType the type of the body; by default `text/plain; charset=UTF-8`
         * @param isLastMsg true to end the dialog; by default false
         * @since 6.2
         */
        function createUSSDResponse(content: string, contentType?: string, isLastMsg?: boolean): USSDResponse;

        // Events from devices, and where the devices are

        /**
         * Sets the handlers of the events that clients transmit. They replace those set before; `[]` removes all handlers.
         * @example
         * WL.Server.setEventHandlers([WL.Server.createEventHandler({ event: "arrived" }, arrived)]);
         * @since 6.0
         */
        function setEventHandlers(eventHandlers: EventHandler[]): void;

        /**
         * Creates a handler for the events that match a filter, for `setEventHandlers`.
         * @param filter the members that an event must have, at any depth: `{ hotel: { country: "US" } }`; `{}` matches all events
         * @param handler the function to call with each of these events; if it has a name, reports show it
         * @since 6.0
         */
        function createEventHandler(filter: EventFilter, handler: Callback<(event: DeviceEvent) => any>): EventHandler;

        /**
         * Returns a copy of the state that the client's device reported last, such as its position; `null` when it has reported none.
         * @since 6.0
         */
        function getClientDeviceContext(): DeviceContext | null;

        /**
         * Returns the beacons of an application with their triggers. Lamplighter stores no beacons, so its result is always empty.
         * @param beaconsOfInterest one beacon, or an array of beacons
         * @since 6.3
         */
        function getBeaconsAndTriggers(applicationName: string, beaconsOfInterest?: BeaconID | BeaconID[]): BeaconsResult;
    }

    /**
     * Writes to the server's log. A string is written unchanged, an Error with its stack, any other value as JSON. Worklight's functions
     * took one value; further values are an extension and follow after a space.
     */
    namespace Logger {
        /**
         * Writes a line of the level debug, for finding a fault.
         * @since 5.0.6
         */
        function debug(value: any, ...more: any[]): void;

        /**
         * Writes a line of the level info.
         * @since 5.0.6
         * @deprecated an alias of `info`
         */
        function log(value: any, ...more: any[]): void;

        /**
         * Writes a line of the level info, about normal operation.
         * @since 5.0.6
         */
        function info(value: any, ...more: any[]): void;

        /**
         * Writes a line of the level warning, about a possible fault.
         * @since 5.0.6
         */
        function warn(value: any, ...more: any[]): void;

        /**
         * Writes a line of the level error, about a fault.
         * @since 5.0.6
         */
        function error(value: any, ...more: any[]): void;
    }

    /** Geometry on the earth, as a sphere with a radius of 6371 km. */
    namespace Geo {
        /**
         * Returns the distance of two positions in meters.
         * @since 6.0
         */
        function getDistanceBetweenCoordinates(coordinate1: Coordinate, coordinate2: Coordinate): number;

        /**
         * Returns the distance of a position from the edge of a circle in meters; negative inside the circle.
         * @since 6.0
         */
        function getDistanceToCircle(coordinate: Coordinate, circle: Circle, options?: DistanceOptions): number;

        /**
         * Returns whether a position is inside a circle. The edge belongs to the circle.
         * @since 6.0
         */
        function isInsideCircle(coordinate: Coordinate, circle: Circle, options?: AreaOptions): boolean;

        /**
         * Returns whether a position is outside a circle. With a `confidenceLevel`, a position near the edge can be neither inside nor outside.
         * @since 6.0
         */
        function isOutsideCircle(coordinate: Coordinate, circle: Circle, options?: AreaOptions): boolean;

        /**
         * Returns the distance of a position from the edge of a polygon in meters; negative inside the polygon.
         * @since 6.0
         */
        function getDistanceToPolygon(coordinate: Coordinate, polygon: Coordinate[], options?: DistanceOptions): number;

        /**
         * Returns whether a position is inside a polygon. The edge belongs to the polygon.
         * @since 6.0
         */
        function isInsidePolygon(coordinate: Coordinate, polygon: Coordinate[], options?: AreaOptions): boolean;

        /**
         * Returns whether a position is outside a polygon. With a `confidenceLevel`, a position near the edge can be neither inside nor
         * outside.
         * @since 6.0
         */
        function isOutsidePolygon(coordinate: Coordinate, polygon: Coordinate[], options?: AreaOptions): boolean;
    }

    // Checks of options

    /** The type of an argument with an unknown option. */
    interface UnknownOption<Name> {
        "this option is not known": Name;
    }

    /**
     * Checks the names and values of a call's options. An interface alone does not suffice: TypeScript reports unknown options only in an
     * object literal within the call, and most adapters put the options into a variable first.
     *
     * `Given` is the type of the argument. TypeScript infers it from the branch `Given`, which is never the result. `Known` has the names
     * of the options, and `Values` the values of options that accept certain strings only. A string in a variable has the type
     * `string`, which is accepted. An argument whose names TypeScript does not know is accepted, too.
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

    /** An HTTP method, in any letter case. */
    type HttpMethod = KnownHttpMethod | (string & {});

    type KnownContentType = "css" | "csv" | "html" | "javascript" | "json" | "plain" | "xml";

    /** The kind of contents to expect, or a MIME type that contains one of these words. */
    type ContentType = KnownContentType | (string & {});

    interface InvokeHttpOptions {
        method: HttpMethod;
        /** The path after the back end's protocol, host and port, sent unchanged. Do not combine a `?` in it with `parameters` and GET. */
        path: string;
        /** The type of the response's contents; overrides the response's own header. */
        returnedContentType?: ContentType | null;
        /** The character encoding of the response; by default `utf-8`. */
        returnedContentEncoding?: string | null;
        /** The parameters of the query or, for POST, PUT and PATCH without a body, of a form. */
        parameters?: { [name: string]: any } | null;
        headers?: { [name: string]: any } | null;
        cookies?: { [name: string]: any } | null;
        /** The body of the request; not allowed with GET and HEAD. */
        body?: HttpBody | null;
        transformation?: Transformation | null;
        /** The timeout for the connection; by default the value in the adapter's XML file, or else 30000. */
        connectionTimeoutInMilliseconds?: number | string | null;
        /** The timeout for the next packet; by default the value in the adapter's XML file, or else 30000. */
        socketTimeoutInMilliseconds?: number | string | null;
    }

    interface HttpBody {
        /** The type of the body, for example `application/json; charset=utf-8`; by default `text/plain; charset=utf-8`. */
        contentType?: string | null;
        /** The body: a string, or an object or an array, which is sent as JSON; by default empty. */
        content?: any;
    }

    /** An XSL transformation of the response. Its output must be JSON. */
    interface Transformation {
        type: KnownTransformation | (string & {});
        /** The stylesheet in the adapter's folder, for the type `xslFile`. */
        xslFile?: string | null;
    }

    type KnownTransformation = "default" | "xslFile" | "void";

    /** The valid values of some members of `InvokeHttpOptions`. */
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
     * The result of every call of a back end, and of a procedure for a client.
     *
     * After a failure, only `isSuccessful`, `errors`, `warnings` and `info` always exist. After a successful SQL statement, `errors` is
     * missing. The types do not express this, because scripts check `isSuccessful` in ways that TypeScript cannot follow.
     */
    interface InvocationResult {
        isSuccessful: boolean;
        errors: string[];
        warnings: string[];
        info: string[];
        /** The contents of the response. */
        [member: string]: any;
    }

    interface HttpResult extends InvocationResult {
        /** The HTTP status, for example 200; missing without a response. */
        statusCode: number;
        statusReason: string;
        /** The headers: a string for each, or an array of strings for a header that occurs several times. */
        responseHeaders: { [name: string]: any };
        /** The milliseconds until the back end's response. */
        responseTime: number;
        /** The milliseconds of the whole call. */
        totalTime: number;
        /** The contents, if they are a JSON array. */
        array: any[];
        /** The contents, if they are neither JSON nor XML. */
        text: string;
    }

    // SQL

    /** A statement of `createSQLStatement`. */
    interface PreparedStatement {
        readonly __preparedStatement?: never;
    }

    /** A value for a `?`. */
    type SQLParameter = string | number | boolean | Date | Uint8Array | null | undefined;

    interface SQLStatementOptions {
        /** A statement of `createSQLStatement`, or (in 8.0 of the original) the statement itself as a string. */
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

    /** A transformation of rows. It has no effect: there are no stylesheets for rows. */
    interface SQLTransformation {
        type: "default" | "void" | (string & {});
    }

    /** The valid values of some options for SQL. */
    interface SQLValues {
        transformation: { type: "default" | "void" };
    }

    interface SqlResult extends InvocationResult {
        /** The rows: for each an object with a member for each column; NULL is `null`. */
        resultSet: any[];
        /** The number of changed rows, in place of `resultSet`, for a statement that changes rows. */
        updateStatementResult: { updateCount: number };
    }

    // JMS

    interface JMSReadOptions {
        /** The queue's JNDI name. */
        destination: string;
        /** The timeout for a message in milliseconds; 0 waits without a limit, a negative number or none does not wait. */
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
        /** The time to live in milliseconds; by default without a limit. */
        ttl?: number;
    }

    interface JMSRequestOptions extends JMSWriteOptions {
        /** The timeout for the reply in milliseconds; 0 waits without a limit, a negative number or none does not wait. */
        timeout?: number;
        /** A JMS selector for the reply. */
        filter?: string;
    }

    interface JMSMessageResult extends InvocationResult {
        /** The message; missing when the queue had none. */
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
        /** The procedure's arguments: an array, or a single value that is not an array. */
        parameters?: any;
        /** @deprecated has no effect: an option of client code, which some scripts copied */
        compressResponse?: any;
    }

    interface ProcedureResult extends InvocationResult {
        errorMessages: string[];
    }

    interface Configuration {
        readonly [name: string]: string;
    }

    /** The supported part of Java's HttpServletRequest. */
    interface HttpServletRequest {
        getMethod(): string;
        /** Returns the URL without its query, as a string or as an object whose `toString` returns it. */
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
        /** Returns the name of the user who is logged in. */
        getRemoteUser(): string | null;
        /** Returns the user who is logged in, an object with `getName()`. */
        getUserPrincipal(): any;
        getContentType(): string | null;
        getContentLength(): number;
        getCharacterEncoding(): string | null;
        /** Returns the value of a header. The case of its name is ignored. */
        getHeader(name: string): string | null;
        getHeaders(name: string): Enumeration;
        getHeaderNames(): Enumeration;
        getParameter(name: string): string | null;
        getParameterValues(name: string): string[] | null;
        getParameterNames(): Enumeration;
        /** Returns all values of each parameter, keyed by name. */
        getParameterMap(): { [name: string]: string[] };
        /** Returns the value of a header as a number, or -1 without the header. It throws an error if the value is not a whole number. */
        getIntHeader(name: string): number;
        /** Returns the language that the client prefers, an object with `getLanguage()`, `getCountry()` and `toString()`. */
        getLocale(): any;
        /** Returns `null`: there are no servlets that could have set an attribute. */
        getAttribute(name: string): null;
        /** Returns the cookies, objects with `getName()` and `getValue()`. */
        getCookies(): any[] | null;
        getSession(create?: boolean): HttpSession;
        [more: string]: any;
    }

    /** The supported part of Java's HttpSession: values that exist until the client's session ends. */
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

    /** A user, as described by a login. Further members are kept. */
    interface Identity {
        /** The id with which the user logged in. */
        userId?: string;
        displayName?: string;
        /** The user's credentials, for example the password. */
        credentials?: any;
        /** Further data about the user. */
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
        /** The event source's name, unique in the adapter. */
        name: string;
        /** Called when a device has subscribed. */
        onDeviceSubscribe?: Callback<(userSubscription: UserSubscription, deviceSubscription: DeviceSubscription) => any> | null;
        /** Called when a device's subscription has ended, by the client or because the device no longer exists. */
        onDeviceUnsubscribe?: Callback<(userSubscription: UserSubscription, deviceSubscription: DeviceSubscription) => any> | null;
        /** Called when a user's first device has subscribed. */
        onUserSubscribe?: Callback<(userSubscription: UserSubscription) => any> | null;
        /** Called when the subscription of a user's last device has ended. */
        onUserUnsubscribe?: Callback<(userSubscription: UserSubscription) => any> | null;
        /** Called when a device subscribes that has another user's subscription. The result allows or refuses the subscription. */
        onUserChange?: Callback<(change: UserChange) => UserChangeAnswer> | null;
        poll?: Poll | null;
        /** The security test of authenticationConfig.xml that a client must pass to subscribe. */
        securityTest?: string | null;
    }

    interface Poll {
        /** The seconds from the end of a poll to the beginning of the next one. */
        interval: number;
        /** Called at each poll, without arguments. */
        onPoll: Callback<() => any>;
    }

    interface UserChange {
        /** The user who subscribes now. */
        userId: string;
        /** The user of the device's present subscription. */
        previousUserId: string;
        device: string;
        applicationId: string;
        platform: string;
        alias: string;
        /** The options of the client's subscription. */
        options: any;
        [more: string]: any;
    }

    interface UserChangeAnswer {
        /** True to subscribe the device for its new user. */
        isSuccessful: boolean;
        /** Further members, which are sent to the client. */
        [more: string]: any;
    }

    interface UserSubscription {
        readonly userId: string;
        /** The script's data about the user; `save` stores it. */
        state: any;
        /** Returns the subscriptions of the user's devices to the event source. */
        getDeviceSubscriptions(): DeviceSubscription[];
        /** Stores `state`. */
        save(): void;
    }

    interface DeviceSubscription {
        readonly alias?: string | null;
        /** The device's id. */
        readonly device: string;
        /** The device's token of its push service. */
        readonly token: string;
        readonly applicationId: string;
        readonly platform: string;
        /** The options of the client's subscription. */
        readonly options: any;
        /** The phone number of a subscription of `subscribeSMS`. */
        readonly phoneNumber?: string;
        /** The gateway of a subscription of `subscribeSMS`. */
        readonly gatewayId?: string;
    }

    // Notifications

    /** A notification in either form. If it has a block, only its blocks are used. */
    type NotificationOptions = Notification | FlatNotification;

    /** A block for each push service. A device gets the block of its push service. */
    interface Notification {
        /** The block for Apple's devices. */
        APNS?: APNSBlock | null;
        /** The block for Android. */
        GCM?: GCMBlock | null;
        /** The block for Windows Phone 8. */
        MPNS?: MPNSBlock | null;
        /**
         * The block for Windows 8.
         * @since 7.0
         */
        WNS?: WNSBlock | null;
        /** The block for phone numbers. */
        SMS?: SMSBlock | null;
    }

    /** The result of `createDefaultNotification`. */
    interface DefaultNotification extends Notification {
        APNS: APNSBlock;
        GCM: GCMBlock;
        MPNS: DefaultMPNSBlock;
        SMS: SMSBlock;
        WNS: DefaultWNSBlock;
    }

    /**
     * The form of notifications before 5.0.6, the same for all devices.
     * @deprecated since 5.0.6: use a block for each push service
     */
    interface FlatNotification {
        alert?: string | number | null;
        badge?: number | string | null;
        sound?: string | null;
        /** The label of the button that opens the app. */
        activateButtonLabel?: string | null;
        payload?: any;
        /** The message for phone numbers. */
        text?: string | number | null;
    }

    interface APNSBlock {
        /** The message, or an object in the form of APNs. */
        alert?: any;
        title?: string | number | null;
        subtitle?: string | number | null;
        /** An alias of `subtitle`. */
        subTitle?: string | number | null;
        /** The number on the app's icon; 0 removes it. */
        badge?: number | string | null;
        /** The name of a sound file in the app. */
        sound?: string | null;
        /** The label of the button that opens the app. */
        actionKey?: string | null;
        /** An alias of `actionKey`, for `sendMessage`. */
        iosActionKey?: string | null;
        /** The adapter's data for the app. */
        payload?: any;
        /**
         * The effect: `DEFAULT` shows the notification, `SILENT` wakes the app, `MIXED` does both.
         * @since 6.3
         */
        type?: "DEFAULT" | "SILENT" | "MIXED" | (string & {}) | null;
        /**
         * The set of actions that the app offers with the notification.
         * @since 6.3
         */
        category?: string | null;
        /** An id, 1 to 64 characters of ASCII. A newer notification with the same id replaces this one. */
        collapseId?: string | number | null;
    }

    interface GCMBlock {
        alert?: string | number | null;
        /** The name of a sound file in the app. */
        sound?: string | null;
        /** The adapter's data for the app. */
        payload?: any;
        /** True if the notification waits until an idle device wakes up; by default false. */
        delayWhileIdle?: boolean | "true" | "false" | (string & {}) | null;
        /** The seconds for which the push service stores the notification for a device that it cannot reach; by default four weeks. */
        timeToLive?: number | string | null;
        /** @deprecated has no effect: Android has no badge */
        badge?: any;
    }

    interface SMSBlock {
        /** The message, of up to 160 characters for one SMS. */
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

    /** The contents of the app's tile. An empty string removes a value, and so does the count 0. */
    interface MPNSTile {
        /** The id of the tile; the app's default tile without it. */
        id?: string | null;
        /** The number on the tile, 1 to 99. */
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
         * The badge: a whole number from 0, or one of the glyphs `none`, `activity`, `alarm`, `alert`, `attention`, `available`, `away`,
         * `busy`, `error`, `newMessage`, `paused`, `playing` and `unavailable`.
         */
        badge?: { value?: number | string | null } | null;
    }

    interface WNSVisual {
        /** A binding for each size, or one for all sizes. */
        binding?: WNSBinding | WNSBinding[] | null;
    }

    interface WNSBinding {
        /** The name of a Windows template, for example `ToastText01`. */
        template: string;
        text?: { content?: string | number | null }[] | { content?: string | number | null } | null;
        image?: { src?: string | null }[] | { src?: string | null } | null;
    }

    /** A message for `sendMessage`. */
    interface MessageOptions {
        message: { alert: string | number };
        /** The target, with one of its members; all devices of the application without it. */
        target?: MessageTarget | null;
        settings?: MessageSettings | null;
    }

    interface MessageTarget {
        deviceIds?: string[] | null;
        userIds?: string[] | null;
        /** Tags; a device must be subscribed to one of them. */
        tagNames?: string[] | null;
        /** Platforms: `A` for Apple, `G` for Android, `M` for Windows Phone 8, and since 7.0 `W` for Windows 8. */
        platforms?: ("A" | "G" | "M" | "W" | (string & {}))[] | null;
    }

    /** The settings for each push service, with the blocks of a notification. */
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

    /** The parameters of the gateway's request. SMSConfig.xml has the names of those with the phone number and the message. */
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

    // Positions and areas

    interface Coordinate {
        /** Degrees, east positive. */
        longitude: number;
        /** Degrees, north positive. */
        latitude: number;
        /** The accuracy of the position in meters. */
        accuracy?: number | null;
        [more: string]: any;
    }

    interface Circle {
        /** The longitude of the center, in degrees. */
        longitude: number;
        /** The latitude of the center, in degrees. */
        latitude: number;
        /** The radius in meters. */
        radius: number;
        [more: string]: any;
    }

    interface DistanceOptions {
        /** The meters by which the area is enlarged, or reduced if negative; by default 0. */
        bufferZoneWidth?: number | null;
    }

    interface AreaOptions extends DistanceOptions {
        /** The confidence of the result: `medium` is about 70 %, `high` about 95 %. By default `low`, which takes the position as exact. */
        confidenceLevel?: "low" | "medium" | "high" | (string & {}) | null;
    }
}

/**
 * An alias of `WL`, which some adapters use.
 * @since 7.1
 */
declare namespace MFP {
    export import Server = WL.Server;
    export import Logger = WL.Logger;
}

/**
 * The packages of Java. Lamplighter has no Java. It implements only these classes and methods: `java.lang.System.out.println`,
 * `java.lang.System.currentTimeMillis`, `java.lang.Thread.currentThread`, `java.util.Properties`, `java.util.Hashtable`,
 * `java.net.URLEncoder.encode` and `java.net.URLDecoder.decode`.
 * @since 5.0.6
 */
declare var java: any;

/** The packages of Java's extensions; see `java`. */
declare var javax: any;

/**
 * The packages of companies; see `java`. `com.worklight.common.js.util.JSObjectConverter.toFormattedString` returns an object as
 * indented JSON.
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

// Rhino's extensions of JavaScript. TypeScript cannot check a script that contains XML or `for each` (TS1005 and others).

/**
 * Imports the classes of a Java package by their short names, as `importPackage(java.util)` does for `HashMap`. TypeScript does
 * not know these names: write `java.util.HashMap`, or `var HashMap = java.util.HashMap`.
 */
declare function importPackage(...packages: any[]): void;

/** Imports a Java class by its short name; see `importPackage`. */
declare function importClass(...classes: any[]): void;

/** Creates an object for `with` that has the classes of packages: `new JavaImporter(java.util)`. */
declare var JavaImporter: any;

/** Creates an object that replaces one with a Java interface: `new JavaAdapter(type, members)`. */
declare var JavaAdapter: any;

/** Returns whether a value is a valid name of an XML element or attribute (E4X). */
declare function isXMLName(value: any): boolean;

/** Returns a value as JavaScript source. */
declare function uneval(value: any): string;

/** The type of XML values (E4X). */
declare var XML: any;

/** A list of XML nodes, such as elements and attributes (E4X). */
declare var XMLList: any;

/** The name of an element or attribute with its namespace (E4X). */
declare var QName: any;

/** An XML namespace (E4X). */
declare var Namespace: any;

/** The error that `next` of a Rhino iterator throws at the end. */
declare var StopIteration: any;

/**
 * Writes to the server's log, as `WL.Logger` does. The original had no console.
 *
 * The values are separated by spaces: strings are written unchanged, Errors with their stack, all other values as JSON. If the first value
 * is a string, its `%s %d %i %f %j %o %O %c %%` format the values after it.
 */
interface Console {
    /** Writes a line of the level debug. */
    debug(...values: any[]): void;
    /** Writes a line of the level info. */
    log(...values: any[]): void;
    /** Writes a line of the level info. */
    info(...values: any[]): void;
    /** Writes a line of the level warning. */
    warn(...values: any[]): void;
    /** Writes a line of the level error. */
    error(...values: any[]): void;
    /** Writes the stack of the running calls, at the level info. */
    trace(...values: any[]): void;
    /** Writes a line of the level error unless the condition is truthy. */
    assert(condition?: any, ...values: any[]): void;
    /** Writes a value as JSON, at the level info. */
    dir(value?: any, options?: any): void;
    /** An alias of `dir`. */
    dirxml(value?: any): void;
    /** Writes an array or an object of objects as a table, at the level info. */
    table(rows: any): void;
    /** Starts a timer. It belongs to the scope, like a variable. */
    time(label?: string): void;
    /** Writes the time of a timer, at the level info. */
    timeLog(label?: string, ...values: any[]): void;
    /** Writes the time of a timer, at the level info, and ends the timer. */
    timeEnd(label?: string): void;
    /** Writes the number of calls with this label in this scope, at the level info. */
    count(label?: string): void;
    /** Sets the number of calls with this label in this scope to 0. */
    countReset(label?: string): void;
    /** Writes a line and indents the following lines, until `groupEnd` or the end of the call. */
    group(...values: any[]): void;
    /** An alias of `group`. */
    groupCollapsed(...values: any[]): void;
    /** Ends the indentation of the last `group`. */
    groupEnd(): void;
}

declare var console: Console;
