/// The page of phones: what it does.
enum PageScript {
    static let text = #"""
        "use strict";
        // Everything that arrived is put on the page with textContent, so nothing of it is ever taken for markup.
        const mostPhones = 60, mostBanners = 3, mostBubbles = 4, mostRows = 60;
        const byID = id => document.getElementById(id);
        const phones = new Map();
        const seen = { phones: new Set(), accepted: 0, refused: 0 };
        let last = 0, waiting = [], isScheduled = false, isLive = false, instance;
        const names = { apns: "iPhone", fcm: "Android", wns: "Windows", sms: "SMS", webPush: "Browser", oauth: "OAuth" };

        function make(tag, className, text) {
          const element = document.createElement(tag);
          if (className) element.className = className;
          if (text !== undefined) element.textContent = text;
          return element;
        }

        function hue(text) {
          let sum = 7;
          for (const letter of text) sum = (sum * 31 + letter.codePointAt(0)) % 3600;
          return sum % 360;
        }

        const time = arrival => new Date(arrival.time).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
        const appName = app => app.includes(".") ? app.split(".").pop() : app;

        function addPhone(key, arrival) {
          const item = make("li", "phone");
          item.style.setProperty("--hue", hue(key));
          const body = make("div", "body"), screen = make("div", "screen"), status = make("div", "status");
          const clock = make("div", "clock"), stack = make("div", "stack"), dock = make("div", "dock");
          status.append(make("span", "", names[arrival.service]), make("span", "", "5G"));
          const icon = make("div", "icon", (appName(arrival.app)[0] || "?").toUpperCase());
          const count = make("span", "count");
          count.hidden = true;
          icon.append(count);
          dock.append(icon);
          screen.append(status, clock, stack, dock);
          body.append(screen);
          const caption = make("div", "caption"), who = make("p", "who");
          const token = make("span", "id", arrival.token), number = make("span", "n");
          token.title = arrival.token;
          who.append(make("b", "", names[arrival.service]), token, number);
          const details = make("details"), payload = make("pre");
          payload.tabIndex = 0;
          details.open = phones.size < 6;
          details.append(make("summary", "", "payload"), payload);
          caption.append(who, details);
          item.append(body, caption);
          const phone = { item, stack, clock, count, number, payload, received: 0 };
          phones.set(key, phone);
          return phone;
        }

        function banner(arrival) {
          if (arrival.service === "sms") return make("div", "bubble", arrival.text || "");
          const isBadge = !arrival.text && !arrival.title && !arrival.silent;
          const element = make("div", "banner" + (arrival.silent ? " silent" : isBadge ? " badge" : ""));
          const head = make("div", "head");
          head.append(make("span", "dot"), make("span", "app", appName(arrival.app)), make("span", "", time(arrival)));
          element.append(head);
          if (arrival.silent) element.append(make("p", "", "silent push: the app wakes up, nobody is told"));
          else if (isBadge) element.append(make("p", "", arrival.badge ? "badge " + arrival.badge : "a sound"));
          if (arrival.title) element.append(make("strong", "", arrival.title));
          if (arrival.text) element.append(make("p", "", arrival.text));
          return element;
        }

        function deliver(arrival) {
          const key = arrival.service + " " + arrival.token;
          const phone = phones.get(key) || addPhone(key, arrival);
          const element = banner(arrival);
          if (isLive) element.classList.add("new");
          // A conversation is read downwards, notifications lie upon each other.
          const isTalk = arrival.service === "sms";
          if (isTalk) phone.stack.append(element); else phone.stack.prepend(element);
          while (phone.stack.childElementCount > (isTalk ? mostBubbles : mostBanners)) {
            (isTalk ? phone.stack.firstElementChild : phone.stack.lastElementChild).remove();
          }
          phone.clock.textContent = new Date(arrival.time).toTimeString().slice(0, 5);
          phone.received += 1;
          phone.number.textContent = phone.received === 1 ? "1 message" : phone.received + " messages";
          phone.payload.textContent = arrival.payload;
          if (arrival.badge !== undefined) {
            phone.count.textContent = arrival.badge;
            phone.count.hidden = arrival.badge === "0" || arrival.badge === "none";
            phone.count.setAttribute("aria-label", "badge " + arrival.badge);
          }
          // The phone that rang last comes first; as long as there are few, all stay where they are.
          const list = byID("phones");
          if (!phone.item.isConnected || phones.size > 12) list.prepend(phone.item);
          phones.delete(key);
          phones.set(key, phone);
          for (const [old, { item }] of phones) {
            if (phones.size <= mostPhones) break;
            phones.delete(old);
            item.remove();
          }
        }

