import type { Protection } from '@pulse/contract'

/** The protection problems of a guest, worst first. */
export type ProtectionWord = 'none' | 'failed' | 'broken' | 'future' | 'ambiguous' | 'unverified' | 'no-job'

/**
 * `none`: no backup that is certainly this guest's. `failed`: its newest run failed. `broken`: its newest
 * backup failed verification. `future`: all its backups have a date in the future. `ambiguous`: the newest
 * with its VMID may be another guest's. `unverified`: its newest backup is not verified yet. `no-job`: no
 * enabled backup job includes it.
 */
export function protectionWords({ newest, failed, ambiguous, inJob }: Protection): ProtectionWord[] {
  const words: [ProtectionWord, boolean][] = [
    ['none', newest === undefined],
    ['failed', failed !== undefined],
    ['broken', newest?.verification === 'failed'],
    ['future', newest?.future ?? false],
    ['ambiguous', ambiguous !== undefined],
    ['unverified', newest?.verification === 'never'],
    ['no-job', inJob === false],
  ]
  return words.flatMap(([word, isSo]) => (isSo ? [word] : []))
}
