/** machine: a computer that runs jobs; this one, or one that ssh reaches, behind the same `Machine`. */

export { measureRoom, removeRoom } from './clean-machine';
export { fetchFolder } from './fetch-folder';
export { listFiles, readFilePiece, regularFile } from './files';
export { createMachineFleet, type MachineFleet } from './fleet';
export {
  checkLearner,
  learnerPaths,
  missingPackages,
  preparedLearner,
  shipLearner,
} from './learner';
export { createLocalMachine, nameInSentence } from './local-machine';
export { localManifest } from './local-manifest';
export type { MachineRoom, Removed } from './logic/clean-scripts';
export { FlowControl } from './logic/flow-control';
export { MIN_NODE_VERSION, NODE_LINES } from './logic/node-probe';
export { PORT_RANGE, portsScript, readFreePorts } from './logic/ports-probe';
export { linuxIdentity, parseProcessStat } from './logic/process-table';
export {
  type AsyncResult,
  type AttachedProcess,
  type FileSlice,
  type Forward,
  type Machine,
  spawnScript,
} from './machine';
export { createMachineMonitor, type MachineMonitor, type MonitoredFleet } from './monitor';
export { forwardToNode } from './node-hop';
export { createPortForwards, type ForwardRequest, type PortForwards } from './port-forwards';
export { contentName, findNode, ship } from './ship';
export { openTerminal, Terminal, type TerminalEnd } from './terminal';
