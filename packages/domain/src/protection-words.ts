import type { Protection } from '@pulse/contract'

/** What is wrong with how a guest is protected; nothing when all is well. The worst comes first. */
export type ProtectionWord = 'none' | 'failed' | 'broken' | 'future' | 'ambiguous' | 'unverified' | 'no-job'

/**
 * `none`: nothing is held of it for certain. `failed`: its newest run. `broken`: its newest backup does not verify.
 * `future`: it has none but with a date that is still to come. `ambiguous`: the newest under its number may be another guest's. `unverified`: nobody has verified its newest yet.
 * `no-job`: no enabled job takes it along.
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
