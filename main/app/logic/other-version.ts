/** How a service's version or build differs from a program's; null: they are the same. */
export function versionGap(service: string, own: string): 'older' | 'newer' | 'other build' | null {
  if (service === own) return null;
  const [theirs, ours] = [numbersOf(service), numbersOf(own)];
  for (let at = 0; at < Math.max(theirs.length, ours.length); at++) {
    const difference = (theirs[at] ?? 0) - (ours[at] ?? 0);
    if (difference !== 0) return difference < 0 ? 'older' : 'newer';
  }
  return 'other build';
}

/** Of "0.1.0+3f2a9c1d": 0, 1 and 0. */
function numbersOf(version: string): number[] {
  return (version.split('+')[0] ?? '').split('.').map((part) => Number.parseInt(part, 10) || 0);
}

/** The program that compares itself with the holder of the data folder: its version with its build, and its name. */
export type OwnVersion = { readonly version: string; readonly name: string };

/**
 * Says that who has the data folder open is of another version or build than `own`, and what to do; null: it is of the same.
 * `upgrade`: the end of a sentence that says how a service is brought to this version; null: a button beside it does that.
 */
export function otherVersionText(
  { kind, version }: { readonly kind: 'service' | 'window' | 'terminal'; readonly version: string },
  own: OwnVersion,
  upgrade: string | null,
): string | null {
  const gap = versionGap(version, own.version);
  if (gap === null) return null;
  const who = kind === 'service' ? 'The background service' : `The ${kind} that has this data folder open`;
  if (gap === 'newer')
    return `${who} is version ${version}, newer than ${own.name} (${own.version}): use the workbench of that version.`;
  const how = kind === 'service' && upgrade !== null ? ` To bring it to this one: ${upgrade}` : '';
  return `${who} is version ${version}, ${own.name} is ${own.version}: some things may not work until both are the same.${how}`;
}
