"use strict";
// All strings of arrivals go into the page as textContent, so that none of them becomes markup.
const mostPhones = 60, mostCards = 20, mostRows = 60;
const byID = id => document.getElementById(id);
const phones = new Map();
const seen = { phones: new Set(), accepted: 0, refused: 0 };
const names = { apns: "iPhone", fcm: "Android", wns: "Windows", sms: "SMS", webPush: "Browser", oauth: "OAuth" };
let last = 0, waiting = [], isScheduled = false, isLive = false, instance, lastField = 0;

function make(tag, className, text) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

function withRole(element, role) {
  element.setAttribute("role", role);
  return element;
}

const two = number => String(number).padStart(2, "0");
const clock = date => two(date.getHours()) + ":" + two(date.getMinutes()) + ":" + two(date.getSeconds());
const day = date => date.getFullYear() + "-" + two(date.getMonth() + 1) + "-" + two(date.getDate());

// The reader's zone; UTC is in the title.
function timeElement(arrival, hasDay) {
  const date = new Date(arrival.time), iso = date.toISOString();
  const element = make("time", "", (hasDay ? day(date) + " " : "") + clock(date));
  element.dateTime = iso;
  element.title = iso.slice(0, 19).replace("T", " ") + " UTC";
  return element;
}

const appName = app => app.includes(".") ? app.split(".").pop() : app;
const shortToken = token => token.length > 16 ? token.slice(0, 8) + "…" + token.slice(-4) : token;
const keyOf = arrival => arrival.service + " " + arrival.token;
const isMessage = arrival => arrival.service !== "oauth" && Boolean(arrival.token);

// `503 ServiceUnavailable`, or `no answer (reset)` for a fault that withholds the response.
function answer(arrival) {
  if (arrival.status === undefined) return "no answer" + (arrival.reason ? " (" + arrival.reason + ")" : "");
  return [arrival.status, arrival.reason].filter(part => part !== undefined).join(" ");
}

function addPhone(key, arrival) {
  const item = make("li", "phone"), heading = make("h2"), token = make("code", "id", arrival.token);
  const label = names[arrival.service] + " " + shortToken(arrival.token);
  token.title = arrival.token;
  heading.append(make("span", "", names[arrival.service]), token);
  const facts = make("p", "facts"), number = make("span"), count = make("span", "state count");
  count.hidden = true;
  facts.append(number, count);
  const stack = withRole(make("ol", "stack"), "list");
  stack.tabIndex = 0;
  stack.setAttribute("aria-label", "Messages of " + label);
  const details = make("details"), payload = withRole(make("pre"), "group");
  payload.tabIndex = 0;
  payload.setAttribute("aria-label", "Payload of " + label);
  details.open = phones.size < 6 && matchMedia("(min-width: 40rem)").matches;
  details.append(make("summary", "", "Payload of the newest message"), payload);
  item.append(heading, facts, stack, sendForm(arrival, label), details);
  const phone = { item, stack, count, number, payload, received: 0 };
  phones.set(key, phone);
  byID("phones").prepend(item);
  return phone;
}

function sendForm(arrival, label) {
  const form = make("form", "send"), name = make("label", "", "Test message"), note = make("span", "muted");
  const field = make("input"), button = make("button", "", "Send");
  field.id = name.htmlFor = "field-" + ++lastField;
  Object.assign(field, { type: "text", required: true, maxLength: 500, value: "Hello", autocomplete: "off" });
  button.setAttribute("aria-label", "Send to " + label);
  form.append(name, note, field, button);
  form.onsubmit = async event => {
    event.preventDefault();
    note.textContent = "sending";
    const reply = await post("/send", { service: arrival.service, token: arrival.token, text: field.value });
    const status = reply && reply.status;
    note.textContent = !reply ? "not sent" : status === null ? "no answer" : status < 400 ? "sent" : "refused";
  };
  return form;
}

// Draws the card of an arrival.
function card(arrival) {
  const element = make("li", "banner" + (!arrival.accepted ? " refused" : arrival.silent ? " silent" : ""));
  const head = make("div", "head");
  head.append(make("span", "app", appName(arrival.app)));
  if (arrival.part) head.append(make("span", "state", arrival.part));
  if (arrival.fromPage) head.append(make("span", "state", "from this page"));
  head.append(timeElement(arrival));
  element.append(head);
  if (arrival.title) element.append(make("strong", "", arrival.title));
  if (arrival.text) element.append(make("p", "", arrival.text));
  if (!arrival.title && !arrival.text && arrival.accepted) {
    const silent = "silent push: wakes the app, shows nothing";
    element.append(make("p", "", arrival.silent ? silent : arrival.badge !== undefined ? "badge " + arrival.badge : "sound"));
  }
  if (!arrival.accepted) element.append(make("p", "bad", "refused: " + answer(arrival)));
  else if (arrival.status === undefined) element.append(make("p", "warn", "delivered, but " + answer(arrival)));
  return element;
}

function deliver(arrival) {
  const key = keyOf(arrival), phone = phones.get(key) || addPhone(key, arrival), element = card(arrival);
  phone.stack.prepend(element);
  phone.received += 1;
  if (phone.stack.childElementCount > mostCards) phone.stack.lastElementChild.remove();
  if (isLive) element.classList.add("new");
  phone.number.textContent = phone.received === 1 ? "1 message" : phone.received + " messages";
  phone.payload.textContent = arrival.payload;
  if (arrival.accepted && arrival.badge !== undefined) {
    phone.count.textContent = "badge " + arrival.badge;
    phone.count.hidden = arrival.badge === "0" || arrival.badge === "none";
  }
  // The map is in the order of the last message; a phone keeps its position on the page.
  phones.delete(key);
  phones.set(key, phone);
  for (const [old, { item }] of phones) {
    if (phones.size <= mostPhones) break;
    if (item.contains(document.activeElement)) continue;
    phones.delete(old);
    item.remove();
  }
}

