import type { SettingOrigin, TracedCondition, TraceState } from '@pulse/contract'
import { typeText } from '../type-text.ts'
import { formatMoment, formatNumber, formatUptime } from '../../../lib/format.ts'

/**
 * For normal, off and unknown states the level is only hypothetical. A held condition keeps its former state.
 */
const isWrong = ({ state, since }: Pick<TracedCondition, 'state' | 'since'>) =>
  state === 'held' ? since !== undefined : wrong.has(state)

const wrong: ReadonlySet<TraceState> = new Set<TraceState>(['pending', 'active', 'clearing', 'suppressed'])

/** Boolean conditions have the value 0, without a unit or threshold. */
const isMeasured = (condition: TracedCondition): condition is TracedCondition & { value: number } =>
  condition.value !== undefined && (condition.value !== 0 || Boolean(condition.unit ?? condition.threshold))

/** One condition of a trace, as terms and texts. */
export function factsOf(condition: TracedCondition): readonly (readonly [term: string, text: string])[] {
  const { unit = '', threshold, delay, confirmations, since, level, criticalBy } = condition
  const amount = (figure: number) => {
    const text = formatNumber(figure, undefined, 2)
    return unit === '%' || unit === '' ? text + unit : `${text} ${unit}`
  }
  const whyCritical = (): string => {
    const { at, origin } = criticalBy ?? {}
    const from = [at !== undefined && `from ${amount(at)}`, origin && originText(origin)].filter(Boolean)
    return from.length > 0 ? from.join(', ') : `by the rule “${typeText(condition.type)}”`
  }
  const facts: [string, string | false | undefined][] = [
    ['Value', isMeasured(condition) && amount(condition.value)],
    [
      'Threshold',
      threshold &&
        (threshold.trigger <= 0
          ? `off, ${originText(threshold.origin)}`
          : `${amount(threshold.trigger)} (clears at ${amount(threshold.clear)}), ${originText(threshold.origin)}`),
    ],
    [
      'Level',
      level &&
        isWrong(condition) &&
        (level === 'warning'
          ? 'Warning'
          : ['Critical', criticalBy && `(${whyCritical()})`].filter(Boolean).join(' ')),
    ],
    [
      'Delay',
      delay &&
        `${durationText(delay.seconds)} (exceeded for ${lastedText(delay.passedSeconds)}), ${originText(delay.origin)}`,
    ],
    ['Confirmed', confirmations && `by ${confirmations.seen} of ${confirmations.needed} checks`],
    ['Since', since !== undefined && formatMoment(Date.parse(since))],
  ]
  return facts.filter((fact): fact is [string, string] => Boolean(fact[1]))
}

function originText({ from, name }: SettingOrigin): string {
  if (from === 'override') return 'set for this resource'
  if (from === 'rule') return `by the rule ${name ?? ''}`.trim()
  return name ? `${ownerText(name)} default` : 'default'
}

const owners: Readonly<Record<string, string>> = {
  guest: 'guest',
  node: 'node',
  storage: 'storage',
  pbs: 'backup server',
  pmg: 'mail gateway',
  docker: 'container',
  backup: 'backup',
  snapshot: 'snapshot',
}

/** Humanizes configuration keys such as `guestDefaults` and `timeThresholds.guest`. */
function ownerText(name: string): string {
  const parts = name.split('.').map((part) => part.replace(/Defaults?$/, ''))
  const about = parts.find((part) => Object.hasOwn(owners, part))
  return about === undefined ? 'global' : owners[about]!
}

const units = [
  [86_400, 'day', 'days'],
  [3_600, 'hour', 'hours'],
  [60, 'min', 'min'],
  [1, 's', 's'],
] as const

/** Exact, because it is a setting: `90 s` is `1 min 30 s`, `86400 s` is `1 day`. */
function durationText(seconds: number): string {
  let rest = Math.round(seconds)
  const parts = units.flatMap(([size, one, more]) => {
    const count = Math.floor(rest / size)
    rest -= count * size
    return count > 0 ? [`${formatNumber(count)} ${count === 1 ? one : more}`] : []
  })
  return parts.join(' ') || '0 s'
}

/** `40 s`, `25 min`, `2h 5m` */
function lastedText(seconds: number): string {
  if (seconds < 120) return `${formatNumber(Math.round(seconds))} s`
  return seconds < 3_600 ? `${Math.floor(seconds / 60)} min` : formatUptime(seconds)
}

/** A step starts with its time, in RFC 3339. */
export function stepText(step: string): string {
  const [, at, done] = /^(\d{4}-\d\d-\d\dT\S+) (.*)$/s.exec(step) ?? []
  return at && done && !Number.isNaN(Date.parse(at)) ? `${formatMoment(Date.parse(at))}: ${done}` : step
}
