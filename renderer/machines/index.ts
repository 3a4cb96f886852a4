/** Computers that run jobs: the list, one of them, and the form that adds one. */
export { EditMachineScreen, NewMachineScreen } from './machine-form';
export { MachineScreen } from './machine-screen';
export { MachinesScreen } from './machines-screen';
export { UsageScreen } from './usage-screen';
