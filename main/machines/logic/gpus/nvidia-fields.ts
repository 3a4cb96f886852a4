/**
 * The fields to query from nvidia-smi for every GPU, each with its names: the newest first, then those of older
 * drivers. Both the query and the parser use this table. See `nvidia-smi --help-query-gpu`.
 */
const FIELDS = {
  index: ['index'],
  id: ['uuid'],
  name: ['name'],
  driver: ['driver_version'],
  busId: ['pci.bus_id'],
  utilisation: ['utilization.gpu'],
  memoryUsed: ['memory.used'],
  memoryTotal: ['memory.total'],
  temperature: ['temperature.gpu'],
  power: ['power.draw', 'power.draw.instant'],
  powerLimit: ['enforced.power.limit', 'power.limit'],
  migMode: ['mig.mode.current'],
  uncorrectedErrors: ['ecc.errors.uncorrected.volatile.total'],
  pagesPending: ['retired_pages.pending'],
  rowsPending: ['remapped_rows.pending'],
  resetRequired: ['reset_status.reset_required'],
  slowdowns: ['clocks_event_reasons.active', 'clocks_throttle_reasons.active'],
  recovery: ['gpu_recovery_action'],
  fabric: ['fabric.state'],
} as const satisfies Record<string, readonly [string, ...string[]]>;

type FieldKey = keyof typeof FIELDS;
const KEYS = Object.keys(FIELDS).filter((key): key is FieldKey => key in FIELDS);

/** One GPU as nvidia-smi wrote it; null for fields that were not queried, are not supported or could not be read. */
export type NvidiaRow = Readonly<Record<FieldKey, string | null>>;

/** The names to ask for first, separated by commas. */
export const NVIDIA_QUERY = KEYS.map((key) => FIELDS[key][0]).join(',');

/** For a name that a driver does not know, the next older name of the same thing ("" where there is none). */
export const NVIDIA_OLDER_NAMES: readonly (readonly [name: string, older: string])[] = KEYS.flatMap((key) =>
  FIELDS[key].map((name, index): readonly [string, string] => [name, FIELDS[key][index + 1] ?? '']),
);

const KEY_OF_NAME = new Map<string, FieldKey>(KEYS.flatMap((key) => FIELDS[key].map((name) => [name, key])));

/** Whether this is a list of our own names: only then is a machine's answer used in the next query. */
export function isNvidiaQuery(query: string): boolean {
  return query.split(',').every((name) => KEY_OF_NAME.has(name));
}

/** As the driver writes it; a MIG slice of older drivers has its GPU's in it. */
const GPU_UUID = /^(GPU|MIG)-[\w/-]{1,120}$/;

export function isGpuUuid(text: string): boolean {
  return GPU_UUID.test(text);
}

/**
 * One line of `--format=csv,noheader`, with or without `nounits`. `columns` are the names in the order of the query.
 * null when the line has another number of cells: then it is a message and no row.
 */
export function readNvidiaRow(line: string, columns: readonly string[]): NvidiaRow | null {
  const cells = line.split(',').map((cell) => cell.trim());
  if (cells.length !== columns.length) return null;
  const row: Record<FieldKey, string | null> = {
    index: null,
    id: null,
    name: null,
    driver: null,
    busId: null,
    utilisation: null,
    memoryUsed: null,
    memoryTotal: null,
    temperature: null,
    power: null,
    powerLimit: null,
    migMode: null,
    uncorrectedErrors: null,
    pagesPending: null,
    rowsPending: null,
    resetRequired: null,
    slowdowns: null,
    recovery: null,
    fabric: null,
  };
  columns.forEach((name, index) => {
    const key = KEY_OF_NAME.get(name);
    if (key !== undefined) row[key] = cellText(cells[index] ?? '');
  });
  // Older drivers, which have no field for it, write it in place of a number.
  if (cells.some((cell) => /requires reset/i.test(cell))) row.resetRequired = 'Yes';
  return row;
}

/** null for "[N/A]", "[Not Supported]", "[Unknown Error]", "[GPU requires reset]", "ERR!" and their like. */
export function cellText(cell: string): string | null {
  const text = cell.trim();
  if (text === '' || text.startsWith('[') || /^(N\/A|ERR!?|Unknown Error|Not Supported)$/i.test(text))
    return null;
  return text;
}

/** The number at the beginning of "11.64 W", "2 MiB", "91 %" or "27"; null where there is none. */
export function cellNumber(cell: string | null): number | null {
  const digits = cell === null ? null : /^-?\d+(\.\d+)?/.exec(cell.trim());
  return digits === null ? null : Number(digits[0]);
}
