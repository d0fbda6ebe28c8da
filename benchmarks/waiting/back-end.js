// Port 12060. /hold?count=N&number=K responds with K two seconds after N such requests have arrived. /never?number=K responds with K once
// /open is asked. /items responds at once.
const http = require("http");
let held = [], hanging = [];
const respond = ({ response, number }) => {
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify({ number: Number(number), text: "x".repeat(2000) }));
};
const server = http.createServer((request, response) => {
    const url = new URL(request.url, "http://x"), number = url.searchParams.get("number");
    if (url.pathname == "/hold") {
        held.push({ response, number });
        if (held.length < Number(url.searchParams.get("count"))) return;
        setTimeout(all => all.forEach(respond), 2000, held);
        held = [];
    } else if (url.pathname == "/never") {
        hanging.push({ response, number });
    } else if (url.pathname == "/hanging") {
        response.end(String(hanging.length + held.length));
    } else if (url.pathname == "/open") {
        hanging.forEach(respond);
        hanging = [];
        response.end();
    } else respond({ response, number });
});
server.keepAliveTimeout = 0;
server.listen(12060, "127.0.0.1", 20000);
