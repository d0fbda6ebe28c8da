/// The style sheet of the page of phones: colours, buttons, cards and tables are those of the console (`console.css`).
enum PageStyle {
    static let text = #"""
        :root {
          color-scheme: light dark;
          --back: light-dark(#f4f5f7, #13171c);
          --card: light-dark(#ffffff, #1b2128);
          --line: light-dark(#d5dae1, #333c47);
          --text: light-dark(#1a1f26, #e6e9ed);
          --muted: light-dark(#545e6b, #a6b0bc);
          --accent: light-dark(#0a58a6, #7cb9ff);
          --on-accent: light-dark(#ffffff, #0d1b2a);
          --good: light-dark(#14682c, #7fd494);
          --warn: light-dark(#7d4b00, #f0b84a);
          --bad: light-dark(#a81d12, #ff958b);
          --good-back: light-dark(#e3f4e7, #173322);
          --warn-back: light-dark(#fdf0d5, #3a2c10);
          --bad-back: light-dark(#fde7e4, #431d1a);
          --calm-back: light-dark(#e8edf3, #28313b);
        }
        * { box-sizing: border-box; }
        [hidden] { display: none !important; }
        html { -webkit-text-size-adjust: 100%; }
        body { margin: 0; background: var(--back); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; }
        a { color: var(--accent); }
        :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
        main:focus { outline: none; }
        .skip { position: absolute; left: -100rem; background: var(--card); padding: .5rem 1rem; z-index: 1; }
        .skip:focus { left: .5rem; top: .5rem; }
        .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
        h1 { font-size: 1.5rem; line-height: 1.2; margin: 0; }
        h2 { font-size: 1.1rem; margin: 0 0 .75rem; overflow-wrap: anywhere; }
        code, pre { font: .875rem/1.45 ui-monospace, monospace; overflow-wrap: anywhere; }
        .muted { color: var(--muted); font-size: .875rem; }
        .empty { color: var(--muted); }
        .empty h2 { color: var(--text); }
        .empty ol { padding-left: 1.2rem; margin: 0; }
        .empty li { margin: .3rem 0; }

        .top { display: flex; align-items: center; justify-content: space-between; gap: 1rem; padding: .5rem 1rem;
          background: var(--card); border-bottom: 1px solid var(--line); }
        .brand { font-weight: 700; padding: .25rem 0; }
        main { padding: 1rem; min-width: 0; max-width: 80rem; margin: 0 auto; }
        .title { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .5rem 1rem;
          margin-bottom: 1rem; }
        .buttons { display: flex; flex-wrap: wrap; gap: .5rem; }
        @media (min-width: 60rem) { main { padding: 1.5rem; } }

        section { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: 1rem; margin: 0 0 1rem; }
        section > :last-child { margin-bottom: 0; }
        section p { margin: 0 0 .75rem; overflow-wrap: anywhere; }
        .notice { border-radius: .6rem; padding: .75rem 1rem; margin: 0 0 1rem; overflow-wrap: anywhere; }
        .notice.bad { background: var(--bad-back); color: var(--bad); }
        .notice a { color: inherit; }

        .counts { list-style: none; display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: .5rem; max-width: 34rem;
          margin: 0 0 1rem; padding: 0; }
        .counts li { background: var(--calm-back); border-radius: .4rem; padding: .5rem .75rem; }
        .counts b { display: block; font-size: 1.3rem; font-variant-numeric: tabular-nums; }
        .counts span { display: block; font-size: .875rem; line-height: 1.3; }
        .counts .bad { background: var(--bad-back); color: var(--bad); }

        .state { display: inline-block; border-radius: 1rem; padding: 0 .6rem; font-size: .875rem; background: var(--calm-back);
          white-space: nowrap; }
        .state.good { background: var(--good-back); color: var(--good); }
        .state.warn { background: var(--warn-back); color: var(--warn); }
        .state.bad { background: var(--bad-back); color: var(--bad); }

        button { font: inherit; display: inline-block; border: 1px solid var(--accent); border-radius: .4rem; cursor: pointer;
          padding: .35rem .9rem; background: var(--accent); color: var(--on-accent); }
        button.quiet { background: transparent; color: var(--accent); }
        button.danger { border-color: var(--bad); }
        button.danger.quiet { color: var(--bad); }
        button:hover { filter: brightness(1.1); text-decoration: underline; }
        input { font: inherit; width: 100%; min-width: 0; min-height: 2.6rem; padding: .45rem .6rem; border: 1px solid var(--muted);
          border-radius: .4rem; background: var(--back); color: var(--text); }

        .phones { list-style: none; margin: 0 0 1rem; padding: 0; display: grid; gap: 1rem; align-items: start;
          grid-template-columns: repeat(auto-fill, minmax(min(20rem, 100%), 1fr)); }
        .phones:empty { margin: 0; }
        .phone { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: 1rem; min-width: 0; }
        .phone h2 { display: flex; align-items: baseline; gap: .5rem; margin: 0; min-width: 0; }
        .phone h2 .id { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-weight: 400;
          color: var(--muted); }
        .facts { display: flex; justify-content: space-between; align-items: center; gap: .5rem; margin: 0 0 .5rem;
          min-height: 1.75rem; color: var(--muted); font-size: .875rem; font-variant-numeric: tabular-nums; }
        .facts .count { color: var(--text); }
        /* The height is fixed, so that a card that arrives moves nothing but the cards below it. */
        .stack { list-style: none; height: 14rem; overflow-y: auto; margin: 0 0 .75rem; padding: .5rem; background: var(--back);
          border: 1px solid var(--line); border-radius: .6rem; }
        .banner { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: .5rem .75rem;
          margin: 0 0 .5rem; overflow-wrap: anywhere; }
        .banner:last-child { margin-bottom: 0; }
        .banner strong { display: block; }
        .banner p { margin: 0; white-space: pre-line; }
        .banner .head { display: flex; align-items: baseline; gap: .5rem; color: var(--muted); font-size: .875rem; }
        .banner .app { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
        .banner.silent { border-style: dashed; background: transparent; }
        .banner.refused { border-color: var(--bad); }
        .banner p.bad, .banner p.warn { border-radius: .4rem; padding: .2rem .5rem; margin-top: .3rem; }
        .banner p.bad { background: var(--bad-back); color: var(--bad); }
        .banner p.warn { background: var(--warn-back); color: var(--warn); }
        .banner.new { animation: arrive 1.2s ease-out; }
        @keyframes arrive { from { border-color: var(--accent); box-shadow: 0 0 0 2px var(--accent); } }
        .send { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: .2rem .5rem; align-items: end; margin: 0 0 .75rem; }
        .send label { font-weight: 600; font-size: .875rem; }
        .send .muted { text-align: right; min-width: 6rem; }
        .send button { min-height: 2.6rem; }
        details > summary { cursor: pointer; font-size: .875rem; color: var(--muted); }
        pre { margin: .4rem 0 0; padding: .6rem .8rem; height: 9rem; overflow: auto; background: var(--back);
          border: 1px solid var(--line); border-radius: .4rem; white-space: pre-wrap; }

        table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
        th { text-align: left; font-size: .875rem; color: var(--muted); font-weight: 600; }
        th, td { padding: .4rem .6rem .4rem 0; vertical-align: top; border-bottom: 1px solid var(--line); }
        td .cell { overflow-wrap: anywhere; }
        td .label { display: none; }
        tr:last-child td { border-bottom: 0; }
        time { white-space: nowrap; font-variant-numeric: tabular-nums; }
        td .id { display: block; }
        td .state { white-space: normal; border-radius: .7rem; }
        @media (min-width: 60rem) {
          table { table-layout: fixed; }
          th:nth-child(1) { width: 12rem; }
          th:nth-child(2) { width: 6rem; }
          th:nth-child(3) { width: 22%; }
          th:nth-child(4) { width: 26%; }
          td .id { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
        }
        @media (max-width: 59.99rem) {
          table, tbody, tr, td { display: block; }
          thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
          tr { border-bottom: 1px solid var(--line); padding: .5rem 0; }
          tr:last-child { border-bottom: 0; }
          td { border: 0; padding: .1rem 0; display: grid; grid-template-columns: 5.5rem minmax(0, 1fr); gap: .5rem; }
          td:has(> .cell:empty) { display: none; }
          td .label { display: inline; color: var(--muted); font-size: .875rem; }
        }
        @media (prefers-reduced-motion: no-preference) { button { transition: filter .1s; } }
        @media (prefers-reduced-motion: reduce) { .banner.new { animation: none; } }

        """#
}
