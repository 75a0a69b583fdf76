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
        `must last ${formatNumber(delay.seconds)} s, has lasted ${formatNumber(delay.passedSeconds)} s, ${originText(delay.origin)}`,
    ],
    ['Seen', confirmations && `${confirmations.seen} of ${confirmations.needed} times`],
    ['Since', since !== undefined && formatMoment(Date.parse(since))],
  ]
  return facts.filter((fact): fact is [string, string] => Boolean(fact[1]))
}

function originText({ from, name }: SettingOrigin): string {
  if (from === 'override') return 'set for this resource'
  if (from === 'rule') return `by the rule ${name ?? ''}`.trim()
  return name ? `by the defaults of ${ownerText(name)}` : 'by the defaults'
}

const owners: Readonly<Record<string, string>> = {
  guest: 'guests',
  node: 'nodes',
  storage: 'storage',
  pbs: 'backup servers',
  pmg: 'mail gateways',
  docker: 'containers',
  backup: 'backups',
  snapshot: 'snapshots',
}

/** Parts of the configuration by what they are about, as in `guestDefaults` and `timeThresholds.guest`. */
function ownerText(name: string): string {
  const about = name.replace(/^\w+\./, '').replace(/Defaults?$/, '')
  return Object.hasOwn(owners, about) ? owners[about]! : name
}

/** What was done begins with when, in the form of the wire. */
export function stepText(step: string): string {
  const [, at, done] = /^(\d{4}-\d\d-\d\dT\S+) (.*)$/s.exec(step) ?? []
  return at && done && !Number.isNaN(Date.parse(at)) ? `${formatMoment(Date.parse(at))}: ${done}` : step
}
