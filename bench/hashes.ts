import { createPasswords } from '../apps/server/src/auth/password.ts'
import { exportCost, seal } from '../apps/server/src/transfer/envelope.ts'

const tries = 2_000
const farthestMs = 2
const leastKeyMs = 250

/** The cost of guessing, and what its timing reveals. Needs an idle machine; takes about five minutes. */
export async function measureHashes(): Promise<string> {
  const passwords = createPasswords()
  const stored = await passwords.hash('correct horse')
  const known: number[] = []
  const unknown: number[] = []
  // Alternately, so that other load affects both.
  for (let n = 0; n < tries; n++) {
    known.push(await timeOf(() => passwords.verify('wrong horse', stored)))
    unknown.push(await timeOf(() => passwords.verify('wrong horse', undefined)))
  }
  const apartMs = Math.abs(median(known) - median(unknown))
  const keys: number[] = []
  for (let n = 0; n < 5; n++) keys.push(await timeOf(() => seal('', 'a passphrase of some length')))
  const keyMs = Math.min(...keys)
  return [
    `A wrong password: ${median(known).toFixed(1)} ms; medians of a known and an unknown account over ${tries} tries ` +
      `${apartMs.toFixed(2)} ms apart (budget ${farthestMs}: ${apartMs < farthestMs ? 'holds' : '**missed**'}).`,
    `One key of an export: ${keyMs.toFixed(0)} ms with ${exportCost.memory / 1024} MB and ${exportCost.passes} passes ` +
      `(at least ${leastKeyMs}: ${keyMs >= leastKeyMs ? 'holds' : '**missed**'}).`,
  ].join('\n')
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now()
  await work()
  return performance.now() - begin
}

const median = (times: number[]) => times.toSorted((a, b) => a - b)[times.length >> 1]!
