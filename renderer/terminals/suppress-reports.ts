import type { IDisposable, IParser } from '@xterm/xterm';

/**
 * Queries of programs to the terminal, which it answers as if the answer had been typed (xterm's "Control
 * Sequences": DA, DSR, DECRQM, XTVERSION, the colours of OSC). When output is replayed, or tmux
 * answers already, a second answer would end up in the shell as typed text.
 */
const CSI = [
  { final: 'c' },
  { prefix: '>', final: 'c' },
  { prefix: '=', final: 'c' },
  { final: 'n' },
  { prefix: '?', final: 'n' },
  { intermediates: '$', final: 'p' },
  { prefix: '?', intermediates: '$', final: 'p' },
  { prefix: '>', final: 'q' },
  { prefix: '?', final: 'u' },
  { final: 't' },
] as const;
const OSC_COLOURS = [4, 10, 11, 12] as const;

/** Suppresses the answers while `isSuppressed`. */
export function suppressReports(parser: IParser, isSuppressed: () => boolean): IDisposable {
  const handlers: readonly IDisposable[] = [
    ...CSI.map((id) => parser.registerCsiHandler(id, isSuppressed)),
    ...OSC_COLOURS.map((id) => parser.registerOscHandler(id, (data) => data.includes('?') && isSuppressed())),
    // DECRQSS and XTGETTCAP
    parser.registerDcsHandler({ intermediates: '$', final: 'q' }, isSuppressed),
    parser.registerDcsHandler({ intermediates: '+', final: 'q' }, isSuppressed),
  ];
  return {
    dispose: () => {
      for (const handler of handlers) handler.dispose();
    },
  };
}
