import { sql } from 'kysely';
import type { Migration } from 'kysely';

/**
 * Adds `fold_case(text)`, which makes every letter lower-case. `lower` alone follows the locale of
 * the database: under `C` it leaves É as it is, under a Turkish one it turns I into ı. The function
 * uses it where it is right, or else the first collation of the server that is.
 */
export const foldCase: Migration = {
  async up(db) {
    await sql`do $$
      declare
        candidate name;
        folded text;
        body text := 'lower($1)';
      begin
        if lower('ÉIЖ') <> 'éiж' then
          for candidate in
            select collname from pg_catalog.pg_collation
            where collnamespace = 'pg_catalog'::regnamespace and (
              collname = 'und-x-icu'
              or collencoding = pg_char_to_encoding(getdatabaseencoding())
                and collname in ('pg_c_utf8', 'C.utf8', 'C.UTF-8', 'en_US.utf8'))
            order by collname <> 'und-x-icu', collname
          loop
            execute format('select lower(%L collate %I)', 'ÉIЖ', candidate) into folded;
            if folded = 'éiж' then
              body := format('lower($1 collate pg_catalog.%I)', candidate);
              exit;
            end if;
          end loop;
        end if;
        execute format(
          'create function fold_case(text) returns text language sql immutable parallel safe as %L',
          'select ' || body);
      end $$`.execute(db);
  },
};
