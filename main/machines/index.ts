/** machine: a computer that runs jobs. Here: this one; others come behind the same `Machine`. */
export { createLocalMachine } from './local-machine';
export { linuxMark, parseProcessStat } from './logic/process-stat';
export type { DetachedCommand, FileSlice, Machine, Signal } from './machine';
export { openTerminal, Terminal, type TerminalEnd, type TerminalOptions } from './terminal';
