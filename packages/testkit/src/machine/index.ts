export { type Machine, type MachineRun, openMachine } from './machine.ts'
