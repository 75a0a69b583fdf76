import type { BackTest } from '@pulse/contract'
import { counting } from '@pulse/domain'
import { formatNumber, formatSpan } from '../../../lib/format.ts'

const dayMs = 86_400_000

/** The answer in one sentence. */
export function firedText(answer: BackTest, noun: string): string {
  const { from, to, reaches = from, total, totalMs, things, messages } = answer
  const over = `Over the last ${spanOf(to - Math.max(from, reaches))} this would`
  if (total === 0) return `${over} not have fired.`
  const times = total === 1 ? 'once' : `${formatNumber(total)} times`
  const each = total === 1 ? '' : `, ${formatSpan(totalMs / total / 1_000)} each on average`
  return `${over} have fired ${times}, for ${formatNumber(things)} ${things === 1 ? oneOf(noun) : noun}: ${formatSpan(
    totalMs / 1_000,
  )} in total${each}. ${counting(messages, 'message', 'messages')} to each channel.`
}

/** What the answer leaves out. */
export function limitsText({ from, to, reaches = from, unplayed }: BackTest): string[] {
  const kept = 14 * dayMs
  const isShort = reaches - from > dayMs / 2
  const isCut = kept - (to - from) > dayMs / 2
  return [
    ...(isShort ? [`The history reaches back only ${spanOf(to - reaches)}.`] : []),
    ...(isCut && !isShort ? ['Earlier days are left out, because it would have fired too often.'] : []),
    ...(unplayed > 0
      ? [`${counting(unplayed, 'guest reports', 'guests report')} each file system, which has no history.`]
      : []),
  ]
}

const spanOf = (ms: number): string => {
  const days = Math.round(ms / dayMs)
  return days > 0 ? counting(days, 'day', 'days') : formatSpan(ms / 1_000)
}

/** `guests` is `guest`, `storage devices` is `storage device`. */
const oneOf = (noun: string): string => noun.replace(/s$/, '')
