import { z } from 'zod';
import { terminalSizeSchema, terminalSnapshotSchema, terminalViewSchema } from '../terminal';
import { command, done, none } from './command';

const machineId = z.string().min(1);
const terminalId = z.string().min(1);

/** Shells on machines. */
export const terminalCommands = {
  'terminal.list': command(none, z.array(terminalViewSchema)),
  'terminal.open': command(z.strictObject({ machineId, ...terminalSizeSchema }), terminalSnapshotSchema),
  /** The output so far, for a window that shows it (again); later output comes as events. */
  'terminal.attach': command(z.strictObject({ terminalId }), terminalSnapshotSchema),
  'terminal.write': command(z.strictObject({ terminalId, text: z.string().max(1_048_576) }), done),
  'terminal.resize': command(z.strictObject({ terminalId, ...terminalSizeSchema }), done),
  /** The window has drawn this many more UTF-16 units; without acknowledgements output pauses. */
  'terminal.acknowledge': command(
    z.strictObject({ terminalId, units: z.number().int().nonnegative() }),
    done,
  ),
  /** Also ends the shell on the machine, with or without tmux. */
  'terminal.close': command(z.strictObject({ terminalId }), done),
  /**
   * Opens a URL from terminal output in the user's browser. Main shows it in full and asks first: a page cannot reach
   * the outside by itself.
   */
  'link.open': command(
    z.strictObject({ address: z.url({ protocol: /^https?$/ }).max(4_000) }),
    done,
    'window',
  ),
};
