import type { FastifyInstance } from 'fastify';
import { sha256Hex } from '../../lib/secrets/secrets.ts';
import { withoutIndent } from '../../lib/text/without-indent.ts';

/** Rules for forms of the site. */
const formStyle = withoutIndent(`.form { max-width: 30rem; }
.site .form p { margin: 0; }
.site .form .plan { margin-bottom: .75rem; }
.form select {
  width: 100%; padding: .6rem; margin: .25rem 0 1rem; font: inherit; color: inherit;
  background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius);
}
.form select[aria-invalid] { border: 2px solid var(--error); }
.form .check {
  display: grid; grid-template-columns: auto 1fr; gap: 0 .75rem; align-items: start;
  margin: 0 0 1.25rem;
}
.form .check > p { grid-column: 1 / -1; }
.form .check input {
  width: 1.25rem; height: 1.25rem; margin: .15rem 0 0; accent-color: var(--accent);
}
.form .check label { font-weight: 400; }
.form .trap {
  position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap;
}
`);

const oneYear = 31_536_000;

/** The URL of the style sheet, with a hash of its content for long-term caching. */
export const formStylePath = `/assets/form.${sha256Hex(formStyle).slice(0, 12)}.css`;

/** Serves the style sheet of forms. */
export async function formAssets(app: FastifyInstance): Promise<void> {
  app.get(
    formStylePath,
    {
      schema: {
        operationId: 'pages.form_style',
        summary: 'Style sheet of forms',
        tags: ['pages'],
        hide: true,
      },
    },
    (_request, reply) =>
      reply
        .headers({ 'cache-control': `public, max-age=${oneYear}, immutable` })
        .type('text/css; charset=utf-8')
        .send(formStyle),
  );
}
