import type { PortForward } from '../forward';

/** The address of a forwarded port in a browser of this computer. */
export function forwardAddress({ localPort }: Pick<PortForward, 'localPort'>): string {
  return `http://127.0.0.1:${localPort}`;
}

/** At most this many are offered, the last ones of the log. */
const MAX_PORTS = 4;
/** "http://0.0.0.0:6006/", "https://gpu-a.lab.example:8888/lab?token=..." */
const ADDRESS = /https?:\/\/[\w.-]{1,253}:(\d{1,5})(?!\d)/g;

/** Ports of the web addresses in a piece of a log, the last one first. */
export function portsInLog(text: string): readonly number[] {
  const ports = [...text.matchAll(ADDRESS)]
    .map(([, port]) => Number(port))
    .filter((port) => port >= 1 && port <= 65_535)
    .reverse();
  return [...new Set(ports)].slice(0, MAX_PORTS);
}
