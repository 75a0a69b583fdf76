import type { Troubles } from './troubles.ts'

const texts = {
  exception: 'An unexpected error occurred in Pulse. Pulse keeps running; see the log for the error.',
  rejection: 'A background task failed. Pulse keeps running; see the log for the error.',
  timer: 'A periodic task failed. Pulse will run it again; see the log for the error.',
  reader:
    'A part of Pulse failed to process new data. The other parts did process it; see the log for the error.',
  derivation:
    'Pulse failed to combine the data of a resource and shows it as polled. See the log for the error.',
  alerts: 'An alert rule failed. Its alerts are not updated until it works again; see the log for the error.',
  history:
    'Sampling the figures for their history failed. Pulse samples them again with the next tick; see the log for the error.',
  notifier: 'Sending notifications failed unexpectedly. Pulse will retry; see the log for the error.',
  updates: 'Checking for or downloading an update failed unexpectedly. See the log for the error.',
  cluster:
    'Exchanging data with the other processes of Pulse failed. Pulse will retry; see the log for the error.',
  reload: 'Pulse failed to load its stored data. Restart Pulse; see the log for the error.',
}
type Fault = keyof typeof texts
export type FaultReport = (fault: Fault, error: unknown) => void

/** Texts of unexpected errors; reports them to the log, the health call and the administrator. */
export function faultReports(troubles: Troubles) {
  const report: FaultReport = (fault, error) => troubles.happened(fault, texts[fault], error)
  return { report, guard: (fault: Fault) => (error: unknown) => report(fault, error) }
}
