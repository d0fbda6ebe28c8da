WL.Server.createEventSource({
    name: "EveryDay",
    poll: { interval: 24 * 60 * 60, onPoll: function () { WL.Logger.info("a day has passed"); } }
});

WL.Server.createEventSource({
    name: "EveryFiveSeconds",
    poll: { interval: 5, onPoll: "tick" }
});

var ticks = 0;

function tick() {
    ticks += 1;
    WL.Logger.info("tick " + ticks);
}

// A poll has a scope of its own, as each session had in Worklight: this one never sees the poll's ticks.
function lastRun() {
    return { ticks: ticks };
}
