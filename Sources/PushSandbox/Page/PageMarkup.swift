/// The page of phones: its text.
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
        <header class="bar">
          <div class="brand">
            <span class="lamp" aria-hidden="true"></span>
            <h1>push-sandbox</h1>
            <span class="link" id="link" role="status">connecting</span>
          </div>
          <dl class="totals">
            <div><dt>phones</dt><dd id="phone-count">0</dd></div>
            <div><dt>delivered</dt><dd id="accepted-count">0</dd></div>
            <div><dt>refused</dt><dd id="refused-count">0</dd></div>
          </dl>
          <button type="button" id="notify" hidden>Show notifications on this computer</button>
        </header>
        <main>
          <section id="empty" class="empty">
            <div class="ghost" aria-hidden="true"><span></span><span></span></div>
            <h2>No phone has rung yet</h2>
            <p>Point Lamplighter at this sandbox and send something. Each device that a notification reaches appears here as a phone.</p>
            <ol>
              <li>Start <code>push-sandbox --folder sandbox</code> and put what it wrote to <code>sandbox/lamplighter.yaml</code> into your project’s <code>lamplighter.yaml</code>.</li>
              <li>Start <code>lamplighter serve</code> and subscribe a device, with an app or with <code>lamplighter subscribe</code>.</li>
              <li>Call a procedure that notifies: <code>lamplighter call YourAdapter yourProcedure</code>.</li>
            </ol>
          </section>
          <ul id="phones" class="phones" aria-label="Phones"></ul>
          <p id="more" class="more" hidden></p>
          <section id="log" class="log" hidden>
            <h2>Latest requests</h2>
            <div class="scroll" tabindex="0" role="region" aria-label="Latest requests">
            <table>
              <thead><tr><th scope="col">time</th><th scope="col">service</th><th scope="col">device</th><th scope="col">answer</th><th scope="col">what it says</th></tr></thead>
              <tbody id="rows"></tbody>
            </table>
            </div>
          </section>
        </main>
        <div id="announce" class="unseen" aria-live="polite"></div>
        <noscript><p class="more">This page draws its phones with JavaScript; <a href="/arrivals">the arrivals as JSON</a> are there without.</p></noscript>
        </body>
        </html>

        """#
}
