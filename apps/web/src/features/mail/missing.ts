import type { MonitorFlag, SourceState } from '@pulse/contract'

/** A question that a gateway is asked: its name among what cannot be read, and the switch it hangs on. */
export interface Question {
  what: string
  flag?: MonitorFlag
}

export const questions = {
  mail: { what: 'mail statistics', flag: 'monitorMailStats' },
  quarantine: { what: 'quarantine', flag: 'monitorQuarantine' },
  queues: { what: 'queues', flag: 'monitorQueues' },
  domains: { what: 'domain statistics', flag: 'monitorDomainStats' },
  nodes: { what: 'cluster nodes' },
} as const satisfies Record<string, Question>

type Told = Pick<SourceState, 'unreadable' | 'switchedOff'> | undefined

export const isSwitchedOff = (source: Told, { flag }: Question): boolean =>
  flag !== undefined && (source?.switchedOff?.includes(flag) ?? false)

/** Since when its answer is not of now. */
export const unreadableSince = (source: Told, { what }: Question): number | undefined =>
  source?.unreadable?.find((one) => one.what === what)?.since

/** Why there is no answer to show. */
export function whyMissing(source: Told, question: Question): string {
  if (isSwitchedOff(source, question)) return 'Switched off in the settings of this gateway.'
  if (unreadableSince(source, question) !== undefined) return 'Cannot be read, see above.'
  return 'Waiting for the first figures.'
}
