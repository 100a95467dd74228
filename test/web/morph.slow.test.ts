import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, usePage } from '../support/browser/browser.ts';

const part = (content: string) => `<section id="part">${content}</section>`;
const table = (...rows: string[]) =>
  part(`<table><thead><tr><th>Name</th><th>Views</th></tr></thead>
    <tbody>${rows.join('\n')}</tbody></table>`);
const form = (id: string, content = `<button>Approve</button>`) =>
  `<form method="post" action="/items/${id}">${content}</form>`;
const row = (name: string, cell = form(name), views = 1) =>
  `<tr><th>${name}</th><td>${views}</td><td>${cell}</td></tr>`;

describe.skipIf(!hasBrowser)('a part of a page that changes', () => {
  const sharedPage = usePage({});
  let page: Page;
  let script = '';

  beforeAll(async () => {
    const { outputFiles } = await build({
      entryPoints: ['src/web/page/morph.ts'],
      bundle: true,
      write: false,
      format: 'iife',
      globalName: 'web',
      target: 'es2022',
    });
    script = outputFiles[0]?.text ?? '';
    page = sharedPage();
  });

  async function show(html: string): Promise<void> {
    await page.setContent(`<!doctype html><title>Page</title><main>${html}</main>`);
    await page.addScriptTag({ content: script });
  }

  /** Changes the part, and expects that it then is as the newer edition, but for its state. */
  async function update(html: string): Promise<void> {
    await page.evaluate(`{
      const newer = new DOMParser().parseFromString(${JSON.stringify(html)}, 'text/html');
      web.morphPart(document.getElementById('part'), newer.getElementById('part'), (part) => {
        part.tabIndex = -1;
        part.focus({ preventScroll: true });
      });
    }`);
    expect(await page.locator('[id^=paired-]').count()).toBe(0);
    expect(await page.locator('#part').count()).toBe(1);
  }

  const rowOf = (name: string) =>
    page.locator('tr', { has: page.getByText(name, { exact: true }) });
  const focusedRow = () =>
    page.evaluate<string>(`document.activeElement.closest('tr')?.querySelector('th').textContent`);
  const isPartFocused = () => page.evaluate<boolean>(`document.activeElement.id === 'part'`);
  const names = () => page.locator('tbody th').allInnerTexts();

  it.each([
    ['inserted before', ['new', 'a', 'b', 'c'], true],
    ['inserted behind', ['a', 'b', 'new', 'c'], true],
    ['removed before', ['b', 'c'], true],
    ['re-sorted', ['c', 'b', 'a'], true],
    ['replaced around it', ['x', 'y', 'b', 'z'], true],
    ['replaced with it', ['a', 'x', 'c'], false],
    ['removed with it', ['a', 'c'], false],
  ])('keeps the focus in its row, or leaves it, with rows %s', async (_, newer, isKept) => {
    await show(table(row('a'), row('b'), row('c')));
    await rowOf('b').getByRole('button').focus();
    await update(table(...newer.map((name) => row(name, form(name), 2))));
    expect(await names()).toEqual(newer);
    expect(await page.locator('tbody td:nth-child(2)').allInnerTexts()).toEqual(
      newer.map(() => '2'),
    );
    if (isKept) expect(await focusedRow()).toBe('b');
    else expect(await isPartFocused()).toBe(true);
  });

  it('keeps the focus in browsers that move elements by removing them', async () => {
    await show(table(row('a'), row('b'), row('c')));
    await page.evaluate(`delete Element.prototype.moveBefore`);
    await rowOf('b').getByRole('button').focus();
    await update(table(row('c'), row('new'), row('b'), row('a')));
    expect(await names()).toEqual(['c', 'new', 'b', 'a']);
    expect(await focusedRow()).toBe('b');
  });

  it('tells rows with the same heading apart by what their buttons do', async () => {
    const laptop = (id: string) => row('Laptop', form(id));
    await show(table(laptop('1'), laptop('2')));
    await page.locator('[action="/items/2"] button').focus();
    await update(table(laptop('0'), laptop('1'), laptop('2')));
    expect(await page.evaluate(`document.activeElement.form.getAttribute('action')`)).toBe(
      '/items/2',
    );
    await update(table(laptop('0'), laptop('1')));
    expect(await isPartFocused()).toBe(true);
  });

  it('moves no focus to another button of the same form, and to no other action', async () => {
    const retry = '<button formaction="/retry">Retry</button>';
    const remove = '<button formaction="/remove">Remove</button>';
    await show(part(form('a', retry + remove)));
    await page.getByRole('button', { name: 'Retry' }).focus();
    await update(part(form('a', remove + retry)));
    expect(await page.locator(':focus').innerText()).toBe('Retry');
    await update(part(form('a', remove)));
    expect(await isPartFocused()).toBe(true);

    const role = (name: string) => `<input type="hidden" name="role" value="${name}">`;
    await show(part(form('a', `${role('viewer')}<button>Change</button>`)));
    await page.getByRole('button').focus();
    await update(part(form('a', `${role('admin')}<button>Change</button>`)));
    expect(await isPartFocused()).toBe(true);
  });

  it('keeps what is typed, chosen and selected while the rest changes', async () => {
    const content = (views: number, more = '') =>
      table(
        more,
        row(
          'a',
          form(
            'a',
            `<input name="note" value="x"><textarea name="text"></textarea>
            <select name="to"><option>One<option>Two</select>
            <input name="calm" value="${views}">`,
          ),
          views,
        ),
      );
    await show(content(1));
    await page.locator('textarea').fill('half a sen');
    await page.locator('select').selectOption('Two');
    await page.locator('[name=note]').fill('typed');
    await page.evaluate(`document.activeElement.setSelectionRange(1, 3)`);
    await update(content(2, row('before')));
    expect(await rowOf('a').locator('td').first().innerText()).toBe('2');
    expect(await page.locator('textarea').inputValue()).toBe('half a sen');
    expect(await page.locator('select').inputValue()).toBe('Two');
    expect(await page.locator('[name=note]:focus').inputValue()).toBe('typed');
    expect(
      await page.evaluate(
        `[document.activeElement.selectionStart, document.activeElement.selectionEnd]`,
      ),
    ).toEqual([1, 3]);
    expect(await page.locator('[name=calm]').inputValue()).toBe('2');
    await page.keyboard.type('!');
    expect(await page.locator('[name=note]').inputValue()).toBe('t!ed');
  });

  it('keeps checked boxes with their rows', async () => {
    const box = (name: string) =>
      `<tr><th><label><input type="checkbox" name="job[]" value="${name}">
        ${name}</label></th></tr>`;
    await show(table(box('a'), box('b')));
    await page.getByLabel('b').check();
    await update(table(box('new'), box('a'), box('b')));
    expect(await page.locator(':checked').count()).toBe(1);
    expect(await page.getByLabel('b').isChecked()).toBe(true);
  });

  it('keeps details, popovers, scroll positions and selected text', async () => {
    const details = (name: string) =>
      row(name, `<details><summary>More</summary><p>About ${name}</p></details>`);
    const content = (...all: string[]) =>
      `${table(...all).replace('</section>', '')}
      <button type="button" popovertarget="menu">Menu</button>
      <div id="menu" popover>Items</div>
      <pre tabindex="0" style="height: 40px; overflow: auto">${'line\n'.repeat(50)}</pre>
      </section>`;
    await show(content(details('a'), details('b')));
    await rowOf('b').locator('summary').click();
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.evaluate(`
      document.querySelector('pre').scrollTop = 100;
      getSelection().selectAllChildren(document.querySelector('[open] p'));
    `);
    await update(content(details('new'), details('a'), details('b')));
    expect(await page.locator('details[open] p').allInnerTexts()).toEqual(['About b']);
    expect(await page.locator(':popover-open').innerText()).toBe('Items');
    expect(await page.evaluate(`document.querySelector('pre').scrollTop`)).toBe(100);
    expect(await page.evaluate(`getSelection().toString().trim()`)).toBe('About b');
    await rowOf('b').locator('summary').click();
    await update(content(details('a'), details('b')));
    expect(await page.locator('details[open]').count()).toBe(0);
  });

  it('keeps a form busy that is being sent', async () => {
    await show(table(row('a')));
    await page.evaluate(`document.forms[0].ariaBusy = 'true'`);
    await update(table(row('new'), row('a')));
    expect(await rowOf('a').locator('form').getAttribute('aria-busy')).toBe('true');
    expect(await rowOf('new').locator('form').getAttribute('aria-busy')).toBeNull();
  });

  it('does not scroll when the focused element has gone', async () => {
    const all = Array.from({ length: 100 }, (_, at) => row(`row ${at}`));
    await show(table(...all));
    await rowOf('row 60').getByRole('button').focus();
    const position = () => page.evaluate<number>('scrollY');
    const before = await position();
    expect(before).toBeGreaterThan(0);
    await update(table(...all.map((each, at) => (at === 60 ? row('other') : each))));
    expect(await isPartFocused()).toBe(true);
    expect(Math.abs((await position()) - before)).toBeLessThan(2);
    await update(table(...all));
    expect(await isPartFocused()).toBe(true);
  });
});
