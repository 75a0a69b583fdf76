import type { Troubles } from './troubles.ts'

const texts = {
  exception: 'Something in Pulse failed that nobody had expected. It goes on; the log says what it was.',
  rejection: 'Some work in Pulse failed that nobody was waiting for. It goes on; the log says what it was.',
  timer: 'Something that Pulse does from time to time failed. It goes on; the log says what it was.',
  reader: 'A part of Pulse could not take up what was polled. The others did; the log says what it was.',
  derivation:
    'Pulse could not put together what it knows of something, and shows it as it was polled. The log says what it was.',
  alerts: 'A rule of alerts failed, and what it looks for is not told meanwhile. The log says what it was.',
  notifier:
    'Sending of notifications failed in a way that nobody had expected. It is tried again; the log says what it was.',
  updates:
    'Looking for an update, or fetching one, failed in a way that nobody had expected. The log says what it was.',
  reload: 'Pulse could not take up again what is stored. Restart it; the log says what it was.',
}
type Fault = keyof typeof texts
export type FaultReport = (fault: Fault, error: unknown) => void

/** The words for what should not happen, and what hands it to the log, the health call and the administrator. */
export function faultReports(troubles: Troubles) {
  const report: FaultReport = (fault, error) => troubles.happened(fault, texts[fault], error)
  return { report, guard: (fault: Fault) => (error: unknown) => report(fault, error) }
}
