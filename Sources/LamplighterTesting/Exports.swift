// The types that tests need by name. A test package depends on one library, which therefore exports these, but not their modules.
@_exported public import struct AdapterRuntime.ClientRequest
@_exported public import class AdapterRuntime.ClientSession
@_exported public import struct AdapterRuntime.RuntimeSettings
@_exported public import struct AdapterRuntime.USSDResponse
@_exported public import struct Core.JSONObject
@_exported public import enum Core.JSONValue
@_exported public import class Core.ManualTime
@_exported public import struct JavaScriptEngine.ExecutionLimits
@_exported public import struct Logging.Logger
@_exported public import struct PushModel.DeviceToken
@_exported public import struct PushModel.EventSourceID
@_exported public import enum PushModel.Platform
@_exported public import struct PushModel.PushRequest
@_exported public import struct PushModel.PushService