function log(arrival) {
  const row = withRole(make("tr"), "row");
  const token = make("code", "id", arrival.token || "");
  token.title = arrival.token || "";
  const text = [arrival.title, arrival.text].filter(Boolean).join(" · ");
  const kind = arrival.service === "oauth" ? "access token" : arrival.part || (arrival.silent ? "silent" : "");
  const badge = arrival.badge === undefined ? "" : "badge " + arrival.badge;
  const color = !arrival.accepted ? "bad" : arrival.status === undefined ? "warn" : "good";
  const status = make("span", "state " + color, answer(arrival));
  const message = (arrival.part && text ? arrival.part + ": " : "") + (text || badge || kind);
  const cells = [
    ["time", timeElement(arrival, true)], ["service", names[arrival.service]], ["device", arrival.token ? token : ""],
    ["answer", status], ["message", message + (arrival.fromPage ? " (from this page)" : "")],
  ];
  for (const [label, content] of cells) {
    const data = withRole(make("td"), "cell"), name = make("span", "label", label), cell = make("span", "cell");
    name.setAttribute("aria-hidden", "true");
    if (content) cell.append(content);
    data.append(name, cell);
    row.append(data);
  }
  byID("rows").prepend(row);
  while (byID("rows").childElementCount > mostRows) byID("rows").lastElementChild.remove();
}

function show(arrival) {
  if (arrival.number <= last) return;
  last = arrival.number;
  // The sandbox counts: a slow page misses some arrivals.
  seen.accepted = arrival.totals.accepted;
  seen.refused = arrival.totals.refused;
  log(arrival);
  if (!isMessage(arrival)) return;
  seen.phones.add(keyOf(arrival));
  deliver(arrival);
  tell(arrival);
}

// Repeats a message in a notification of the browser and to screen readers.
function tell(arrival) {
  if (!isLive || waiting.length >= 3) return;
  const text = [arrival.title, arrival.text].filter(Boolean).join(": ");
  const name = names[arrival.service] + ": ";
  if (!arrival.accepted) byID("announce").textContent = name + "refused: " + answer(arrival);
  if (!arrival.accepted || !text) return;
  byID("announce").textContent = name + text;
  if (window.Notification && Notification.permission === "granted") {
    new Notification(arrival.title || appName(arrival.app), { body: arrival.text || "", tag: keyOf(arrival) });
  }
}

function drawTotals() {
  byID("phone-count").textContent = seen.phones.size.toLocaleString("en");
  byID("accepted-count").textContent = seen.accepted.toLocaleString("en");
  byID("refused-count").textContent = seen.refused.toLocaleString("en");
  byID("refused").className = seen.refused > 0 ? "bad" : "";
  byID("empty").hidden = seen.phones.size > 0;
  byID("log").hidden = byID("rows").childElementCount === 0;
  const hidden = seen.phones.size - phones.size;
  byID("more").hidden = hidden <= 0;
  byID("more").textContent = hidden.toLocaleString("en") + " more phones, whose last message is older, are not shown";
}

function draw() {
  isScheduled = false;
  for (const arrival of waiting.splice(0, 250)) show(arrival);
  drawTotals();
  if (waiting.length > 0) schedule();
}

function schedule() {
  if (isScheduled) return;
  isScheduled = true;
  setTimeout(draw, 16);
}

// Empties the page; `through` is the number of the last arrival that the sandbox discarded.
function reset(through) {
  if (byID("phones").contains(document.activeElement)) byID("main").focus();
  last = Math.max(last, through);
  waiting = [];
  phones.clear();
  seen.phones.clear();
  seen.accepted = seen.refused = 0;
  byID("phones").replaceChildren();
  byID("rows").replaceChildren();
  drawTotals();
}

// Resolves to the reply's JSON, or to undefined after a failure, which it shows.
async function post(path, body) {
  const headers = { "Content-Type": "application/json" };
  let problem;
  try {
    const reply = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
    if (reply.ok) {
      byID("problem").hidden = true;
      return await reply.json();
    }
    problem = await reply.text();
  } catch { problem = "push-sandbox does not respond; is it still running?"; }
  byID("problem").textContent = problem;
  byID("problem").hidden = false;
}

function link(state, text) {
  byID("link").className = "state " + state;
  if (byID("link").textContent !== text) byID("link").textContent = text;
}

function listen() {
  const events = new EventSource("/events?after=" + last);
  events.onopen = () => link("good", "live");
  events.onerror = () => link("bad", "not connected");
  events.addEventListener("instance", event => {
    if (instance !== undefined && instance !== event.data) location.reload();
    instance = event.data;
  });
  events.addEventListener("cleared", event => reset(Number(event.data)));
  events.onmessage = event => { waiting.push(JSON.parse(event.data)); schedule(); };
}

function offerNotifications() {
  if (!window.Notification || Notification.permission !== "default") return;
  const button = byID("notify");
  button.hidden = false;
  button.onclick = async () => {
    await Notification.requestPermission();
    button.hidden = Notification.permission !== "default";
  };
}

async function start() {
  offerNotifications();
  byID("clear").onclick = async () => {
    if (!await post("/clear", {})) return;
    byID("announce").textContent = "cleared";
    if (!isLive) reset(last);
  };
  try {
    waiting.push(...await (await fetch("/arrivals")).json());
  } catch { link("bad", "not connected"); }
  while (waiting.length > 0) draw();
  // A headless browser that waits for the network to be idle would wait for the events without end.
  if (location.search === "?still") return link("", "still");
  isLive = true;
  listen();
}
start();
