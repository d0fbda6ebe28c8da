/// The page of phones: how it looks.
enum PageStyle {
    static let text = #"""
        :root {
          color-scheme: light dark;
          --ground: light-dark(#f4f2ee, #15161a);
          --panel: light-dark(#ffffff, #1e2026);
          --line: light-dark(#dedad2, #30333b);
          --ink: light-dark(#23211d, #eceae5);
          --quiet: light-dark(#6a655c, #a09d96);
          --accent: light-dark(#a15c00, #ffb648);
          --good: light-dark(#1d6b3c, #6fd08f);
          --bad: light-dark(#b3261e, #ff8a80);
          --shadow: light-dark(0 18px 40px -18px rgb(60 45 20 / .45), 0 18px 44px -16px rgb(0 0 0 / .9));
        }
        * { box-sizing: border-box; }
        html { -webkit-text-size-adjust: 100%; }
        body {
          margin: 0; min-height: 100vh; background: var(--ground); color: var(--ink);
          font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
        }
        code, pre, .id { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
        .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
        [hidden] { display: none !important; }

        .bar {
          position: sticky; top: 0; z-index: 5; display: flex; flex-wrap: wrap; gap: .6rem 2rem; align-items: center;
          padding: .7rem clamp(1rem, 3vw, 2.5rem);
          background: color-mix(in srgb, var(--ground) 82%, transparent); backdrop-filter: blur(14px);
          border-bottom: 1px solid var(--line);
        }
        .brand { display: flex; align-items: center; gap: .65rem; flex: 1 1 auto; }
        .brand h1 { margin: 0; font-size: 1.05rem; font-weight: 650; letter-spacing: -.01em; }
        .lamp {
          width: 14px; height: 14px; border-radius: 50%;
          background: radial-gradient(circle at 38% 32%, #fff6d8, #ffb648 60%, #d67b00);
          box-shadow: 0 0 14px 3px rgb(255 182 72 / .55);
        }
        .link { font-size: .78rem; color: var(--quiet); padding: .1rem .55rem; border: 1px solid var(--line); border-radius: 99px; }
        .link.on { color: var(--good); }
        .link.off { color: var(--bad); }
        .totals { display: flex; gap: 1.4rem; margin: 0; }
        .totals div { display: flex; flex-direction: row-reverse; align-items: baseline; gap: .35rem; }
        .totals dt { font-size: .8rem; color: var(--quiet); }
        .totals dd { margin: 0; font-weight: 650; font-variant-numeric: tabular-nums; }
        button {
          font: inherit; font-size: .85rem; color: var(--ink); background: var(--panel); border: 1px solid var(--line);
          border-radius: 99px; padding: .35rem .9rem; cursor: pointer;
        }
        button:hover { border-color: var(--accent); }
        :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }

        main { padding: clamp(1.2rem, 3vw, 2.5rem); max-width: 1600px; margin: 0 auto; }
        .phones {
          list-style: none; margin: 0; padding: 0; display: grid; gap: 2.2rem 1.8rem; align-items: start;
          grid-template-columns: repeat(auto-fill, minmax(min(272px, 100%), 1fr));
        }
        .phone { display: flex; flex-direction: column; align-items: center; gap: .8rem; min-width: 0; }
        .body {
          position: relative; width: 272px; max-width: 100%; height: 430px; padding: 9px; border-radius: 42px;
          background: linear-gradient(145deg, #4a4c52, #17181b 45%, #2c2e33); box-shadow: var(--shadow), inset 0 0 0 1px rgb(255 255 255 / .09);
        }
        .screen {
          position: relative; height: 100%; border-radius: 34px; overflow: hidden; color: #fff; display: flex; flex-direction: column;
          background:
            radial-gradient(120% 70% at 15% 0%, hsl(var(--hue, 210) 85% 66% / .95), transparent 62%),
            radial-gradient(110% 80% at 100% 35%, hsl(calc(var(--hue, 210) + 58) 78% 56% / .9), transparent 60%),
            linear-gradient(180deg, hsl(var(--hue, 210) 55% 38%), hsl(calc(var(--hue, 210) - 34) 62% 17%));
        }
        .screen::before {
          content: ""; position: absolute; top: 10px; left: 50%; translate: -50% 0; width: 76px; height: 21px; border-radius: 99px; background: #0a0a0b; z-index: 2;
        }
        .status { display: flex; justify-content: space-between; padding: 11px 20px 0; font-size: .74rem; font-weight: 600; }
        .clock { text-align: center; margin: 20px 0 12px; font-size: 3.1rem; font-weight: 250; line-height: 1; letter-spacing: -.03em; font-variant-numeric: tabular-nums; text-shadow: 0 1px 14px rgb(0 0 0 / .25); }
        .stack { display: flex; flex-direction: column; gap: 7px; padding: 0 10px; flex: 1; min-height: 0; overflow: hidden; }
        .banner, .bubble {
          border-radius: 18px; padding: 9px 12px 10px; overflow-wrap: anywhere; flex: none;
          background: rgb(250 250 252 / .84); color: #1b1b1f; backdrop-filter: blur(18px) saturate(1.6); box-shadow: 0 4px 16px rgb(0 0 0 / .16);
        }
        .banner.new, .bubble.new { animation: drop .45s cubic-bezier(.2, 1.25, .4, 1); }
        @keyframes drop { from { opacity: 0; transform: translateY(-26px) scale(.94); } }
        .banner:nth-child(2) { opacity: .86; scale: .97; }
        .banner:nth-child(3) { opacity: .66; scale: .94; }
        .head { display: flex; align-items: center; gap: 6px; font-size: .69rem; color: #5a5a63; margin-bottom: 2px; }
        .head .dot { width: 15px; height: 15px; border-radius: 4px; flex: none; background: linear-gradient(160deg, hsl(var(--hue) 80% 62%), hsl(calc(var(--hue) + 40) 75% 44%)); }
        .head .app { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
        .banner strong { display: block; font-size: .87rem; line-height: 1.3; }
        .banner p { margin: 0; font-size: .87rem; line-height: 1.35; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 5; overflow: hidden; white-space: pre-line; }
        .banner.silent { background: rgb(20 20 26 / .42); color: #fff; border: 1px dashed rgb(255 255 255 / .6); box-shadow: none; }
        .banner.silent .head { color: rgb(255 255 255 / .85); }
        .banner.badge p { color: #4c4c55; }
        .bubble { align-self: flex-start; max-width: 88%; border-radius: 20px 20px 20px 6px; background: #e9e9ee; font-size: .9rem; line-height: 1.35; white-space: pre-line; }
        .dock { padding: 10px 18px 16px; display: flex; justify-content: center; }
        .icon {
          position: relative; width: 50px; height: 50px; border-radius: 14px; display: grid; place-items: center; font-size: 1.35rem; font-weight: 700;
          background: linear-gradient(160deg, hsl(var(--hue) 80% 66%), hsl(calc(var(--hue) + 40) 78% 42%)); box-shadow: 0 6px 14px rgb(0 0 0 / .3), inset 0 1px 0 rgb(255 255 255 / .35);
        }
        .count {
          position: absolute; top: -8px; right: -10px; min-width: 23px; height: 23px; padding: 0 6px; border-radius: 99px; background: #ff3b30; color: #fff;
          font-size: .78rem; line-height: 23px; text-align: center; box-shadow: 0 2px 5px rgb(0 0 0 / .35); font-variant-numeric: tabular-nums;
        }
        .caption { width: 272px; max-width: 100%; }
        .caption .who { display: flex; align-items: baseline; gap: .5rem; font-size: .82rem; margin: 0; }
        .caption .who b { text-transform: uppercase; letter-spacing: .05em; font-size: .7rem; color: var(--accent); }
        .caption .id { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-size: .76rem; color: var(--quiet); }
        .caption .n { font-size: .76rem; color: var(--quiet); font-variant-numeric: tabular-nums; white-space: nowrap; }
        details { margin-top: .4rem; }
        summary { cursor: pointer; font-size: .78rem; color: var(--quiet); }
        pre {
          margin: .4rem 0 0; padding: .7rem .8rem; max-height: 220px; overflow: auto; background: var(--panel); border: 1px solid var(--line); border-radius: 12px;
          font-size: .74rem; line-height: 1.5; white-space: pre-wrap; overflow-wrap: anywhere;
        }

        .empty { max-width: 40rem; margin: 5vh auto; }
        .empty h2 { font-size: 1.6rem; letter-spacing: -.02em; margin: 1.4rem 0 .4rem; text-wrap: balance; }
        .empty p { color: var(--quiet); margin: 0 0 1.2rem; }
        .empty ol { padding-left: 1.3rem; margin: 0; } .empty li { margin: .55rem 0; padding-left: .2rem; } .empty li::marker { color: var(--accent); font-weight: 650; }
        .empty code { background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: .05rem .35rem; font-size: .86em; overflow-wrap: anywhere; }
        .ghost { width: 74px; height: 120px; border-radius: 17px; border: 3px dashed color-mix(in srgb, var(--quiet) 65%, transparent); padding: 26px 9px; display: grid; gap: 7px; align-content: start; }
        .ghost span { height: 12px; border-radius: 5px; background: color-mix(in srgb, var(--accent) 45%, transparent); }
        .ghost span + span { opacity: .5; width: 70%; }
        .more { text-align: center; color: var(--quiet); margin: 2rem 0 0; }

        .log { margin-top: 3rem; }
        .log h2 { font-size: 1rem; margin: 0 0 .6rem; }
        .scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 14px; background: var(--panel); }
        table { border-collapse: collapse; width: 100%; font-size: .82rem; }
        th, td { text-align: left; padding: .45rem .9rem; white-space: nowrap; vertical-align: baseline; }
        th { font-weight: 550; color: var(--quiet); font-size: .76rem; }
        tbody tr { border-top: 1px solid var(--line); }
        td.id { max-width: 15rem; overflow: hidden; text-overflow: ellipsis; }
        td.says { max-width: 34rem; overflow: hidden; text-overflow: ellipsis; }
        td.time { font-variant-numeric: tabular-nums; color: var(--quiet); }
        .ok { color: var(--good); } .no { color: var(--bad); font-weight: 600; }

        @media (max-width: 560px) {
          .bar { gap: .45rem 1rem; position: static; } .totals { gap: 1rem; }
          .phones { gap: 2rem; justify-items: center; }
        }
        @media (prefers-reduced-motion: reduce) { .banner.new, .bubble.new { animation: none; } }

        """#
}
