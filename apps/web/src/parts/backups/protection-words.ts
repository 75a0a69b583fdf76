import type { HeldBackup, Protection } from '@pulse/contract'
import type { ProtectionWord } from '@pulse/domain'

export const wordTexts: Readonly<Record<ProtectionWord, string>> = {
  none: 'No backup',
  failed: 'Failed',
  broken: 'Verification failed',
  future: 'Dated in the future',
  ambiguous: 'Ambiguous',
  unverified: 'Unverified',
  'no-job': 'No backup job',
}

export const wordReasons: Readonly<Record<ProtectionWord, string>> = {
  none: 'No backup that is certainly this guest’s.',
  failed: 'Its newest run failed, and no backup is newer.',
  broken: 'Its newest backup failed verification.',
  future: 'Its only backup is dated in the future, so its age is unknown.',
  ambiguous: 'The newest backup under its number may belong to another guest with the same number.',
  unverified: 'Its newest backup has not been verified yet.',
  'no-job': 'Not included in any enabled backup job.',
}

/** Worst first: a corrupt backup is worse than an unverified one. */
export const wordTones = {
  none: 'red',
  failed: 'red',
  broken: 'red',
  future: 'orange',
  ambiguous: 'orange',
  unverified: 'yellow',
  'no-job': 'orange',
} as const satisfies Record<ProtectionWord, string>

/** The newest backup that did not fail verification. */
export const goodBackup = ({ newest, newestGood }: Protection): HeldBackup | undefined =>
  newest?.verification === 'failed' ? newestGood : newest

/** Location: `vault: main/prod`, or `main: nas`. */
export function backupLocationText({ instance, datastore, namespace, storage }: HeldBackup): string {
  const location = datastore === undefined ? storage : [datastore, namespace].filter(Boolean).join('/')
  return location === undefined ? instance : `${instance}: ${location}`
}

/** undefined for files on a PVE storage, which cannot be verified. */
export const verificationText = ({ verification }: HeldBackup): string | undefined =>
  verification && { ok: 'Verified', failed: 'Failed', never: 'Unverified' }[verification]

export const jobText = (inJob: boolean | undefined): string =>
  inJob === undefined ? 'Unknown' : inJob ? 'In a job' : 'No backup job'
