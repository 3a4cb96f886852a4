import type { Origin } from '../provenance';
import { provenanceDifferences, provenanceText } from './provenance-text';

/** The servers that a study asked, with what made each of their starts, to be printed. */
export function originsText(origins: readonly Origin[]): string {
  return origins
    .map((origin) => {
      const { name, at, workbench, provenance } = origin;
      const head = `${name}, ${locationOf(origin)}, first asked ${at} by workbench ${workbench}`;
      return provenance === null
        ? `${head}: nothing more is recorded.`
        : `${head}:\n${provenanceText(provenance)}`;
    })
    .join('\n\n');
}

/**
 * What differs in the servers that two studies asked, a sentence each, by the names of their models; of a server that was
 * started several times the last start counts. The first study's value always comes first.
 */
export function originDifferences(first: readonly Origin[], second: readonly Origin[]): readonly string[] {
  const [ones, others] = [lastByName(first), lastByName(second)];
  const [before, after] = [first.at(-1)?.workbench, second.at(-1)?.workbench];
  const searched =
    before === undefined || after === undefined || before === after
      ? []
      : [`Searched by workbench ${before}, and ${after}.`];
  return [
    ...searched,
    ...[...new Set([...ones.keys(), ...others.keys()])].flatMap((name) =>
      differencesOf(name, ones.get(name), others.get(name)),
    ),
  ];
}

function differencesOf(name: string, one: Origin | undefined, other: Origin | undefined): readonly string[] {
  if (one === undefined) return [`${name}: used only by the second.`];
  if (other === undefined) return [`${name}: used only by the first.`];
  if (one.provenance !== null && other.provenance !== null) {
    return provenanceDifferences(one.provenance, other.provenance).map((sentence) => `${name}: ${sentence}`);
  }
  const [here, there] = [locationOf(one), locationOf(other)];
  return here === there ? [] : [`${name}: ${here}, and ${there}.`];
}

function lastByName(origins: readonly Origin[]): ReadonlyMap<string, Origin> {
  return new Map(origins.map((origin) => [origin.name, origin]));
}

function locationOf({ address, machineId }: Origin): string {
  return address ?? `on ${machineId ?? 'an unknown machine'}`;
}
