import { sha256Hex } from '../../../lib/secrets/secrets.ts';
import { withoutIndent } from '../../../lib/text/without-indent.ts';
import { operationsStyle } from './operations-style.ts';

/** Rules for the pages of the console. */
export const consoleStyle =
  withoutIndent(`:root {
  --hair: #d9dce1; --soft: #eef1f6; --good: #14683a; --warn: #8a4b00; --bad: #b3261e;
  --info: #0b57d0; --bar: #d6e4fd; --series: #0b57d0; --series-2: #a04a00; --before: #767b82;
}
@media (prefers-color-scheme: dark) {
  :root {
    --hair: #35383d; --soft: #26292e; --good: #86d8a4; --warn: #f5bd78; --bad: #f2b8b5;
    --info: #a8c7fa; --bar: #26406b; --series: #a8c7fa; --series-2: #f5bd78; --before: #8b9097;
  }
}
html { scroll-padding-top: 4.5rem; }
.console { font-size: .9375rem; }
.console .skip {
  position: absolute; left: 1rem; top: -6rem; z-index: 9; padding: .6rem 1rem;
  color: var(--on-accent); background: var(--accent); border-radius: var(--radius);
}
.console .skip:focus { top: .5rem; }
.console .bar {
  position: sticky; top: 0; z-index: 5; display: flex; flex-wrap: wrap; align-items: center;
  gap: .5rem 1rem; max-width: none; margin: 0; padding: .5rem 1rem; font-weight: 400;
  background: var(--surface); border-bottom: 1px solid var(--hair);
}
.brand {
  display: inline-flex; align-items: center; gap: .5rem; min-height: 2rem; font-weight: 650;
  color: var(--text); text-decoration: none;
}
.brand:hover { text-decoration: underline; }
.bar .find { display: flex; gap: .35rem; flex: 1 1 10rem; max-width: 24rem; margin-left: auto; }
.bar .find button { flex: none; }
.bar .find input { margin: 0; padding: .35rem .6rem; }
.bar button { flex: none; margin: 0; padding: .35rem .7rem; white-space: nowrap; }
kbd {
  padding: .05rem .3rem; font: .8125rem ui-monospace, monospace; border: 1px solid var(--line);
  border-radius: .25rem;
}
.person { position: relative; margin: 0; }
.person summary {
  max-width: 14rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap;
  color: var(--text);
}
.person .role { color: var(--quiet); font-size: .8125rem; }
.person ul {
  position: absolute; right: 0; z-index: 6; min-width: 12rem; margin: .25rem 0 0;
  padding: .5rem 1rem; list-style: none; background: var(--surface);
  border: 1px solid var(--line); border-radius: var(--radius);
}
.person li { padding: .3rem 0; }
.person form { margin: 0; }
button.link {
  padding: .2rem 0; margin: 0; font-weight: 400; color: var(--accent); background: none;
  border: 0; text-decoration: underline;
}
button.danger { color: var(--bad); background: none; border-color: var(--bad); }
button[disabled], button[aria-disabled=true] { opacity: .6; cursor: default; }
.frame {
  display: grid; grid-template-columns: 12rem minmax(0, 1fr); align-items: start;
  max-width: 100rem; margin: 0 auto;
}
.console .menu {
  display: block; position: sticky; top: 3.4rem; inset-inline: auto; inset-block: 3.4rem auto;
  width: auto; height: auto; margin: 0; padding: 1rem; color: inherit; background: none;
  border: 0; overflow: visible;
}
.menu ul { margin: 0; padding: 0; list-style: none; }
.menu a {
  display: block; padding: .4rem .75rem; color: var(--text); text-decoration: none;
  border-radius: var(--radius);
}
.menu a:hover { background: var(--soft); text-decoration: underline; }
.menu a[aria-current] { font-weight: 650; color: var(--accent); background: var(--soft); }
.menu-button { display: none; }
.console main {
  max-width: none; margin: 0; padding: 1.25rem 1.5rem 4rem; background: none; border-radius: 0;
}
.console main:focus { outline: 0; }
.head {
  display: flex; flex-wrap: wrap; justify-content: space-between; align-items: baseline;
  gap: .25rem 1.5rem; margin-bottom: .75rem;
}
.head h1 { margin: 0; }
.actions { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1rem; }
.console .actions select, .actions button { width: auto; margin: 0; padding: .35rem .7rem; }
.actions form, form.inline {
  display: inline-flex; flex-wrap: wrap; align-items: center; gap: .35rem; margin: 0;
}
form.inline button { margin: 0; padding: .25rem .6rem; font-size: .875rem; min-height: 1.75rem; }
form.inline button.link { padding: .25rem 0; }
#notice:not(:empty) { margin-bottom: 1rem; }
#notice p, #notice .line {
  display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1rem; margin: 0;
  padding: .6rem .9rem; background: var(--soft); border: 1px solid var(--hair);
  border-left: .25rem solid var(--good); border-radius: var(--radius);
}
#notice p.error { border-left-color: var(--bad); }
.panel {
  margin: 0 0 1.25rem; padding: 1rem 1.25rem; background: var(--surface);
  border: 1px solid var(--hair); border-radius: var(--radius);
}
.panel-head {
  display: flex; flex-wrap: wrap; justify-content: space-between; align-items: baseline;
  gap: .25rem 1rem; margin-bottom: .5rem;
}
.panel h2 { margin: 0; font-size: 1.0625rem; }
.panel h3 { margin: 1rem 0 .35rem; font-size: .9375rem; }
.panel .hint, .hint { margin: 0 0 .6rem; color: var(--quiet); font-size: .875rem; }
.columns {
  display: grid; grid-template-columns: repeat(auto-fit, minmax(min(24rem, 100%), 1fr));
  gap: 0 1.25rem; align-items: start;
}
.console .cards {
  display: grid; grid-template-columns: repeat(auto-fit, minmax(min(9.5rem, 45%), 1fr));
  gap: .75rem; margin: 0 0 1.25rem; padding: 0; list-style: none;
}
.cards li {
  padding: .75rem 1rem; background: var(--surface); border: 1px solid var(--hair);
  border-radius: var(--radius);
}
.cards li.bad { border-left: .25rem solid var(--bad); }
.cards li.warn { border-left: .25rem solid var(--warn); }
.cards .name, .cards .note { display: block; color: var(--quiet); font-size: .875rem; }
.cards strong {
  display: block; font-size: 1.5rem; line-height: 1.3; font-variant-numeric: tabular-nums;
}
.up { color: var(--good); }
.down { color: var(--bad); }
.badge {
  display: inline-block; padding: .05rem .5rem; font-size: .8125rem; font-weight: 600;
  border: 1px solid currentcolor; border-radius: 1rem; white-space: nowrap; color: var(--quiet);
}
.badge.good { color: var(--good); }
.badge.warn { color: var(--warn); }
.badge.bad { color: var(--bad); }
.badge.info { color: var(--info); }
.scroll { position: relative; overflow-x: auto; margin: 0 0 .5rem; }
.console table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
.console th, .console td {
  padding: .4rem .75rem .4rem 0; text-align: left; vertical-align: top;
  border-bottom: 1px solid var(--hair); overflow-wrap: break-word;
}
.console th:last-child, .console td:last-child { padding-right: 0; }
.console thead th {
  font-weight: 600; font-size: .8125rem; color: var(--quiet); white-space: nowrap;
}
.console tbody th { font-weight: 400; min-width: 8rem; }
.console .number-cell { text-align: right; white-space: nowrap; }
th[aria-sort=ascending]::after { content: " ↑"; }
th[aria-sort=descending]::after { content: " ↓"; }
.console .picked { background: var(--soft); }
td input[type=checkbox], th input[type=checkbox], .check input {
  width: 1.25rem; height: 1.25rem; margin: 0; accent-color: var(--accent);
}
.bars th { position: relative; width: 60%; }
.bars th > svg {
  position: absolute; inset: .1rem 0; width: 100%; height: calc(100% - .2rem); fill: var(--bar);
  border-radius: .2rem;
}
.bars th > a, .bars th > span {
  position: relative; display: block; padding: 0 .4rem; color: var(--text);
  text-decoration: none;
}
.bars th > a:hover { text-decoration: underline; }
.chart { margin: 0 0 .5rem; container-type: inline-size; }
.plot { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: .25rem .5rem; }
.plot > svg[role] { display: block; width: 100%; height: 13rem; overflow: visible; }
.plot .scale {
  display: flex; flex-direction: column; justify-content: space-between; text-align: right;
  font-size: .75rem; line-height: 1; color: var(--quiet);
}
.plot .steps {
  grid-column: 2; width: 100%; height: 1.1rem; overflow: visible; font-size: .75rem;
  fill: var(--quiet);
}
@container (max-width: 30rem) { .plot .steps .wide { display: none; } }
.chart .grid { stroke: var(--hair); stroke-width: 1; vector-effect: non-scaling-stroke; }
.chart .line {
  fill: none; stroke: var(--series); stroke-width: 2; vector-effect: non-scaling-stroke;
  stroke-linejoin: round;
}
.chart .area { fill: var(--bar); opacity: .6; }
.chart .line.second { stroke: var(--series-2); stroke-width: 1.5; }
.chart .line.before { stroke: var(--before); stroke-dasharray: 5 4; }
.chart .line.partial { stroke-dasharray: 1 5; stroke-linecap: round; }
.chart .hit { fill: transparent; }
.chart .hit:hover { fill: var(--line); opacity: .25; }
.chart .mark {
  stroke: var(--warn); stroke-width: 2; vector-effect: non-scaling-stroke;
  stroke-dasharray: 3 3;
}
.chart figcaption {
  display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin: 0 0 .5rem; font-size: .8125rem;
  color: var(--quiet);
}
.key::before {
  content: ""; display: inline-block; width: 1.25rem; margin-right: .4rem;
  vertical-align: middle; border-top: 3px solid var(--series);
}
.key.second::before { border-top: 2px solid var(--series-2); }
.key.before::before { border-top: 3px dashed var(--before); }
.key.partial::before { border-top: 3px dotted var(--quiet); }
.console td details { margin: 0; }
.console td dl div { display: block; }
.console td time, .console td button { white-space: nowrap; }
.panel > :last-child, .panel > .typed { margin-bottom: 0; }
.console .request {
  padding: .75rem 1rem; border: 1px solid var(--hair); border-radius: var(--radius);
  margin: 0 0 1rem;
}
.console .request h3 { margin: 0 0 .35rem; }
.console [data-copy] {
  display: flex; flex-wrap: wrap; gap: .5rem; align-items: start; margin: 0 0 .75rem;
}
.console [data-copy] > :first-child { flex: 1 1 15rem; min-width: 0; margin: 0; }
.console [data-copy] button {
  min-width: 6.5rem; margin: 0; padding: .4rem .7rem; font-size: .875rem;
}
.field:has(.secret) { max-width: 46rem; }
.console .secret { font-family: ui-monospace, monospace; }
.chart details, .more { margin: .25rem 0 0; font-size: .875rem; }
.cohorts .share-1 { background: color-mix(in srgb, var(--bar) 20%, transparent); }
.cohorts .share-2 { background: color-mix(in srgb, var(--bar) 40%, transparent); }
.cohorts .share-3 { background: color-mix(in srgb, var(--bar) 60%, transparent); }
.cohorts .share-4 { background: color-mix(in srgb, var(--bar) 80%, transparent); }
.cohorts .share-5 { background: var(--bar); }
.cohorts .partial { color: var(--quiet); font-style: italic; }
.console .cohorts td { padding: .4rem .5rem; }
.tabs ul {
  display: flex; flex-wrap: wrap; gap: .25rem; margin: 0 0 1rem; padding: 0; list-style: none;
}
.tabs a {
  display: block; padding: .3rem .75rem; color: var(--text); text-decoration: none;
  border: 1px solid var(--hair); border-radius: var(--radius); background: var(--surface);
}
.tabs a:hover { text-decoration: underline; }
.tabs a[aria-current] { color: var(--accent); border-color: var(--accent); font-weight: 600; }
.filters { display: flex; flex-wrap: wrap; align-items: end; gap: .5rem 1rem; margin: 0 0 1rem; }
.filters .field { min-width: 9rem; margin: 0; }
.filters input, .filters select, .filters button {
  min-height: 2.375rem; margin: 0; padding-block: .4rem;
}
.field { max-width: 34rem; margin: 0 0 .75rem; }
.field label { font-size: .875rem; }
.console select, .console textarea {
  width: 100%; padding: .45rem .6rem; margin: .15rem 0 0; font: inherit; color: inherit;
  background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius);
}
.field input { padding: .45rem .6rem; margin: .15rem 0 0; }
.check { display: flex; gap: .5rem; align-items: center; margin: 0 0 .5rem; }
.check input { flex: none; }
.check label { font-weight: 400; }
fieldset {
  margin: 0 0 .75rem; padding: .5rem 1rem; border: 1px solid var(--hair);
  border-radius: var(--radius);
}
legend { padding: 0 .35rem; font-weight: 600; font-size: .875rem; }
.chips {
  display: flex; flex-wrap: wrap; gap: .4rem; margin: 0 0 1rem; padding: 0; list-style: none;
}
.chips a {
  display: inline-block; padding: .2rem .7rem; color: var(--text); text-decoration: none;
  background: var(--soft); border: 1px solid var(--line); border-radius: 1rem;
}
.chips a::after { content: "×" / ""; margin-left: .4rem; }
.empty {
  margin: 0 0 1rem; padding: 1rem; color: var(--quiet); border: 1px dashed var(--line);
  border-radius: var(--radius);
}
.empty p { margin: 0 0 .5rem; }
.console pre {
  margin: 0 0 .5rem; padding: .75rem; overflow-x: auto; white-space: pre;
  font: .8125rem/1.6 ui-monospace, monospace; background: var(--soft);
  border-radius: var(--radius); color: var(--text);
}
.console code { font-size: .9em; }
.pager {
  display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; align-items: center; color: var(--quiet);
}
.feed { max-height: 24rem; margin: 0; padding: 0; overflow-y: auto; list-style: none; }
.feed li {
  display: flex; flex-wrap: wrap; gap: 0 .75rem; padding: .3rem 0;
  border-bottom: 1px solid var(--hair);
}
.feed time { color: var(--quiet); }
.days { display: flex; gap: 1px; height: 1.5rem; }
.typed summary { color: var(--bad); }
.notes { margin: 0; padding: 0; list-style: none; }
.notes li { padding: .4rem 0; border-bottom: 1px solid var(--hair); }
#palette {
  width: min(36rem, 92vw); margin-top: 10vh; padding: 1rem; color: var(--text);
  background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius);
}
#palette::backdrop { background: #0008; }
#palette input { margin: 0 0 .5rem; }
#palette ul { max-height: 50vh; margin: 0; padding: 0; overflow-y: auto; list-style: none; }
#palette li {
  display: flex; justify-content: space-between; gap: 1rem; padding: .45rem .6rem;
  border-radius: .3rem; cursor: pointer;
}
#palette li[aria-selected=true] { color: var(--on-accent); background: var(--accent); }
#palette li span { opacity: .85; font-size: .875rem; }
@media (min-width: 72rem) {
  .cards:has(> :nth-child(7):last-child) { grid-template-columns: repeat(7, minmax(0, 1fr)); }
  .cards:has(> :nth-child(8):last-child) { grid-template-columns: repeat(4, minmax(0, 1fr)); }
}
@media (max-width: 56rem) {
  .frame { grid-template-columns: minmax(0, 1fr); }
  .menu-button { display: inline-block; }
  .console .menu:not(:popover-open) { display: none; }
  .console .menu {
    position: fixed; inset: 3.4rem .5rem auto; max-height: 80vh; overflow-y: auto;
    background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius);
  }
  .console .bar { position: static; }
  .console main { padding: 1rem 1rem 4rem; }
  .palette-button { display: none; }
  .person { margin-left: auto; }
  .bar .find { order: 1; flex-basis: 100%; max-width: none; }
}
@media (prefers-reduced-motion: no-preference) {
  .feed li.new { animation: come 1.2s; }
  @keyframes come { from { background: var(--bar); } }
}
@media print {
  .bar, .menu, .actions, .filters, form, .pager { display: none !important; }
  .frame { display: block; }
}
`) + operationsStyle;

/** Has a hash of the content, so that browsers may keep it. */
export const consoleStylePath = `/assets/console.${sha256Hex(consoleStyle).slice(0, 12)}.css`;
