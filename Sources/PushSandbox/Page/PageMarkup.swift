/// The HTML of the page of phones.
enum PageMarkup {
    static let text = #"""
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>Phones · push-sandbox</title>
        <link rel="icon" href="data:,">
        <link rel="stylesheet" href="/page.css">
        <script src="/page.js" defer></script>
        </head>
        <body>
        <a class="skip" href="#main">Skip to the phones</a>
        <header class="top">
          <span class="brand">push-sandbox</span>
          <span class="state" id="link" role="status">connecting</span>
        </header>
        <main id="main" tabindex="-1">
          <div class="title">
            <h1>Phones</h1>
            <div class="buttons">
              <button type="button" class="quiet" id="notify" hidden>Show notifications on this computer</button>
              <button type="button" class="danger quiet" id="clear">Clear</button>
            </div>
          </div>
          <p id="problem" class="notice bad" role="alert" hidden></p>
          <ul class="counts" role="list" aria-label="Totals">
            <li><b id="phone-count">0</b> <span>phones</span></li>
            <li><b id="accepted-count">0</b> <span>requests accepted</span></li>
            <li id="refused"><b id="refused-count">0</b> <span>requests refused</span></li>
          </ul>
          <section id="empty" class="empty">
            <h2>No phone has rung yet</h2>
            <p>Point Lamplighter at this sandbox and send a notification. Each device that it is for appears here as a phone.</p>
            <ol>
              <li>Start <code>push-sandbox --folder sandbox</code> and put the contents of <code>sandbox/lamplighter.yaml</code>
                into your project’s <code>lamplighter.yaml</code>.</li>
              <li>Start <code>lamplighter serve</code> and subscribe a device, with an app or with
                <code>lamplighter subscribe</code>.</li>
              <li>Call a procedure that notifies: <code>lamplighter call YourAdapter yourProcedure</code>.</li>
            </ol>
          </section>
          <ul id="phones" class="phones" role="list" aria-label="Phones"></ul>
          <p id="more" class="muted" hidden></p>
          <section id="log" aria-labelledby="log-title" hidden>
            <h2 id="log-title">Latest requests</h2>
            <table role="table" aria-labelledby="log-title">
              <thead role="rowgroup">
                <tr role="row">
                  <th role="columnheader" scope="col">time</th>
                  <th role="columnheader" scope="col">service</th>
                  <th role="columnheader" scope="col">device</th>
                  <th role="columnheader" scope="col">answer</th>
                  <th role="columnheader" scope="col">message</th>
                </tr>
              </thead>
              <tbody role="rowgroup" id="rows"></tbody>
            </table>
          </section>
          <noscript><p class="notice bad">This page needs JavaScript; <a href="/arrivals">/arrivals</a> has the same as
            JSON.</p></noscript>
        </main>
        <div id="announce" class="unseen" aria-live="polite"></div>
        </body>
        </html>

        """#
}
