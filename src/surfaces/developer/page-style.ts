import { sha256Hex } from '../../lib/secrets/secrets.ts';
import { withoutIndent } from '../../lib/text/without-indent.ts';

/** The styles of the developer pages, in addition to those of the site. */
export const developerStyle = withoutIndent(`:root {
  --frame: 76rem; --t-comment: #59606b; --t-keyword: #0b4fc4; --t-string: #0a6339;
  --t-constant: #93310f; --t-function: #6b21a8; --get: #0b57d0; --post: #18794e; --put: #8a5a00;
  --delete: #b3261e;
}
@media (prefers-color-scheme: dark) {
  :root {
    --t-comment: #a6adb8; --t-keyword: #8ab4f8; --t-string: #8ed6a4; --t-constant: #f2b38a;
    --t-function: #d3b0ff; --get: #a8c7fa; --post: #7fd8a4; --put: #e8c16a; --delete: #f2b8b5;
  }
}
.t-comment { color: var(--t-comment); font-style: italic; }
.t-keyword, .t-link { color: var(--t-keyword); }
.t-string, .t-string-expression { color: var(--t-string); }
.t-constant { color: var(--t-constant); }
.t-function { color: var(--t-function); }
.side nav { position: static; max-height: none; margin: 0 0 0 -.6rem; overflow: visible; }
.side nav ul, .side nav p { margin: 0; padding: 0; list-style: none; }
.side nav p { margin: 1.25rem 0 .25rem; padding: 0 .6rem; font-weight: 650; font-size: .875rem; }
.side nav a {
  display: block; padding: .25rem .6rem; color: var(--text); text-decoration: none;
  font-size: .9375rem; border-radius: .35rem;
}
.side nav a:hover { background: var(--soft); }
.side nav a[aria-current] { color: var(--accent); font-weight: 600; background: var(--soft); }
.side nav ul ul {
  margin: .15rem 0 .5rem .9rem; padding-left: .3rem; border-left: 1px solid var(--hair);
}
.side nav ul ul a { font-size: .875rem; color: var(--quiet); }
.side summary { font-weight: 600; }
.side .home { margin: 0 0 .75rem -.6rem; padding: 0; }
.side .home a { font-weight: 650; }
.find { position: relative; }
.find label { font-size: .875rem; }
.find input { margin: .25rem 0 0; padding: .5rem .6rem; }
.find button { margin: .5rem 0 0; padding: .5rem .9rem; }
.find.live button { display: none; }
main .find {
  display: grid; grid-template-columns: 1fr auto; gap: .25rem .5rem; max-width: 34rem;
  margin: 0 0 2rem;
}
main .find label { grid-column: 1 / -1; }
main .find.live { grid-template-columns: 1fr; }
main .find button { margin: .25rem 0 0; }
.found {
  position: absolute; z-index: 2; top: 100%; left: 0; width: min(34rem, calc(100vw - 2.5rem));
  margin: .25rem 0 0; max-height: 70vh; overflow: auto; background: var(--surface);
  border: 1px solid var(--line); border-radius: var(--radius); box-shadow: 0 .5rem 2rem #0004;
}
.found[hidden] { display: none; }
.found a {
  display: block; padding: .6rem .9rem; color: var(--text); text-decoration: none;
  border-bottom: 1px solid var(--hair);
}
.found a:hover, .found a:focus { background: var(--soft); outline-offset: -3px; }
.found b { display: block; }
.found span { font-size: .875rem; color: var(--quiet); }
.found p { margin: 0; padding: .6rem .9rem; }
.text > p, .text > ul, .text > ol, .intro { max-width: 46rem; }
.text h2 a, .text h3 a, .text h4 a, .operation h2 a { color: inherit; text-decoration: none; }
.text :is(h2, h3, h4) a:hover::after, .operation h2 a:hover::after {
  content: " #"; color: var(--quiet);
}
.text img {
  display: block; max-width: 100%; height: auto; margin: 1.5rem 0; background: #fff;
  border-radius: var(--radius);
}
:target { scroll-margin-top: 1rem; }
.site .table {
  margin: 0 0 1.25rem; overflow-x: auto; border: 1px solid var(--hair);
  border-radius: var(--radius);
}
.site .table table { margin: 0; }
.site .table th, .site .table td {
  padding: .5rem .75rem; font-size: .9375rem; overflow-wrap: break-word;
}
.site .table tr:last-child td { border-bottom: 0; }
.site .table th { background: var(--soft); }
.site .code pre { max-height: 32rem; overflow: auto; }
.tabs > details { margin: 0; }
.tabs summary { padding: .35rem .1rem; margin-right: 1rem; font-size: .9375rem; font-weight: 600; }
@supports selector(::details-content) {
  .tabs { display: grid; grid-template-columns: repeat(4, max-content) 1fr; }
  .tabs > details { display: contents; }
  .tabs > details > summary {
    grid-row: 1; list-style: none; margin: 0; padding: .35rem .9rem;
    border-bottom: 2px solid transparent; color: var(--quiet);
  }
  .tabs > details[open] > summary { color: var(--accent); border-color: var(--accent); }
  .tabs > details::details-content { grid-row: 2; grid-column: 1 / -1; min-width: 0; }
  .tabs > details:not([open])::details-content { display: none; }
  .tabs > details > summary::-webkit-details-marker { display: none; }
}
.pages {
  display: flex; flex-wrap: wrap; justify-content: space-between; gap: 1rem; margin: 3rem 0 0;
  padding: 1.25rem 0 0; border-top: 1px solid var(--hair);
}
.also {
  display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; align-items: center; margin: 0 0 1.5rem;
  font-size: .9375rem;
}
.also button { margin: 0; }
.why { font-size: .875rem; color: var(--quiet); }
.method {
  display: inline-block; min-width: 3.6em; font: 700 .8125rem/1.4 ui-monospace, monospace;
  color: var(--tone, var(--quiet));
}
.get { --tone: var(--get); }
.post { --tone: var(--post); }
.put, .patch { --tone: var(--put); }
.delete { --tone: var(--delete); }
.site main .operations { padding: 0; list-style: none; }
.site main .operations li {
  display: grid; grid-template-columns: 4rem minmax(0, 1fr); gap: 0 .5rem; margin: 0;
  padding: .4rem 0; border-bottom: 1px solid var(--hair);
}
.operations .method { padding-top: .15rem; }
.operations code {
  display: block; width: fit-content; font-size: .8125rem; color: var(--quiet); background: none;
  padding: 0;
}
.operation { padding: 1.5rem 0 2.5rem; border-top: 1px solid var(--hair); }
.site .operation h2 { margin: 0 0 .4rem; }
.site .operation h3 { margin: 1.25rem 0 .25rem; }
.address { font-size: .9375rem; }
.address code { background: none; padding: 0; }
.needs { color: var(--quiet); font-size: .9375rem; }
.site main .fields { margin: 0; padding: 0; list-style: none; }
.site main .fields li { margin: 0; padding: .5rem 0; border-top: 1px solid var(--hair); }
.site main .fields .fields {
  margin: .25rem 0 0; padding-left: 1rem; border-left: 2px solid var(--hair);
}
.site .fields p { margin: .15rem 0 0; font-size: .9375rem; }
.fields > li > code, .fields summary code { font-weight: 600; }
.type { color: var(--quiet); font-size: .875rem; }
.must { color: var(--error); font-size: .8125rem; font-weight: 600; }
.answer { margin: 0; border-top: 1px solid var(--hair); }
.fields details { margin: 0; }
.status { font: 700 .875rem ui-monospace, monospace; }
.try form { margin: .75rem 0; }
.try label { font-size: .875rem; font-family: ui-monospace, monospace; }
.try input, .try textarea {
  width: 100%; margin: .15rem 0 .6rem; padding: .45rem .6rem;
  font: .875rem/1.5 ui-monospace, monospace; color: inherit; background: var(--surface);
  border: 1px solid var(--line); border-radius: .35rem;
}
.try textarea { min-height: 8rem; resize: vertical; }
.codes { padding: 0; font: inherit; list-style: none; }
.menu summary { display: none; }
@media (min-width: 52.01rem) {
  .side {
    position: sticky; top: 0; align-self: start; max-height: 100vh; margin: 0 -.4rem 0 -1rem;
    padding-right: .4rem; padding-left: 1rem; overflow-y: auto; scrollbar-width: thin;
  }
  .side:has(.found:not([hidden])) { overflow: visible; }
  .menu::details-content { content-visibility: visible; }
  @supports not selector(::details-content) { .menu summary { display: block; } }
}
@media (max-width: 52rem) {
  .menu {
    margin: .75rem 0 0; padding: .25rem .9rem; border: 1px solid var(--hair);
    border-radius: var(--radius);
  }
  .menu summary { display: list-item; width: auto; }
  .side nav { padding-bottom: .75rem; }
  .site .table table { min-width: 34rem; }
}
@media (min-width: 68rem) {
  .operation > .both {
    display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 0 2rem;
  }
  .samples { position: sticky; top: 1rem; align-self: start; }
}
@media print { .also, .pages, .copy { display: none; } .site .code pre { max-height: none; } }
`);

/** Its URL. Contains a hash of the content, so that browsers may cache it forever. */
export const developerStylePath = `/assets/developer.${sha256Hex(developerStyle).slice(0, 12)}.css`;
