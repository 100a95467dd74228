import { sha256Hex } from '../../../lib/secrets/secrets.ts';
import { withoutIndent } from '../../../lib/text/without-indent.ts';

/** Style sheet of the status pages, in addition to that of all pages. */
export const statusStyle = withoutIndent(`:root {
  --ok: #18794e; --minor: #8a5a00; --major: #b4450b; --critical: #bf2318; --work: #0b57d0;
  --none: #c3c7cd;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ok: #4cc38a; --minor: #e2b340; --major: #f0925a; --critical: #ff8b82; --work: #a8c7fa;
    --none: #4a4e55;
  }
}
.ok { --tone: var(--ok); }
.minor { --tone: var(--minor); }
.major { --tone: var(--major); }
.critical { --tone: var(--critical); }
.work { --tone: var(--work); }
.none { --tone: var(--none); }
.icon {
  flex: none; width: 1.1em; height: 1.1em; margin-right: .4em; vertical-align: -.2em;
  fill: none; stroke: currentColor; stroke-width: 2.4; stroke-linecap: round;
  stroke-linejoin: round;
}
.banner, .incident {
  padding: 1rem; border: 1px solid var(--tone); border-left-width: .5rem;
  border-radius: var(--radius); background: color-mix(in srgb, var(--tone) 9%, var(--surface));
}
.banner h1 { display: flex; align-items: center; margin: 0; }
.banner .icon { color: var(--tone); }
.banner p { margin: .35rem 0 0; color: var(--text); }
.incident { margin: 0 0 1rem; }
.incident h3, .incident h3 a { margin: 0; color: var(--text); font-size: 1.1rem; }
p.state { margin: 0; color: var(--tone); }
.sides {
  display: flex; flex-wrap: wrap; justify-content: space-between; align-items: baseline;
  gap: 0 1rem;
}
.sides h3 { margin: 0; }
.component { padding: 1rem 0; border-color: var(--none); }
h2 + .component { padding-top: .25rem; }
#components { margin-top: 1.25rem; }
#components h2 { margin-top: 1.5rem; }
h2 + article { border-top: 0; }
.bars { display: block; width: 100%; height: 2rem; margin: .4rem 0 .2rem; }
.bars path { fill: none; stroke: var(--tone); stroke-width: 22; stroke-dasharray: 7 3; }
.bars path.none { stroke-width: 8; }
.bars :not(.ok, .none) { stroke-width: 34; }
.ends { flex-wrap: nowrap; font-size: .875rem; color: var(--quiet); }
.ends :nth-child(2) { color: var(--text); }
.component details, #times { margin: .35rem 0 0; font-size: .875rem; }
.chart {
  display: block; width: 100%; height: 2.5rem; margin-top: .6rem;
  border-bottom: 1px solid var(--none);
}
.chart path {
  fill: none; stroke: var(--accent); stroke-width: 1.5; vector-effect: non-scaling-stroke;
  stroke-linejoin: round; stroke-linecap: round;
}
table { width: 100%; border-collapse: collapse; }
caption { padding: .25rem 0; text-align: left; color: var(--quiet); }
th, td {
  padding: .2rem .4rem .2rem 0; text-align: left; vertical-align: top;
  border-bottom: 1px solid var(--none);
}
th { font-weight: 600; }
.component th { white-space: nowrap; }
.scroll { overflow-x: auto; }
.scroll table { min-width: 40rem; font-variant-numeric: tabular-nums; }
.timeline { margin: .75rem 0 0; padding: 0; list-style: none; }
.timeline li {
  position: relative; margin-left: .35rem; padding: 0 0 .9rem 1.1rem;
  border-left: 2px solid var(--none);
}
.timeline li:last-child { padding-bottom: 0; }
.timeline li::before {
  content: ""; position: absolute; left: -.4rem; top: .45rem; width: .7rem; height: .7rem;
  border-radius: 50%; background: var(--tone, var(--quiet));
}
.timeline p, .text { margin: 0 0 .35rem; }
.text { white-space: pre-line; }
.past { padding: .5rem 0; border: 0; }
.past h3, .past h4 { margin: 0; font-size: 1rem; }
#past h3 { margin: 1rem 0 0; padding-top: .75rem; border-top: 1px solid var(--none); }
[data-part]:empty { display: none; }
.trap { display: none; }
form.row { align-items: end; }
form.row div { flex: 1 1 14rem; }
form.row input { margin-bottom: .75rem; }
footer { margin-top: 2rem; font-size: .875rem; color: var(--quiet); }
@media print {
  :root { color-scheme: light; --text: #000; --ground: #fff; --surface: #fff; }
  main { padding: 0; }
  .banner, .incident, .bars, .chart { print-color-adjust: exact; break-inside: avoid; }
  article { break-inside: avoid; }
  form, #subscribe, summary { display: none; }
}
`);

/** Path of the style sheet, with a hash of its content, so that browsers may cache it forever. */
export const statusStylePath = `/assets/status.${sha256Hex(statusStyle).slice(0, 12)}.css`;
