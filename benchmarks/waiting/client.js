// Calls of many sessions at port 12061; see benchmarks/waiting-calls. client.js others|many COUNT
const http = require("http"), fs = require("fs");
const api = "/apps/services/api/MyApp/android";
const [kind, pid] = [process.argv[2], process.argv[4]], count = Number(process.argv[3]);

function ask(port, path, agent, headers, body) {
    return new Promise((resolve, reject) => {
        const request = http.request({ host: "127.0.0.1", port, path, agent, headers, method: body === undefined ? "GET" : "POST" }, response => {
            let text = "";
            response.on("data", part => text += part);
            response.on("end", () => resolve({ text, headers: response.headers, status: response.statusCode }));
        });
        request.on("error", reject);
        request.end(body);
    });
}

const opening = new http.Agent({ keepAlive: true, maxSockets: 32 });

async function openSession(number) {
    const first = await ask(12061, api + "/init", opening, {}, "");
    const session = first.headers["set-cookie"].join(";").match(/JSESSIONID=([^;]*)/)[1];
    const instance = first.text.match(/"WL-Instance-Id":"([^"]*)"/)[1], token = first.text.match(/"token":"([^"]*)"/)[1];
    const device = { wl_deviceNoProvisioningRealm: { ID: { token, device: { id: "d" + number, os: "1", model: "m", environment: "android" } } } };
    const headers = { "Cookie": "JSESSIONID=" + session, "WL-Instance-Id": instance };
    await ask(12061, api + "/init", opening, { ...headers, "Authorization": JSON.stringify(device) }, "");
    return headers;
}

async function openSessions(count) {
    const all = [];
    let next = 0;
    await Promise.all(Array.from({ length: 32 }, async () => {
        while (next < count) {
            const number = next++;
            all[number] = await openSession(number);
        }
    }));
    opening.destroy();
    return all;
}

async function call(session, agent, adapter, procedure, parameters) {
    const body = `adapter=${adapter}&procedure=${procedure}&parameters=${encodeURIComponent(JSON.stringify(parameters))}&isAjaxRequest=true&x=0.25`;
    const answer = await ask(12061, api + "/query", agent,
        { ...session, "Content-Type": "application/x-www-form-urlencoded; charset=UTF-8", "x-wl-app-version": "1.0" }, body);
    const json = JSON.parse(answer.text.replace(/^\/\*-secure-|\*\/$/g, ""));
    if (!json.isSuccessful) throw new Error(answer.text.slice(0, 500));
    return json;
}

// Eight sessions call one after the other, for 10 s, 20 ms between two calls of one.
async function timeCalls(sessions, title) {
    const agent = new http.Agent({ keepAlive: true }), times = [], end = Date.now() + 10000;
    await Promise.all(sessions.map(async (session, number) => {
        while (Date.now() < end) {
            const start = performance.now();
            const answer = await call(session, agent, "Quick", "item", [number]);
            times.push(performance.now() - start);
            if (answer.number != number) throw new Error(JSON.stringify(answer));
            await new Promise(resolve => setTimeout(resolve, 20));
        }
    }));
    agent.destroy();
    times.sort((a, b) => a - b);
    const at = part => times[Math.min(times.length - 1, Math.floor(times.length * part))].toFixed(1).padStart(7);
    console.log(`${title.padEnd(64)} ${String(times.length).padStart(5)} calls, ms: p50 ${at(0.5)}  p99 ${at(0.99)}  most ${at(1)}`);
}

async function others() {
    const quick = await openSessions(8), slow = await openSessions(count), busy = await openSessions(8);
    await timeCalls(quick, "(to warm up)");
    await timeCalls(quick, "another adapter's calls, alone");
    const agent = new http.Agent({ keepAlive: true });
    const hanging = Promise.all(slow.map(async (session, number) => {
        const answer = await call(session, agent, "Slow", "never", [number]);
        if (answer.number != number || answer.calls != 1) throw new Error(JSON.stringify(answer));
    }));
    hanging.catch(error => { throw error });
    while (Number((await ask(12060, "/hanging")).text) < count) await new Promise(resolve => setTimeout(resolve, 100));
    await timeCalls(quick, `while ${count} calls hang`);
    await ask(12060, "/open");
    await hanging;
    console.log(`all ${count} answered`);
    const rounds = (await call(busy[0], agent, "Busy", "calibrate", [])).rounds;
    let computing = true, computed = 0;
    const loops = busy.map(async session => {
        while (computing) {
            await call(session, agent, "Busy", "compute", [rounds]);
            computed++;
        }
    });
    await new Promise(resolve => setTimeout(resolve, 5000));
    await timeCalls(quick, "while 8 sessions compute for a second each, over and over");
    computing = false;
    await Promise.all(loops);
    console.log(`${computed} calls have computed`);
    agent.destroy();
}

const memory = what => Number(fs.readFileSync(`/proc/${pid}/status`, "utf8").match(new RegExp(what + ":\\s*(\\d+)"))[1]) >> 10;

async function many() {
    const sessions = await openSessions(count);
    const before = memory("VmRSS"), start = Date.now();
    const agent = new http.Agent({ keepAlive: false });
    await Promise.all(sessions.map(async (session, number) => {
        const answer = await call(session, agent, "Slow", "hold", [count, number]);
        if (answer.number != number || answer.calls != 1) throw new Error(JSON.stringify(answer));
    }));
    const threads = fs.readFileSync(`/proc/${pid}/status`, "utf8").match(/Threads:\s*(\d+)/)[1];
    console.log(`${count} calls that wait at once, 2 s after the last of them: all answered in ${((Date.now() - start) / 1000).toFixed(1)} s; `
        + `${before} MB before, with the sessions open; ${memory("VmHWM")} MB at most; ${threads} threads`);
}

(kind == "many" ? many() : others()).catch(error => { console.error(error); process.exit(1) });
