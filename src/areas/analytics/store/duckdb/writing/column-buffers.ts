import duckdb from '@duckdb/node-bindings';

/** Rows per DuckDB vector. */
export const chunkRows = 2048;

const two32 = 4_294_967_296;
const hex = (text: string, from: number, to: number) => Number.parseInt(text.slice(from, to), 16);

/** A column of a chunk, filled in JavaScript memory and copied to DuckDB in one call. */
export interface Column {
  setNull: (row: number) => void;
  /** Copies the values and the validity mask, and resets the mask. */
  flush: (rows: number) => void;
}

function createMask() {
  const bits = new Uint8Array(chunkRows / 8).fill(255);
  let dirty = false;
  return {
    setNull(row: number): void {
      bits[row >> 3] = (bits[row >> 3] ?? 0) & ~(1 << (row & 7));
      dirty = true;
    },
    flush(vector: duckdb.Vector): void {
      duckdb.vector_ensure_validity_writable(vector);
      duckdb.copy_data_to_vector_validity(vector, 0, bits.buffer, 0, bits.byteLength);
      if (dirty) bits.fill(255);
      dirty = false;
    },
  };
}

function createColumn(vector: duckdb.Vector, data: ArrayBuffer, bytesPerRow: number): Column {
  const mask = createMask();
  return {
    setNull: (row) => mask.setNull(row),
    flush(rows: number): void {
      duckdb.copy_data_to_vector(vector, 0, data, 0, rows * bytesPerRow);
      mask.flush(vector);
    },
  };
}

/** A column of numbers that fit `Type` (booleans: 0 and 1). */
export function numberColumn(
  vector: duckdb.Vector,
  Type: new (rows: number) => {
    buffer: ArrayBufferLike;
    BYTES_PER_ELEMENT: number;
    [row: number]: number;
  },
) {
  const values = new Type(chunkRows);
  const column = createColumn(vector, values.buffer as ArrayBuffer, values.BYTES_PER_ELEMENT);
  return { ...column, set: (row: number, value: number): void => void (values[row] = value) };
}

/** A column of unsigned 64-bit integers. */
export function bigintColumn(vector: duckdb.Vector) {
  const values = new BigUint64Array(chunkRows);
  return {
    ...createColumn(vector, values.buffer, 8),
    set: (row: number, value: bigint): void => void (values[row] = value),
  };
}

/** A column of Unix milliseconds (TIMESTAMP_MS). */
export function timeColumn(vector: duckdb.Vector) {
  const words = new Uint32Array(chunkRows * 2);
  return {
    ...createColumn(vector, words.buffer, 8),
    set(row: number, ms: number): void {
      words[row * 2] = ms % two32;
      words[row * 2 + 1] = Math.floor(ms / two32);
    },
  };
}

/** A column of UUIDs: DuckDB stores them as 128-bit integers with the top bit flipped. */
export function uuidColumn(vector: duckdb.Vector) {
  const words = new Uint32Array(chunkRows * 4);
  return {
    ...createColumn(vector, words.buffer, 16),
    set(row: number, uuid: string): void {
      const offset = row * 4;
      words[offset + 3] = (hex(uuid, 0, 8) ^ 0x80000000) >>> 0;
      words[offset + 2] = hex(uuid, 9, 13) * 65_536 + hex(uuid, 14, 18);
      words[offset + 1] = hex(uuid, 19, 23) * 65_536 + hex(uuid, 24, 28);
      words[offset] = hex(uuid, 28, 36);
    },
  };
}

/** A column of texts. */
export function textColumn(vector: duckdb.Vector) {
  const mask = createMask();
  return {
    setNull: (row: number) => mask.setNull(row),
    flush: () => mask.flush(vector),
    set: (row: number, text: string) => duckdb.vector_assign_string_element(vector, row, text),
  };
}