        function log(arrival) {
          const row = make("tr"), answer = make("td", arrival.accepted ? "ok" : "no");
          answer.textContent = [arrival.status === undefined ? "no answer" : arrival.status, arrival.reason].filter(part => part !== undefined).join(" ");
          const token = make("td", "id", arrival.token || "");
          token.title = arrival.token || "";
          const says = [arrival.title, arrival.text].filter(Boolean).join(" · ") || (arrival.service === "oauth" ? "access token" : arrival.silent ? "silent" : "");
          row.append(make("td", "time", new Date(arrival.time).toLocaleTimeString()), make("td", "", names[arrival.service]), token, answer, make("td", "says", says));
          byID("rows").prepend(row);
          while (byID("rows").childElementCount > mostRows) byID("rows").lastElementChild.remove();
        }

        function show(arrival) {
          if (arrival.number <= last) return;
          last = arrival.number;
          const isMessage = arrival.service !== "oauth";
          // Counted by the sandbox: a page that is slow does not get to see everything.
          seen.accepted = arrival.totals.accepted;
          seen.refused = arrival.totals.refused;
          log(arrival);
          if (!isMessage || !arrival.accepted || arrival.token === undefined) return;
          seen.phones.add(arrival.service + " " + arrival.token);
          deliver(arrival);
          if (isLive) tell(arrival);
        }

        // The browser shows it too, and a screen reader says it.
        function tell(arrival) {
          if (arrival.silent) return;
          const text = [arrival.title, arrival.text].filter(Boolean).join(": ");
          if (!text) return;
          if (waiting.length < 3) byID("announce").textContent = names[arrival.service] + ": " + text;
          if (window.Notification && Notification.permission === "granted" && waiting.length < 3) {
            new Notification(arrival.title || appName(arrival.app), { body: arrival.text || "", tag: arrival.service + arrival.token });
          }
        }

        function draw() {
          isScheduled = false;
          const some = waiting.splice(0, 250);
          for (const arrival of some) show(arrival);
          byID("phone-count").textContent = seen.phones.size.toLocaleString();
          byID("accepted-count").textContent = seen.accepted.toLocaleString();
          byID("refused-count").textContent = seen.refused.toLocaleString();
          byID("empty").hidden = seen.phones.size > 0;
          byID("log").hidden = last === 0;
          const hidden = seen.phones.size - phones.size;
          byID("more").hidden = hidden <= 0;
          byID("more").textContent = "and " + hidden.toLocaleString() + " more; the phones that rang last are drawn";
          if (waiting.length > 0) schedule();
        }

        function schedule() {
          if (isScheduled) return;
          isScheduled = true;
          setTimeout(draw, 16);
        }

        function link(state, text) {
          byID("link").className = "link " + state;
          if (byID("link").textContent !== text) byID("link").textContent = text;
        }

        function listen() {
          const events = new EventSource("/events?after=" + last);
          events.onopen = () => link("on", "live");
          events.onerror = () => link("off", "not connected");
          events.addEventListener("instance", event => {
            if (instance !== undefined && instance !== event.data) location.reload();
            instance = event.data;
          });
          events.onmessage = event => { waiting.push(JSON.parse(event.data)); schedule(); };
        }

        function offerNotifications() {
          if (!window.Notification || Notification.permission !== "default") return;
          const button = byID("notify");
          button.hidden = false;
          button.onclick = async () => { await Notification.requestPermission(); button.hidden = Notification.permission !== "default"; };
        }

        async function start() {
          offerNotifications();
          try {
            waiting.push(...await (await fetch("/arrivals")).json());
          } catch { link("off", "not connected"); }
          while (waiting.length > 0) draw();
          // For pictures of the page: a browser that is told to wait for the network would wait for ever.
          if (location.search === "?still") return link("", "still");
          isLive = true;
          listen();
        }
        start();

        """#
}
