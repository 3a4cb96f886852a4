import type { MachineView } from '../../../preload/contract/index';
import type { KnownName } from './hide-names';

/** Accounts and hosts that many systems have, or words of their own: as names they tell nothing. */
const COMMON_NAMES = new Set(
  'root user users admin guest test dev app node runner docker ubuntu debian local localhost'.split(' '),
);
/** A shorter name stands in the middle of ordinary sentences. */
const SHORTEST = 3;

/**
 * What must not stand in a report: folders, account and host of this computer, and of every machine its names, address,
 * account and home folder. Machines are numbered in the order of `machines`, this computer left out.
 */
export function knownNames(
  here: {
    readonly home: string;
    readonly dataDir: string;
    /** The workbench's own folder. */
    readonly project: string;
    readonly user: string;
    readonly hostname: string;
  },
  machines: readonly MachineView[],
): readonly KnownName[] {
  const names: KnownName[] = [];
  const add = (name: string | null | undefined, as: string): void => {
    if (name === null || name === undefined || name.length < SHORTEST) return;
    if (!COMMON_NAMES.has(name.toLowerCase())) names.push({ name, as });
  };
  const addHost = (host: string | null | undefined, as: string): void => {
    add(host, as);
    // "gpu1" of "gpu1.lab.edu"; an IP address has no such short name.
    if (host !== null && host !== undefined && /[a-z]/i.test(host)) add(host.split('.')[0], as);
  };
  let number = 0;
  for (const { spec, facts } of machines) {
    if (spec.kind !== 'local') number += 1;
    const as = spec.kind === 'local' ? '<this computer>' : `<machine ${number}>`;
    if (spec.kind !== 'local') {
      add(spec.id, as);
      add(spec.name, as);
      const at = spec.host === null ? -1 : spec.host.lastIndexOf('@');
      if (at >= 0) add(spec.host?.slice(0, at), '<user>');
      addHost(spec.host?.slice(at + 1), as);
    }
    addHost(facts?.hostname, as);
    add(facts?.user, '<user>');
    add(folder(facts?.home), '~');
  }
  addHost(here.hostname, '<this computer>');
  add(here.user, '<user>');
  add(folder(here.home), '~');
  add(folder(here.project), '<workbench>');
  add(folder(here.dataDir), '<data folder>');
  return names;
}

/** The names that people gave to studies, jobs and trainings, to be hidden after hosts and accounts, which may have them. */
export function userNames(names: readonly string[]): readonly KnownName[] {
  return names.filter(({ length }) => length >= SHORTEST).map((name) => ({ name, as: '<name>' }));
}

/** null: a home such as "/" or "/root", which everybody's can be. */
function folder(path: string | undefined): string | null {
  return path === undefined || path === '/' || path === '/root' ? null : path.replace(/\/$/, '');
}
