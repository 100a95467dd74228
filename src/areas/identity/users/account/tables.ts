import type { Generated } from 'kysely';

/** Pictures that users have uploaded. */
interface AvatarsTable {
  user_id: string;
  /** Start of the image's SHA-256, lower-case hex. It is a part of the URL. */
  hash: string;
  /** WebP, 256 pixels square, without metadata. */
  image: Buffer;
  created_at: Date;
}

/** Copies of users' data: the newest of each user, for a day. */
export interface DataExportsTable {
  /** UUID version 7. */
  id: string;
  user_id: string;
  state: 'queued' | 'running' | 'ready' | 'failed';
  /** Parts that are collected, of `total`. */
  done: Generated<number>;
  total: number;
  /** Bytes of the file. */
  size: number | null;
  requested_at: Date;
  finished_at: Date | null;
}

/** The file of an export in parts. */
interface DataExportChunksTable {
  export_id: string;
  position: number;
  bytes: Buffer;
}

/** Deleted accounts whose sessions have to be ended and whose last message has to be sent. */
interface AccountErasuresTable {
  /** The id that the user had. */
  id: string;
  /** A sealed `Farewell`. */
  sealed: string;
  erased_at: Date;
}

declare module '../../../../platform/database/tables.ts' {
  interface Tables {
    avatars: AvatarsTable;
    data_exports: DataExportsTable;
    data_export_chunks: DataExportChunksTable;
    account_erasures: AccountErasuresTable;
  }
}
