import type { Database } from '../../../../platform/database/database.ts';
import type {
  AreaPersonalData,
  Person,
  PersonalRows,
} from '../../../../platform/database/personal-data.ts';
import type { PersonStore } from '../person-stores.ts';
import type { FindPerson } from '../persons.ts';
import type { ExportPart } from './archive.ts';
import type { ReadPersonalRows, Row } from './store.ts';

export interface CollectingDeps {
  db: Database;
  personalData: readonly AreaPersonalData[];
  stores: readonly PersonStore[];
  findPerson: FindPerson;
  readRows: ReadPersonalRows;
}

const pageSize = 1000;
/** Of each list. Far more than a person causes in the 400 days of the audit log. */
const maxRows = 100_000;

/** The rows that an export shows, with the area they belong to. */
export const shownRows = (
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

/** Creates the function that reads everything the service knows of a user. */
export function createCollecting(deps: CollectingDeps) {
  const { db, personalData, stores, findPerson, readRows } = deps;
  return async (userId: string, onPart: (done: number) => Promise<void>): Promise<ExportPart[]> => {
    const { person } = await findPerson(db, userId);
    const parts: ExportPart[] = [];
    for (const { area, rows: from } of shownRows(personalData)) {
      const { title, about, shows: columns } = from;
      parts.push({ area, title, about, columns, ...(await readAll(readRows, from, person)) });
      await onPart(parts.length);
    }
    for (const { read, ...store } of stores) {
      parts.push({ ...store, rows: await read(userId), isCut: false });
      await onPart(parts.length);
    }
    return parts;
  };
}

export type Collect = ReturnType<typeof createCollecting>;
