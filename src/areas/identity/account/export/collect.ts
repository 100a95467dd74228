import type {
  AreaPersonalData,
  Person,
  PersonalRows,
} from '../../../../platform/database/personal-data.ts';
import type { AccountParts } from '../context.ts';
import { sessionsOfPerson } from '../person-stores.ts';
import type { ExportPart } from './archive.ts';
import { createPersonReads, type ReadPersonalRows, type Row } from './store.ts';

const pageSize = 1000;
/** Of each list. Far more than a person causes in the 400 days of the audit log. */
const maxRows = 100_000;

/** The rows that an export shows, with the area they belong to. */
const shownRows = (
  personalData: readonly AreaPersonalData[],
): { area: string; rows: PersonalRows }[] =>
  personalData.flatMap(({ area, rows }) =>
    rows.flatMap((each) => (each.shows.length === 0 ? [] : [{ area, rows: each }])),
  );

async function readAll(
  readRows: ReadPersonalRows,
  from: PersonalRows,
  person: Person,
): Promise<{ rows: Row[]; isCut: boolean }> {
  const rows: Row[] = [];
  let after: string | undefined;
  do {
    const page = await readRows(from, person, { limit: pageSize, after });
    rows.push(...page.rows);
    after = page.last;
  } while (after !== undefined && rows.length < maxRows);
  return { rows, isCut: after !== undefined };
}

/** Reads everything the service knows of a user. */
export function createCollect({ db, personalData, sessions, findPerson }: AccountParts) {
  const readRows = createPersonReads(db);
  const lists = shownRows(personalData);
  const stores = [sessionsOfPerson(sessions)];
  return { collect, total: lists.length + stores.length };

  async function collect(
    userId: string,
    onPart: (done: number) => Promise<void>,
  ): Promise<ExportPart[]> {
    const { person } = await findPerson(db, userId);
    const parts: ExportPart[] = [];
    for (const { area, rows: from } of lists) {
      const { title, about, shows: columns } = from;
      parts.push({ area, title, about, columns, ...(await readAll(readRows, from, person)) });
      await onPart(parts.length);
    }
    for (const { read, ...store } of stores) {
      parts.push({ ...store, rows: await read(userId), isCut: false });
      await onPart(parts.length);
    }
    return parts;
  }
}

export type Collect = ReturnType<typeof createCollect>['collect'];
