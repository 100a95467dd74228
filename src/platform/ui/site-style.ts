import { withoutIndent } from '../../lib/text/without-indent.ts';

/** Rules for the public pages of the site. */
export const siteStyle =
  withoutIndent(`:root { --hair: #d9dce1; --soft: #eef1f6; --measure: 42rem; --frame: 66rem; }
@media (prefers-color-scheme: dark) { :root { --hair: #35383d; --soft: #26292e; } }
html { scroll-padding-top: 1rem; }
.site { display: flex; flex-direction: column; min-height: 100vh; background: var(--surface); }
.skip {
  position: absolute; left: 1rem; top: -6rem; z-index: 1; padding: .6rem 1rem;
  color: var(--on-accent); background: var(--accent); border-radius: var(--radius);
}
.skip:focus { top: .5rem; }
.site.site > header, .site > footer {
  width: 100%; max-width: none; margin: 0; padding: 0 1.25rem; font-weight: 400;
}
.site > header { border-bottom: 1px solid var(--hair); }
.site > footer {
  margin-top: auto; border-top: 1px solid var(--hair); background: var(--ground);
  font-size: .9375rem;
}
.inner {
  display: flex; flex-wrap: wrap; justify-content: space-between; align-items: center;
  gap: .25rem 1.5rem; max-width: var(--frame); margin: 0 auto; padding: .75rem 0;
}
.inner ul {
  display: flex; flex-wrap: wrap; gap: 0 1.25rem; margin: 0; padding: 0; list-style: none;
}
.inner li a { display: block; padding: .4rem 0; color: var(--text); text-decoration: none; }
.inner li a:hover { text-decoration: underline; }
.inner li a[aria-current] { color: var(--accent); font-weight: 600; }
.page { width: 100%; max-width: calc(var(--frame) + 2.5rem); margin: 0 auto; padding: 0 1.25rem; }
.site main {
  max-width: var(--measure); margin: 0; padding: 2.5rem 0 4rem; background: none;
  border-radius: 0;
}
.site main.wide { max-width: none; }
main:focus { outline: 0; }
.with-side { display: grid; grid-template-columns: 15rem minmax(0, 1fr); gap: 0 3rem; }
.side { padding: 2.5rem 0 2rem; }
.site h1 {
  margin: 0 0 1rem; font-size: clamp(1.75rem, 1.4rem + 1.5vw, 2.375rem); line-height: 1.15;
  letter-spacing: -.015em; text-wrap: balance;
}
.site h2 { margin: 2.5rem 0 .75rem; font-size: 1.375rem; line-height: 1.3; }
.site h3 { margin: 1.75rem 0 .4rem; font-size: 1.0625rem; }
.site p, .site main ul, .site main ol { margin: 0 0 1rem; }
.site main ul, .site main ol { padding-left: 1.25rem; }
.site main li { margin: .3rem 0; }
.lead { max-width: var(--measure); font-size: 1.1875rem; line-height: 1.55; color: var(--quiet); }
.site .actions { display: flex; flex-wrap: wrap; gap: .75rem; margin: 1.75rem 0 1rem; }
.button {
  display: inline-block; padding: .6rem 1.1rem; font-weight: 600; text-decoration: none;
  color: var(--on-accent); background: var(--accent); border: 1px solid var(--accent);
  border-radius: var(--radius);
}
.button.second { color: var(--accent); background: none; }
.button:hover { text-decoration: underline; }
.cards {
  display: grid; grid-template-columns: repeat(auto-fill, minmax(min(18rem, 100%), 1fr));
  gap: 1rem; list-style: none;
}
.site main .cards { margin: 1rem 0; padding: 0; }
.site main .cards li {
  margin: 0; padding: 1.25rem; border: 1px solid var(--hair); border-radius: var(--radius);
  background: var(--surface);
}
.cards h3 { margin: 0 0 .4rem; }
.cards p { margin: 0; color: var(--quiet); }
.site pre {
  margin: 0 0 1rem; padding: .9rem 1rem; overflow-x: auto;
  font: .875rem/1.6 ui-monospace, monospace; background: var(--soft);
  border: 1px solid var(--hair); border-radius: var(--radius); tab-size: 2;
}
.site pre, .site pre[tabindex] { white-space: pre-wrap; overflow-wrap: anywhere; }
.code {
  position: relative; margin: 0 0 1.25rem; border: 1px solid var(--hair);
  border-radius: var(--radius); background: var(--soft); overflow: hidden;
}
.code figcaption {
  display: flex; justify-content: space-between; align-items: center; min-height: 2.1rem;
  padding: .2rem .4rem .2rem 1rem; font-size: .8125rem; color: var(--quiet);
  border-bottom: 1px solid var(--hair);
}
.site .code pre { margin: 0; border: 0; border-radius: 0; background: none; }
.code pre:focus-visible { outline-offset: -3px; }
.copy {
  margin: 0; padding: .15rem .6rem; font-size: .8125rem; color: var(--text);
  background: var(--surface); border-color: var(--hair);
}
.site code {
  padding: .1em .3em; font: .9em ui-monospace, monospace; background: var(--soft);
  border-radius: .25rem;
}
.site pre code { padding: 0; font: inherit; background: none; }
.site table { width: 100%; margin: 0 0 1.25rem; border-collapse: collapse; }
.site th, .site td {
  padding: .5rem .75rem .5rem 0; text-align: left; vertical-align: top;
  border-bottom: 1px solid var(--hair); overflow-wrap: break-word;
}
.site thead th { font-weight: 600; }
.site tbody th { font-weight: 400; }
.halves { display: grid; grid-template-columns: minmax(0, 6fr) minmax(0, 5fr); gap: 0 3rem; }
.site main .entries {
  display: grid; grid-template-columns: repeat(auto-fill, minmax(min(26rem, 100%), 1fr));
  gap: 0 3rem; padding: 0; list-style: none;
}
.site main .entries li { margin: 0; padding: .85rem 0; border-top: 1px solid var(--hair); }
.entries a, .entries strong { font-weight: 600; }
.entries p { margin: .15rem 0 0; color: var(--quiet); }
.side nav { position: sticky; top: 1.5rem; max-height: calc(100vh - 3rem); overflow-y: auto; }
.side ul { margin: 0; padding: 0; list-style: none; }
.side li a { display: block; padding: .3rem 0; color: var(--quiet); text-decoration: none; }
.side li a:hover { color: var(--accent); text-decoration: underline; }
.side a[aria-current] { color: var(--accent); font-weight: 600; }
.updated { color: var(--quiet); }
@media (max-width: 52rem) {
  .with-side, .halves { grid-template-columns: minmax(0, 1fr); }
  .side { padding: 1.5rem 0 0; }
  .side nav { position: static; max-height: none; }
  .side .contents, .side:has(> .contents) { display: none; }
  .site main { padding-top: 1.75rem; }
}
@media print {
  :root {
    color-scheme: light; --text: #000; --quiet: #333; --surface: #fff; --ground: #fff;
    --soft: #fff; --accent: #000;
  }
  .skip, .side, .site nav, .site .actions { display: none; }
  .with-side, .halves { display: block; }
  .site main { max-width: none; padding: 1rem 0; }
  .copy { display: none; }
  .site main a[href^="http"]::after { content: " (" attr(href) ")"; }
  h1, h2, h3 { break-after: avoid; }
  pre, tr, .cards li { break-inside: avoid; }
}
`);
