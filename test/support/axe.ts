import axe from 'axe-core';
import type { Page } from 'playwright-core';

/**
 * Runs all rules of axe-core on the page, except within the elements that match `exclude`. Returns
 * the violations: the rule, and the markup of each element.
 */
export async function axeViolations(page: Page, exclude: string[] = []): Promise<string[]> {
  if (!(await page.evaluate<boolean>('"axe" in globalThis'))) await page.evaluate(axe.source);
  // On large pages, describing the elements that pass takes longer than the rules.
  return page.evaluate<string[]>(
    `axe.run({ exclude: ${JSON.stringify(exclude)} }, { resultTypes: ['violations'] })
      .then(({ violations }) => violations.map(({ id, nodes }) =>
        id + ': ' + nodes.map(({ html }) => html.slice(0, 140)).join(' | ')))`,
  );
}
