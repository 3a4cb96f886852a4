import type { IDisposable, IParser } from '@xterm/xterm';

/**
 * Questions that programs ask a terminal, which it answers as if somebody had typed the answer (xterm's "Control
 * Sequences": DA, DSR, DECRQM, XTVERSION, the colours of OSC). Of what is drawn again, or is answered by tmux where the
 * shell lives, a second answer would end up in the shell as typed text.
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

/** While `isQuiet` says so, nothing is answered. */
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
