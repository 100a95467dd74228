import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { routesPage } from '../../src/commands/docs/routes-page.ts';
import { sharedApp } from '../support/shared-app.ts';
import { it } from '../support/test.ts';

const page = () => readFile(join(import.meta.dirname, '../../docs/routes.md'), 'utf8');

/** The rows of the operations and errors that every service has, whatever its settings. */
const rowsOf = (text: string): string[] => text.split('\n').filter((line) => line.startsWith('| '));

describe('docs/routes.md', () => {
  it('lists every route with its scope and limit, and every error, as they are', async () => {
    const app = await sharedApp('limited');
    const listed = rowsOf(await page());
    expect(listed).toEqual(rowsOf(routesPage(app.http)));
    expect(listed.length).toBeGreaterThan(900);
  });
});
