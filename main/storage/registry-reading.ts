import { z } from 'zod';
import { emptyRegistry, REGISTRY_VERSION, type RegistryData } from './registry-data';
import { readSections, type UnreadValue } from './registry-sections';

/** Brings a file of version `from` to version `from + 1`. */
export type Migration = { readonly from: number; readonly migrate: (old: unknown) => unknown };

/** damaged: `data` and `unread` are what could be read all the same. */
export type RegistryReading =
  | { readonly kind: 'read'; readonly data: RegistryData; readonly unread: readonly UnreadValue[] }
  | { readonly kind: 'newer'; readonly version: number }
  | {
      readonly kind: 'damaged';
      readonly why: string;
      readonly data: RegistryData;
      readonly unread: readonly UnreadValue[];
    };

const versioned = z.looseObject({ version: z.number().int().nonnegative() });

/** Parses the content of a registry file; migrates an older form step by step. */
export function readRegistryValue(value: unknown, migrations: readonly Migration[] = []): RegistryReading {
  const head = versioned.safeParse(value);
  if (!head.success) return unreadableRegistry('it has no version');
  if (head.data.version > REGISTRY_VERSION) return { kind: 'newer', version: head.data.version };
  let current: unknown = head.data;
  for (let version = head.data.version; version < REGISTRY_VERSION; version++) {
    const step = migrations.find((migration) => migration.from === version);
    if (step === undefined) return unreadableRegistry(`nothing is known of its version ${version}`);
    current = step.migrate(current);
  }
  const { data, unread, damaged } = readSections(versioned.parse(current));
  if (damaged.length === 0) return { kind: 'read', data, unread };
  return { kind: 'damaged', why: `"${damaged.join('", "')}" is not what it should be`, data, unread };
}

function unreadableRegistry(why: string): RegistryReading {
  return { kind: 'damaged', why, data: emptyRegistry, unread: [] };
}
