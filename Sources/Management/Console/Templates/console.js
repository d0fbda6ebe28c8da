"use strict";

// Times: in the reader's zone, as wide as before, or how long ago they were.
const two = (number) => String(number).padStart(2, "0");
const clock = (date) => `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;

function ago(date) {
    const minutes = Math.floor((Date.now() - date) / 60_000);
    if (minutes < 1) return "just now";
    if (minutes < 60) return `${minutes} min ago`;
    if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h ago`;
    return `${Math.floor(minutes / 1440)} days ago`;
}

function localizeTimes(root) {
    for (const element of root.querySelectorAll("time")) {
        const date = new Date(element.dateTime);
        if (isNaN(date)) continue;
        if (element.classList.contains("relative")) {
            element.textContent = ago(date);
            continue;
        }
        element.textContent =
            `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} `
            + clock(date);
    }
}

// Live sections: the server sends a section when it has changed. A section waits while the pointer or the focus is in it.
// Without a connection for five seconds, a banner says so. It goes when the page is connected again.
function follow(address) {
    const waiting = new Map();
    let source, lostAt, alarm, banner;
    let isLeft = false;
    const here = location.pathname + location.search;
    const pulse = document.getElementById("pulse");
    const isBusy = (section) =>
        section.matches(":hover") && matchMedia("(hover: hover)").matches || section.contains(document.activeElement);

    function say(text) {
        if (pulse && pulse.textContent !== text) pulse.textContent = text;
    }

    function show(id, html) {
        const old = document.getElementById(id);
        if (!old) return;
        if (isBusy(old)) {
            waiting.set(id, html);
            say("Paused while you are in it");
            return;
        }
        waiting.delete(id);
        const template = document.createElement("template");
        template.innerHTML = html;
        const section = template.content.firstElementChild;
        localizeTimes(section);
        for (const open of old.querySelectorAll("details[open]")) {
            const same = section.querySelector(`#${CSS.escape(open.id)}`);
            if (same) same.open = true;
        }
        old.replaceWith(section);
        if (waiting.size === 0) say("Live");
    }

    function showWaiting() {
        for (const [id, html] of [...waiting]) show(id, html);
    }

    function connect() {
        source = new EventSource(address);
        source.addEventListener("open", () => {
            clearTimeout(alarm);
            banner?.remove();
            lostAt = banner = undefined;
            say("Live");
        });
        source.addEventListener("error", lose);
        source.addEventListener("section", (event) => {
            const { id, html } = JSON.parse(event.data);
            show(id, html);
        });
        source.addEventListener("end", () => {
            source.close();
            say("Logged out");
            location.reload();
        });
    }

    function lose() {
        source.close();
        if (!lostAt) {
            lostAt = new Date();
            say("Connecting…");
            alarm = setTimeout(() => warn("Not connected", "", "Reload", here), 5000);
        }
        setTimeout(reconnect, 2000);
    }

    // An EventSource stops after a redirect to the login or a proxy's error, and does not say which it was.
    async function reconnect() {
        if (isLeft) return;
        let answer;
        try {
            answer = await fetch(address, { redirect: "manual", signal: AbortSignal.timeout(10_000) });
            await answer.body?.cancel();
        } catch {
            // The server is not back.
        }
        if (isLeft) return;
        if (answer?.ok) return connect();
        if (answer?.type === "opaqueredirect") {
            clearTimeout(alarm);
            const login = `/console/login?next=${encodeURIComponent(here)}`;
            warn("Logged out", " The session has ended.", "Log in", login);
        }
        setTimeout(reconnect, 2000);
    }

    function warn(state, reason, label, address) {
        say(state);
        if (banner?.lastChild.textContent === label) return;
        banner?.remove();
        const link = document.createElement("a");
        link.href = address;
        link.textContent = label;
        banner = document.createElement("p");
        banner.className = "lost";
        banner.setAttribute("role", "alert");
        banner.append(`Not connected since ${clock(lostAt)}; the page shows the state of then.${reason} `, link);
        document.getElementById("main").prepend(banner);
    }

    connect();
    for (const name of ["pointerout", "focusout"]) {
        document.addEventListener(name, () => setTimeout(showWaiting, 100));
    }
    addEventListener("pagehide", () => {
        isLeft = true;
        clearTimeout(alarm);
        source.close();
    });
}

