import { withoutIndent } from '../../../lib/text/without-indent.ts';

/** Rules for the pages of status, jobs, realtime and settings. */
export const operationsStyle =
  withoutIndent(`.words { display: block; font-size: 1.0625rem; line-height: 1.3; }
.filters .field { margin: 0; }
td details { margin: 0; }
.panel .field .hint { margin: 0; }
#jobs table { min-width: 44rem; }
#kinds table { min-width: 50rem; }
#components table { min-width: 42rem; }
#channels table { min-width: 52rem; }
#all table, #subscribers table { min-width: 36rem; }
td summary { padding: 0; }
.said { margin: .25rem 0 0; white-space: pre-line; }
.pair { display: block; padding: .1rem 0; }
.day-bars { display: block; width: 100%; min-width: 9rem; max-width: 34rem; height: 1.5rem; }
.day-bars path { fill: none; stroke: var(--hair); stroke-width: 20; stroke-dasharray: 8 2; }
.day-bars .good { stroke: var(--good); opacity: .75; }
.day-bars .warn { stroke: var(--warn); }
.day-bars .bad { stroke: var(--bad); }
.day-bars .info { stroke: var(--info); }
details.form { margin: 0 0 .5rem; }
details.form > summary { font-weight: 600; }
details.form > form { padding: .5rem 0 .75rem; }
.console fieldset.pairs {
  display: grid; grid-template-columns: repeat(auto-fill, minmax(min(13rem, 100%), 1fr));
  gap: 0 1rem; max-width: 44rem;
}
.console .columns > div > .columns, form .columns {
  gap: 0 1rem; grid-template-columns: repeat(auto-fit, minmax(min(13rem, 100%), 1fr));
  max-width: 34rem;
}
.pick {
  display: inline-flex; gap: .5rem; align-items: center; min-height: 1.75rem;
  font-weight: inherit; overflow-wrap: anywhere;
}
.pick input { flex: none; }
#jobs tbody th, #jobs tbody td { vertical-align: middle; }
#jobs thead th { vertical-align: bottom; }
#jobs .row { gap: .5rem .75rem; align-items: center; margin: .5rem 0 .75rem; }
#kinds th:nth-child(7), #kinds td:nth-child(7) { padding-left: 1rem; }
#jobs .row button { margin: 0; padding: .4rem .8rem; }
#jobs tbody td details { margin: 0; max-width: 30rem; }
#jobs tbody td pre { white-space: pre-wrap; }
.connection { margin: 0 0 .75rem; }
#inspector .row button { padding: .35rem .8rem; }
.chips:empty { display: none; }
.chips button { margin: 0; padding: .2rem .7rem; font-weight: 400; border-radius: 1rem; }
.feed.messages { max-height: 36rem; }
.messages ol { margin: 0; padding: 0; list-style: none; }
.messages pre {
  flex-basis: 100%; margin: .25rem 0 0; max-height: 16rem; overflow: auto;
  white-space: pre-wrap;
}
.messages .note { color: var(--quiet); font-size: .875rem; }
.messages .note.error { color: var(--bad); }
.settings table { table-layout: fixed; min-width: 54rem; }
.settings thead th:first-child { width: 15rem; }
.settings thead th:nth-child(2) { width: 13rem; }
.settings thead th:nth-child(3) { width: 8rem; }
.settings .hint { margin: 0; }
.value { overflow-wrap: anywhere; }
`);
