// SPDX-License-Identifier: Apache-2.0

extension HTMLReport {
    /// The page's style. Every text has a contrast of 4.5 or more on what it stands on, in light and dark.
    static let style = """
        :root {
          --page: #f5f6f8; --card: #ffffff; --ink: #1b2430; --soft: #5a6675; --edge: #dfe4ea; --track: #eceff3;
          --good: #17693a; --good-bg: #e0f3e7; --bad: #a3241c; --bad-bg: #fce6e4; --plain-bg: #e9edf2; --link: #1f5fae;
          --playing: #3d7dca; --joining: #8d7bc4; --stalled: #d9483b; --seeking: #e0a030; --paused: #aab4c0;
          --waiting: #c3cad3; --off: #7d8793; --area: #bcd4f0; --network: #2a8f85; --late: #b02a86; --sound: #1f5fae;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --page: #12161c; --card: #1b212a; --ink: #e6ebf1; --soft: #9fabba; --edge: #2c3541; --track: #262e39;
            --good: #7fd6a0; --good-bg: #17382a; --bad: #ff9d93; --bad-bg: #45201e; --plain-bg: #2c3541; --link: #8bbcf5;
            --playing: #5a97e0; --joining: #a899dd; --stalled: #f0695c; --seeking: #e9b44c; --paused: #5f6b79;
            --waiting: #48525f; --off: #8a95a3; --area: #274468; --network: #4fbdb2; --late: #f58ad6; --sound: #8bbcf5;
          }
        }
        * { box-sizing: border-box; }
        body { margin: 0; background: var(--page); color: var(--ink);
          font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif;
          font-variant-numeric: tabular-nums; }
        main { max-width: 960px; margin: 0 auto; padding: 32px 20px 8px; }
        header { margin-bottom: 24px; }
        h1 { font-size: 26px; line-height: 1.2; margin: 0 0 6px; letter-spacing: -0.01em; }
        h2 { font-size: 18px; line-height: 1.3; margin: 0; display: flex; flex-wrap: wrap; gap: 4px 12px; align-items: center;
          overflow-wrap: anywhere; }
        p { margin: 0; }
        a { color: var(--link); }
        .lead { color: var(--soft); display: flex; flex-wrap: wrap; gap: 6px 10px; align-items: center; }
        .card { background: var(--card); border: 1px solid var(--edge); border-radius: 12px; padding: 20px 22px;
          margin-bottom: 20px; }
        .path { color: var(--soft); font-size: 13px; overflow-wrap: anywhere; }
        th .path { display: block; font-weight: 400; }
        .sub { color: var(--soft); overflow-wrap: anywhere; }
        .badge { display: inline-block; font-size: 12.5px; font-weight: 600; line-height: 1; padding: 5px 9px;
          border-radius: 999px; background: var(--plain-bg); color: var(--ink); white-space: nowrap; letter-spacing: 0; }
        .badge.good { background: var(--good-bg); color: var(--good); }
        .badge.bad { background: var(--bad-bg); color: var(--bad); }
        .error { background: var(--bad-bg); border-left: 4px solid var(--bad); border-radius: 6px; padding: 10px 14px;
          margin-top: 14px; overflow-wrap: anywhere; }
        .error.mild { background: var(--track); border-color: var(--off); }
        .error strong { color: var(--bad); }
        .error.mild strong { color: var(--ink); }
        .error .hint { color: var(--soft); }
        code { font: 12.5px/1.4 ui-monospace, "DejaVu Sans Mono", monospace; color: var(--soft); }
        .figures { display: grid; grid-template-columns: repeat(4, minmax(0, 1fr)); gap: 16px 20px;
          margin: 18px 0 0; }
        .figures.small { grid-template-columns: repeat(8, minmax(0, 1fr)); }
        .figure dt { color: var(--soft); font-size: 13px; text-transform: none; }
        .figure dt::first-letter { text-transform: uppercase; }
        .figure dd { margin: 0; font-size: 22px; line-height: 1.25; font-weight: 600; letter-spacing: -0.01em; }
        .figure dd.detail { color: var(--soft); font-size: 13px; font-weight: 400; line-height: 1.4; letter-spacing: 0;
          text-wrap: balance; }
        .warn { color: var(--bad); }
        .figure.bad dd:not(.detail) { color: var(--bad); }
        .unknown { color: var(--soft); font-weight: 400; }
        .timeline { margin: 22px 0 0; }
        svg.row { display: block; width: 100%; background: var(--track); border-radius: 4px; overflow: hidden; }
        .rowname { color: var(--soft); font-size: 12px; line-height: 1; margin: 10px 0 4px; }
        .area { fill: var(--area); }
        .line { fill: none; stroke: var(--playing); stroke-width: 1.5; vector-effect: non-scaling-stroke; }
        svg line { stroke: var(--off); stroke-width: 2; vector-effect: non-scaling-stroke; }
        .axis { display: flex; justify-content: space-between; color: var(--soft); font-size: 12px; margin-top: 4px; }
        .legend { list-style: none; display: flex; flex-wrap: wrap; gap: 4px 18px; margin: 10px 0 0; padding: 0;
          font-size: 13px; }
        .num { color: var(--soft); white-space: nowrap; }
        .swatch { display: inline-block; width: 11px; height: 11px; border-radius: 3px; margin-right: 7px;
          background: var(--off); }
        .swatch.tick { width: 3px; height: 13px; border-radius: 1px; vertical-align: -2px; }
        .st-playing { fill: var(--playing); background: var(--playing); }
        .st-joining { fill: var(--joining); background: var(--joining); }
        .st-stalled { fill: var(--stalled); background: var(--stalled); }
        .st-seeking { fill: var(--seeking); background: var(--seeking); }
        .st-paused, .st-paused_buffering { fill: var(--paused); background: var(--paused); }
        .st-join_paused, .st-preloading, .st-prepared_bg { fill: var(--waiting); background: var(--waiting); }
        .st-suppressed, .st-suppressed_buffering, .st-background, .st-suspended { fill: var(--off); background: var(--off); }
        svg .mk-firstFrame { stroke: var(--good); } .mk-firstFrame { background: var(--good); }
        svg .mk-firstAudio { stroke: var(--sound); } .mk-firstAudio { background: var(--sound); }
        svg .mk-loop { stroke: var(--ink); } .mk-loop { background: var(--ink); }
        svg .mk-seek { stroke: var(--seeking); } .mk-seek { background: var(--seeking); }
        svg .mk-rendition { stroke: var(--joining); } .mk-rendition { background: var(--joining); }
        svg .mk-network { stroke: var(--network); } .mk-network { background: var(--network); }
        svg .mk-error { stroke: var(--bad); } .mk-error { background: var(--bad); }
        svg .mk-late { stroke: var(--late); } .mk-late { background: var(--late); }
        details { border-top: 1px solid var(--edge); margin-top: 16px; padding-top: 12px; }
        details + details { margin-top: 12px; }
        summary { cursor: pointer; font-weight: 600; }
        summary .count { color: var(--soft); font-weight: 400; margin-left: 4px; }
        table { width: 100%; border-collapse: collapse; margin-top: 12px; font-size: 14px; }
        caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
        th, td { text-align: left; padding: 7px 20px 7px 0; border-bottom: 1px solid var(--edge); vertical-align: top;
          overflow-wrap: anywhere; }
        th:last-child, td:last-child { padding-right: 0; }
        tbody tr:last-child > * { border-bottom: 0; }
        thead th { color: var(--soft); font-weight: 500; font-size: 13px; white-space: nowrap; }
        tbody th { font-weight: 500; }
        .n { text-align: right; white-space: nowrap; }
        .more { color: var(--soft); margin: 0 0 20px; }
        footer { max-width: 960px; margin: 0 auto; padding: 0 20px 32px; color: var(--soft); font-size: 13px; }
        @media (max-width: 640px) {
          main { padding: 20px 14px 4px; }
          .card { padding: 16px; border-radius: 10px; }
          .figures { grid-template-columns: repeat(2, minmax(0, 1fr)); }
          .figures.small { grid-template-columns: repeat(4, minmax(0, 1fr)); }
          thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
          table, tbody, tr, th, td { display: block; }
          tr { padding: 8px 0; border-bottom: 1px solid var(--edge); }
          tbody tr:last-child { border-bottom: 0; }
          tbody th, tbody td { border: 0; padding: 2px 0; display: flex; justify-content: space-between; gap: 16px;
            text-align: right; white-space: normal; }
          tbody th::before, tbody td::before { content: attr(data-label); color: var(--soft); font-weight: 400;
            flex: none; }
          tbody th { justify-content: flex-start; text-align: left; font-weight: 600; flex-wrap: wrap; gap: 0 8px; }
          tbody th::before { content: none; }
          th .path { flex-basis: 100%; }
        }
        @media print { .card { break-inside: avoid; } }
        """
}
