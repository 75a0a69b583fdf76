import type { AlertConfig, BackTest, BackTestKind } from '@pulse/contract'
import { counting, rulesOn } from '@pulse/domain'
import { formatNumber, formatSpan } from '../../../lib/format.ts'

const dayMs = 86_400_000

/** The answer in one sentence. */
export function firedText(answer: BackTest, noun: string): string {
  const { from, to, reaches = from, total, totalMs, things, messages, estimate } = answer
  const over = `Over the last ${spanOf(to - Math.max(from, reaches))} this would`
  if (total === 0 && estimate)
    return `${over} not have fired for any of the ${counted(estimate.played, noun)} that were played.`
  if (total === 0) return `${over} not have fired.`
  const [count, about, least] = estimate ? [rounded, 'about ', 'At least '] : [formatNumber, '', '']
  const times = total === 1 ? 'once' : `${about}${count(total)} times`
  const each = total === 1 ? '' : `, ${formatSpan(totalMs / total / 1_000)} each on average`
  return `${over} have fired ${times}, for ${about}${count(things)} ${things === 1 ? oneOf(noun) : noun}: ${about}${formatSpan(
    totalMs / 1_000,
  )} in total${each}. ${least}${counted(messages, 'messages')} to each channel.`
}

/** What was played. */
export interface Played {
  kind: BackTestKind
  config: Pick<AlertConfig, 'customRules'>
}

/** What the answer leaves out. */
export function limitsText(answer: BackTest, noun: string, played: Played): string[] {
  const { from, to, reaches = from, estimate, isCut } = answer
  return [
    ...(reaches - from > dayMs / 2 ? [`The history reaches back only ${spanOf(to - reaches)}.`] : []),
    ...(isCut ? [`Older history is kept. Only the last ${spanOf(to - from)} are played.`] : []),
    ...(estimate
      ? [
          `Estimated from ${formatNumber(estimate.played)} of ${counted(estimate.of, noun)} that reached the threshold.`,
        ]
      : []),
    ...unplayedText(answer, played),
  ]
}

/** Why nothing was played. */
export function nothingText(answer: BackTest, header: string, played: Played): string[] {
  if (answer.isOff) return ['This threshold is off.']
  const unplayed = unplayedText(answer, played)
  return unplayed.length > 0 ? unplayed : [`There is no history of ${header} yet.`]
}

function unplayedText({ unplayed }: BackTest, { kind, config }: Played): string[] {
  if (unplayed === 0) return []
  switch (kind) {
    case 'pmg':
      return [
        `${counting(unplayed, 'mail gateway has', 'mail gateways have')} several nodes. Alerts of single nodes have no history.`,
      ]
    case 'dockerContainers':
      return [`${counting(unplayed, 'container has', 'containers have')} no memory limit.`]
    default:
      return [
        rulesOn(config.customRules, 'disk').length > 0
          ? `${counting(unplayed, 'guest was', 'guests were')} not played, because a custom rule depends on the disk as a whole.`
          : `${counting(unplayed, 'guest has', 'guests have')} more than 64 file systems. Not all of them have a history.`,
      ]
  }
}

const spanOf = (ms: number): string => {
  const days = Math.round(ms / dayMs)
  return days > 0 ? counting(days, 'day', 'days') : formatSpan(ms / 1_000)
}

/** Two digits: an estimate is not more exact. */
const rounded = (count: number): string => formatNumber(Number(count.toPrecision(2)))

const counted = (count: number, noun: string): string =>
  `${formatNumber(count)} ${count === 1 ? oneOf(noun) : noun}`

/** `guests` is `guest`, `storage devices` is `storage device`. */
const oneOf = (noun: string): string => noun.replace(/s$/, '')
