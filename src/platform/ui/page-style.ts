/** Rules for all pages. */
export const pageStyle = `:root {
  color-scheme: light dark;
  --text: #1a1c1f;
  --quiet: #52565c;
  --ground: #f4f5f7;
  --surface: #ffffff;
  --line: #767b82;
  --accent: #0b57d0;
  --on-accent: #ffffff;
  --error: #b3261e;
  --radius: .5rem;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #e8eaed;
    --quiet: #b4b9c0;
    --ground: #131416;
    --surface: #1d1f22;
    --line: #8b9097;
    --accent: #a8c7fa;
    --on-accent: #062e6f;
    --error: #f2b8b5;
  }
}
*, ::before, ::after { box-sizing: border-box; }
body {
  margin: 0; font: 1rem/1.5 system-ui, sans-serif; color: var(--text);
  background: var(--ground); overflow-wrap: anywhere;
}
header, main, .small { max-width: 30rem; margin: 0 auto; padding: 1rem; }
.brand {
  display: inline-flex; align-items: center; gap: .6rem; padding: .25rem 0; font-weight: 650;
  color: var(--text); text-decoration: none;
}
.brand img { display: block; width: 1.6rem; height: 1.6rem; }
.brand:hover { text-decoration: underline; }
.small { padding-top: 0; font-size: .9375rem; }
.small ul {
  display: flex; flex-wrap: wrap; gap: 0 1.25rem; margin: 0; padding: 0; list-style: none;
}
.small a { display: block; padding: .4rem 0; color: var(--quiet); }
main { background: var(--surface); border-radius: var(--radius); margin-bottom: 1rem; }
main.wide, body:has(main.wide) :is(header, .small) { max-width: 44rem; }
h1 { margin: 0 0 .75rem; font-size: 1.5rem; line-height: 1.25; }
h2 { margin: 2rem 0 .5rem; font-size: 1.2rem; }
h3 { margin: 0 0 .5rem; font-size: 1rem; }
a { color: var(--accent); }
label { display: block; font-weight: 600; }
input {
  width: 100%; padding: .6rem; margin: .25rem 0 1rem; font: inherit; color: inherit;
  background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius);
}
input.short { display: block; width: 6rem; }
input[aria-invalid] { border: 2px solid var(--error); }
button {
  padding: .6rem 1rem; margin: 0 0 .75rem; font: inherit; font-weight: 600;
  color: var(--on-accent); background: var(--accent); border: 1px solid var(--accent);
  border-radius: var(--radius); cursor: pointer;
}
button.second { color: var(--accent); background: transparent; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.hint { margin: 0; color: var(--quiet); }
.error { margin: 0; color: var(--error); font-weight: 600; }
.notice {
  margin: 0 0 1rem; padding: .75rem; border: 1px solid var(--line);
  border-radius: var(--radius);
}
.qr { display: block; width: 100%; max-width: 15rem; margin: 1rem 0; background: #ffffff; }
.passkey { margin: 1.5rem 0 0; }
.codes { padding: 0; list-style: none; font-family: ui-monospace, monospace; font-size: 1.1rem; }
.sessions { padding: 0; list-style: none; }
.sessions li { padding: .75rem 0; border-top: 1px solid var(--line); }
.sessions p { margin: 0 0 .5rem; }
h2 + h3 { margin-top: 0; }
ul + h3, form + h3, p + h3, noscript + h3 { margin-top: 1.5rem; }
.mark {
  padding: .1rem .5rem; font-size: .875rem; font-weight: 600; color: var(--accent);
  border: 1px solid currentcolor; border-radius: 1rem;
}
aside.notice h2 { margin: 0; }
aside.notice { margin: 1.5rem 0 0; }
article { padding: .75rem 0; border-top: 1px solid var(--line); }
article h2 { margin: 0; }
article p { margin: 0 0 .5rem; }
dl { margin: 0 0 1rem; }
dl div { display: grid; grid-template-columns: 8rem 1fr; gap: 0 1rem; padding: .15rem 0; }
dt { color: var(--quiet); }
dd { margin: 0; }
details { margin: 0 0 .75rem; }
summary { width: fit-content; padding: .35rem 0; color: var(--accent); cursor: pointer; }
.state { font-weight: 600; }
.number {
  width: fit-content; margin: 1rem 0; padding: .25rem 1.5rem;
  font: 700 4rem/1.2 ui-monospace, monospace; letter-spacing: .25rem;
  border: 2px solid var(--accent); border-radius: var(--radius);
}
.row { display: flex; flex-wrap: wrap; gap: 0 .75rem; }
.spoken {
  position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden;
  clip-path: inset(50%); white-space: nowrap;
}
@media (max-width: 26rem) { dl div { grid-template-columns: 1fr; } }
pre { margin: 0; white-space: pre-wrap; font-size: 1rem; }
code { font-size: 1.1rem; }
`;
