import { emptyRegistry, type RegistryData, registrySchema } from './registry-data';

/**
 * A value of a registry file that this version cannot read; a newer one may have written it. It is kept as it is and
 * written back, so that the newer version finds it again.
 */
export type UnreadValue = {
  readonly section: string;
  /** Its index in a list, its name among fields, or null: it is the whole section. */
  readonly at: number | string | null;
  readonly value: unknown;
};

export type SectionsReading = {
  /** All sections; what cannot be read is as in an empty registry. */
  readonly data: RegistryData;
  readonly unread: readonly UnreadValue[];
  /** Sections that are missing or of another kind, such as a number in place of the studies. */
  readonly damaged: readonly string[];
};

type Fields = Readonly<Record<string, unknown>>;

const EMPTY: Fields = emptyRegistry;

/** Reads each section for itself, and each element of a list or field of a section, so that none costs the others. */
export function readSections(file: Fields): SectionsReading {
  const read: Record<string, unknown> = {};
  const unread: UnreadValue[] = [];
  const damaged: string[] = [];
  for (const [section, schema] of Object.entries(registrySchema.shape)) {
    const raw = file[section];
    const initial = EMPTY[section];
    if (Array.isArray(raw) && Array.isArray(initial)) {
      const isRead = raw.map((value) => schema.safeParse([value]).success);
      read[section] = raw.filter((_, at) => isRead[at]);
      for (const [at, value] of raw.entries()) if (!isRead[at]) unread.push({ section, at, value });
    } else if (isFields(raw) && isFields(initial)) {
      let fields = initial;
      for (const [at, value] of Object.entries(raw)) {
        const parsed = schema.safeParse({ ...initial, [at]: value });
        // A name that the schema does not know is left out by it.
        if (parsed.success && Object.hasOwn(parsed.data as Fields, at)) fields = { ...fields, [at]: value };
        else unread.push({ section, at, value });
      }
      read[section] = fields;
    } else if (schema.safeParse(raw).success) read[section] = raw;
    else {
      read[section] = initial;
      if (initial === null) unread.push({ section, at: null, value: raw });
      else damaged.push(section);
    }
  }
  for (const [section, value] of Object.entries(file)) {
    if (!Object.hasOwn(read, section)) unread.push({ section, at: null, value });
  }
  return { data: registrySchema.parse(read), unread, damaged };
}

/** The written data: every unread value is kept in its place, unless something was set there since. */
export function withUnread(data: RegistryData, unread: readonly UnreadValue[]): Fields {
  const file: Record<string, unknown> = { ...data };
  for (const { section, at, value } of unread) {
    const now = file[section];
    if (at === null) file[section] = now ?? value;
    else if (typeof at === 'number') file[section] = (now as unknown[]).toSpliced(at, 0, value);
    else {
      const fields = now as Fields;
      const initial = EMPTY[section] as Fields;
      const isUnset = JSON.stringify(fields[at]) === JSON.stringify(initial[at]);
      if (isUnset) file[section] = { ...fields, [at]: value };
    }
  }
  return file;
}

/** For a message, e.g. "settings.theme, studies 3". */
export function unreadNames(unread: readonly UnreadValue[]): string {
  return unread
    .map(({ section, at }) => {
      if (at === null) return section;
      return typeof at === 'number' ? `${section} ${at + 1}` : `${section}.${at}`;
    })
    .join(', ');
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