// Files of a form: their contents travel in hidden fields, in Base64.
function readFiles(form) {
    const input = form.querySelector("input[type=file]");
    form.addEventListener("submit", async (event) => {
        if (form.elements.content.value || input.files.length === 0) return;
        event.preventDefault();
        const bytes = new Uint8Array(await input.files[0].arrayBuffer());
        let text = "";
        for (let index = 0; index < bytes.length; index += 8192) {
            text += String.fromCharCode(...bytes.subarray(index, index + 8192));
        }
        form.elements.content.value = btoa(text);
        form.elements.file.value = input.files[0].name;
        form.requestSubmit();
    });
}

// The form that invokes a procedure: the names of the parameters, and calls that were saved in this browser.
function prepareInvoking(form) {
    const { procedure, parameters, user } = form.elements;
    const hint = document.getElementById("h-parameters");
    const standing = hint.textContent;

    function showNames() {
        const names = procedure.selectedOptions[0]?.dataset.names;
        hint.textContent = names === undefined ? standing : `${names ? `Parameters: ${names}.` : "No parameters."} ${standing}`;
    }
    procedure.addEventListener("change", showNames);
    showNames();

    const key = "lamplighter.calls";
    const read = () => JSON.parse(localStorage.getItem(key) ?? "[]");
    const list = document.createElement("div");
    list.className = "saved";
    form.after(list);

    function showSaved() {
        const calls = read();
        list.replaceChildren();
        if (calls.length === 0) return;
        const heading = document.createElement("h2");
        heading.textContent = "Saved in this browser";
        const items = document.createElement("ul");
        items.className = "list";
        calls.forEach((call, index) => {
            const text = `${call.procedure}(${call.parameters})${call.user ? ` as ${call.user}` : ""}`;
            const item = document.createElement("li");
            const load = document.createElement("button");
            load.type = "button";
            load.className = "quiet";
            load.textContent = text;
            load.addEventListener("click", () => {
                [procedure.value, parameters.value, user.value] = [call.procedure, call.parameters, call.user];
                showNames();
                parameters.focus();
            });
            const remove = document.createElement("button");
            remove.type = "button";
            remove.className = "quiet";
            remove.textContent = "Remove";
            remove.setAttribute("aria-label", `Remove ${text}`);
            remove.addEventListener("click", () => {
                localStorage.setItem(key, JSON.stringify(read().filter((_, other) => other !== index)));
                showSaved();
            });
            item.append(load, " ", remove);
            items.append(item);
        });
        list.append(heading, items);
    }
    const save = document.createElement("button");
    save.type = "button";
    save.className = "quiet";
    save.textContent = "Save in this browser";
    save.addEventListener("click", () => {
        const call = { procedure: procedure.value, parameters: parameters.value, user: user.value };
        const others = read().filter((other) => JSON.stringify(other) !== JSON.stringify(call));
        localStorage.setItem(key, JSON.stringify([call, ...others].slice(0, 50)));
        showSaved();
    });
    form.querySelector(".submit").append(save);
    showSaved();
}

localizeTimes(document);
setInterval(() => {
    for (const element of document.querySelectorAll("time.relative")) element.textContent = ago(new Date(element.dateTime));
}, 30_000);
if (document.body.dataset.live) follow(document.body.dataset.live);
for (const form of document.querySelectorAll("form:has(input[type=file])")) readFiles(form);
const invoking = document.getElementById("invoke");
if (invoking) prepareInvoking(invoking);
