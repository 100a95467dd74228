import { type RawBuilder, sql } from 'kysely';
import { isTagged, mailboxOf } from '../../lib/mailbox.ts';
import { foldCase } from './fold-case.ts';
import type { Tables } from './tables.ts';

/** A person whose data is exported or deleted, by everything that names them. */
export interface Person {
  userId: string;
  /** Verified addresses in lower case, and verified numbers (E.164). */
  emails: readonly string[];
  phones: readonly string[];
  /** HMACs that stand for them in the audit log and in the delivery log. */
  identifierHashes: readonly string[];
  recipientHashes: readonly string[];
}

/** What happens to rows when their person's account is deleted. */
type OnDeletion =
  /** `of` selects what goes, where that is more than what the export shows. */
  | { action: 'delete'; of?: PersonalRows['of'] }
  /** Sets columns. `keeps` says what stays, why and for how long. */
  | { action: 'clear'; set: Readonly<Record<string, RawBuilder<unknown>>>; keeps: string }
  /** `keeps` says what stays, why and for how long. */
  | { action: 'keep'; keeps: string };

/** Rows of one table that are about a person, for one reason. */
export interface PersonalRows {
  table: keyof Tables;
  /** Their name in the export, such as `devices`. Also the name of the CSV file. */
  title: string;
  /** A sentence for the person: what these rows are. */
  about: string;
  /** The columns that name the person. */
  names: readonly string[];
  /** The condition that selects the person's rows. */
  of: (person: Person) => RawBuilder<boolean>;
  /** The columns in the export. Never secrets, or what names someone else. */
  shows: readonly string[];
  /** A unique column, to read the rows in pages. */
  key: string;
  onDeletion: OnDeletion;
}

/** What an area knows about people. */
export interface AreaPersonalData {
  /** Name of the file in the export. */
  area: string;
  /** In the order in which deletion handles them: rows that others are found by come last. */
  rows: readonly PersonalRows[];
  /** Columns with names like personal ones that name nobody, as `table.column`, and why. */
  namesNobody?: Readonly<Record<string, string>>;
}

type Columns<Table extends keyof Tables> = readonly (keyof Tables[Table] & string)[];

interface TypedRows<Table extends keyof Tables> extends PersonalRows {
  table: Table;
  names: Columns<Table>;
  shows: Columns<Table>;
  key: keyof Tables[Table] & string;
}

/** Defines rows with columns that the table's type has. */
export const personalRows = <Table extends keyof Tables>(rows: TypedRows<Table>): PersonalRows =>
  rows;

/** The condition that a column of ids, as text or uuid, names the user. */
export const isUser =
  (column: string) =>
  ({ userId }: Person): RawBuilder<boolean> =>
    sql`${sql.ref(column)}::text = ${userId}`;

/** The condition that a column has one of these texts. */
export const isOneOf = (column: string, values: readonly string[]): RawBuilder<boolean> =>
  sql`${sql.ref(column)} = any(${[...values]}::text[])`;

/** SQL for the mailbox of an address, as `mailboxOf` finds it. */
function mailboxSql(column: string): RawBuilder<string> {
  const address = foldCase(sql.ref(column));
  const plain = sql`regexp_replace(${address}, '^([^@][^+@]*)[+][^@]*@', ${String.raw`\1@`})`;
  return sql<string>`case when ${address} ~ '@(gmail|googlemail)[.]com$'
    then replace(split_part(${plain}, '@', 1), '.', '') || '@gmail.com' else ${plain} end`;
}

/** The condition that a column has exactly an address of the person, case-insensitive. */
export const isAddressOf = (column: string, { emails }: Pick<Person, 'emails'>) =>
  sql<boolean>`${foldCase(sql.ref(column))} = any(${[...emails]}::text[])`;

/**
 * The condition that a column has an address of the person, or another spelling of a mailbox
 * (`ada+news@`) of which they have the plain address (`ada@`) and no other account has any. For
 * deletions only: whoever has `ada+news@` need not be who has `ada@` or `ada+x@`.
 */
export function isMailboxOf(
  column: string,
  { userId, emails }: Pick<Person, 'userId' | 'emails'>,
): RawBuilder<boolean> {
  const mailboxes = emails.filter((email) => !isTagged(email)).map(mailboxOf);
  const mailbox = mailboxSql(column);
  return sql<boolean>`(${isAddressOf(column, { emails })}
    or (${mailbox} = any(${mailboxes}::text[]) and not exists (
      select from identities as other where other.kind = 'email'
        and other.verified_at is not null and other.user_id::text <> ${userId}
        and ${mailboxSql('other.key')} = ${mailbox})))`;
}

/** For a column that named the person and must not be empty. */
export const deletedUser = 'deleted user';
