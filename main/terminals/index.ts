/** terminal: a shell on a machine that a person types into. */
export { createTerminalService } from './terminal-service';
export type { TerminalMachines, TerminalOutput, TerminalService, TerminalSize } from './terminals';
