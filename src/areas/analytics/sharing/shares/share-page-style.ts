import { sha256Hex } from '../../../../lib/secrets/secrets.ts';

/** Styles of share pages, in addition to those of all pages. */
export const shareStyle = `.periods, .totals {
  display: flex; flex-wrap: wrap; gap: .5rem 1rem; padding: 0; list-style: none;
}
.periods [aria-current] { font-weight: 700; color: inherit; text-decoration: none; }
.totals {
  display: grid; grid-template-columns: repeat(auto-fill, minmax(8rem, 1fr)); margin: 1rem 0;
}
.totals div {
  display: block; padding: .75rem; border: 1px solid var(--line); border-radius: var(--radius);
}
.totals dt { font-size: .875rem; }
.totals .figure { font-size: 1.4rem; font-weight: 600; }
.totals .change { font-size: .875rem; color: var(--quiet); }
table { width: 100%; margin: 0 0 1rem; border-collapse: collapse; }
caption { padding: 1.25rem 0 .35rem; font-size: 1.1rem; font-weight: 600; text-align: start; }
th, td {
  padding: .35rem .5rem; border-bottom: 1px solid var(--line); text-align: end;
  vertical-align: top;
}
thead th { overflow-wrap: normal; }
th:first-child { width: 70%; text-align: start; padding-inline-start: 0; }
tbody th { font-weight: 400; }
td { font-variant-numeric: tabular-nums; }
`;

/** Path of the style sheet, with a hash of its content, so that browsers can cache it forever. */
export const shareStylePath = `/assets/share.${sha256Hex(shareStyle).slice(0, 12)}.css`;
