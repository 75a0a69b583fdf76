import type { SettingOrigin, TracedCondition } from '@pulse/contract'
import { formatMoment, formatNumber } from '../../../lib/format.ts'

/** What a trace says of one thing that is watched, as terms and texts. */
export function factsOf(condition: TracedCondition): readonly (readonly [term: string, text: string])[] {
  const { value, unit = '', threshold, delay, confirmations, since, level } = condition
  const amount = (figure: number) => {
    const text = formatNumber(figure, undefined, 2)
    return unit === '%' || unit === '' ? text + unit : `${text} ${unit}`
  }
  const facts: [string, string | false | undefined][] = [
    ['Value', value !== undefined && amount(value)],
    [
      'Threshold',
      threshold &&
        (threshold.trigger <= 0
          ? `off, ${originText(threshold.origin)}`
          : `${amount(threshold.trigger)}, ends at ${amount(threshold.clear)}, ${originText(threshold.origin)}`),
    ],
    ['Level', level && (level === 'critical' ? 'Critical' : 'Warning')],
    [
      'Delay',
      delay &&
        `${formatNumber(delay.passedSeconds)} of ${formatNumber(delay.seconds)} s, ${originText(delay.origin)}`,
    ],
    ['Seen', confirmations && `${confirmations.seen} of ${confirmations.needed} times`],
    ['Since', since !== undefined && formatMoment(Date.parse(since))],
  ]
  return facts.filter((fact): fact is [string, string] => Boolean(fact[1]))
}

function originText({ from, name }: SettingOrigin): string {
  if (from === 'override') return 'set for this resource'
  if (from === 'rule') return `by the rule ${name ?? ''}`.trim()
  return name ? `by the defaults of ${name}` : 'by the defaults'
}
