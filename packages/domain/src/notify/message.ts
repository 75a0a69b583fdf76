import { type Alert, alertTypeText } from '@pulse/contract'
import { endWord } from '../alerts/end-word.ts'
import type { Notice } from './notice.ts'
import { mostSevereFirst } from './batch.ts'
import { isCritical } from './dispatch.ts'
import {
  clipped,
  durationText,
  hasFigure,
  hostText,
  nodeText,
  oneLine,
  pastText,
  thresholdText,
  valueText,
} from './text.ts'

/** The severity of a message, or `resolved`. */
export type Tone = 'critical' | 'warning' | 'resolved'

/** A notice as text, which each channel lays out. Foreign text in it is not escaped yet. */
export interface Message {
  notice: Notice
  tone: Tone
  isTest: boolean
  /** one line */
  title: string
  /** about the first alert */
  text: string
  /** one line per further alert, up to a limit */
  others: readonly string[]
  /** unnamed alerts by node or instance; a later message names them */
  left: readonly { name: string; count: number }[]
  /** the first and most severe */
  first: DescribedAlert
  /** epoch s */
  timestamp: number
}

/** The text about one alert. */
export interface DescribedAlert {
  alert: Alert
  resolvedAt: string | undefined
  duration: string
  /** a sentence; in the past tense once the alert is resolved */
  text: string
  /** name and value, for tables; without empty parts */
  facts: readonly (readonly [string, string])[]
}

/** Alerts that one text message names. */
export const mostLines = 21

export function toMessage(notice: Notice): Message {
  const alerts = mostSevereFirst(notice.alerts, ({ alert }) => alert).map((one) => described(one, notice))
  const [first] = alerts as [DescribedAlert]
  const isResolved = notice.kind === 'resolved'
  const isMixed = !isResolved && new Set(alerts.map(({ alert }) => alert.level)).size > 1
  const counts = countsOf(notice)
  const tone = isResolved ? 'resolved' : counts.critical > 0 ? 'critical' : 'warning'
  const text = isResolved ? endText(first) : first.text
  const rest = alerts.slice(1)
  return {
    notice,
    tone,
    isTest: notice.kind === 'test',
    title: titleOf(
      notice.kind,
      alerts.map(({ alert }) => alert),
      counts,
    ),
    text: clipped(isMixed ? `${levelText(first.alert)} – ${text}` : text, 2000),
    others: rest.slice(0, mostLines - 1).map((one) => lineOf(one, { isResolved, isMixed })),
    left: leftOf(notice, rest.slice(mostLines - 1)),
    first,
    timestamp: Math.floor(Date.parse(notice.at) / 1000),
  }
}

interface Counts {
  all: number
  critical: number
}

function countsOf({ alerts, left = [] }: Notice): Counts {
  const unnamed = (list: typeof left) => list.reduce((sum, { count }) => sum + count, 0)
  return {
    all: alerts.length + unnamed(left),
    critical:
      alerts.filter(({ alert }) => isCritical(alert)).length + unnamed(left.filter((one) => one.isCritical)),
  }
}

/** By node or instance, the largest group first. */
export function leftOf(
  { left = [] }: Notice,
  beyond: readonly Pick<DescribedAlert, 'alert'>[],
): Message['left'] {
  const counts = new Map<string, number>()
  const add = (name: string, count: number) => counts.set(name, (counts.get(name) ?? 0) + count)
  for (const { alert } of beyond) add(hostText(alert.instance || alert.node), 1)
  for (const { name, count } of left) if (count > 0) add(hostText(name), count)
  return [...counts].map(([name, count]) => ({ name, count })).toSorted((a, b) => b.count - a.count)
}

function described({ alert, resolvedAt }: Notice['alerts'][number], { kind, at }: Notice): DescribedAlert {
  const duration = durationText(Date.parse(resolvedAt ?? at) - Date.parse(alert.startTime))
  const facts: [string, string][] = [['Resource', alert.resourceName]]
  const node = nodeText(alert)
  if (node && node !== alert.resourceName) facts.push(['Node', node])
  facts.push(['Type', alertTypeText(alert.type)])
  if (hasFigure(alert)) facts.push(['Value', valueText(alert)], ['Threshold', thresholdText(alert)])
  facts.push(['Duration', duration])
  return {
    alert,
    resolvedAt,
    duration,
    text: kind === 'resolved' ? pastText(alert) : alert.message,
    facts: facts.map(([name, value]) => [name, clipped(oneLine(value) || '–', 200)]),
  }
}

export const levelText = ({ level }: { level: string }): string =>
  isCritical({ level }) ? 'Critical' : 'Warning'

function lineOf(
  { alert, duration, text }: DescribedAlert,
  { isResolved, isMixed }: { isResolved: boolean; isMixed: boolean },
) {
  const name = clipped(oneLine(alert.resourceName), 80)
  const what = hasFigure(alert)
    ? `${alertTypeText(alert.type)} ${valueText(alert)}`
    : clipped(oneLine(text), 160)
  const line = isResolved
    ? `${name}: ${what}, ${endWord(alert).toLowerCase()} after ${duration}`
    : `${name}: ${what}`
  return isMixed ? `${levelText(alert)} – ${line}` : line
}

const endText = ({ alert, duration, text }: DescribedAlert): string =>
  `${endWord(alert)} after ${duration}${alert.endNote ? ` (${alert.endNote})` : ''}: ${text}`

const openings: Record<Notice['kind'], string> = {
  raised: '',
  repeated: 'Still ',
  escalated: 'Escalated: ',
  resolved: 'Resolved: ',
  test: 'Test: ',
}

function titleOf(kind: Notice['kind'], alerts: readonly Alert[], { all, critical }: Counts): string {
  const [alert] = alerts as [Alert]
  if (all === 1) {
    const what = `${alertTypeText(alert.type)} on ${clipped(oneLine(alert.resourceName), 80)}`
    if (kind === 'resolved') return `${endWord(alert)}: ${what}`
    const level = levelText(alert)
    return `${openings[kind]}${kind === 'repeated' ? level.toLowerCase() : level}: ${what}`
  }
  if (kind === 'resolved') {
    const [word, ...others] = new Set(alerts.map(endWord))
    return `${all} alerts ${others.length > 0 ? 'ended' : word!.toLowerCase()}`
  }
  const counts = [critical > 0 && `${critical} critical`, critical < all && `${all - critical} warning`]
  const opening = kind === 'repeated' ? 'Still open: ' : openings[kind]
  return `${opening}${all} alerts (${counts.filter(Boolean).join(', ')})`
}

/**
 * The first alert, then a line for each further one. `names`: number of alerts that the text names, from the
 * first.
 */
export function listed(
  { text, others, left }: Message,
  escape: (text: string) => string,
  max: number,
): { text: string; names: number } {
  const first = fitting(oneLine(text), escape, max)
  const lines = [first]
  let length = first.length
  for (const other of others) {
    const line = `• ${escape(other)}`
    if (length + line.length + roomForRest > max) break
    lines.push(line)
    length += line.length + 1
  }
  const names = lines.length
  const unlisted = others.length + 1 - names
  const rest = moreText(unlisted > 0 ? [{ name: '', count: unlisted }, ...left] : left)
  if (rest === '' || length > max) return { text: lines.join('\n'), names }
  const ending = `\n… ${escape(rest)}`
  const isFitting = length + ending.length <= max
  return { text: lines.join('\n') + (isFitting ? ending : ''), names }
}

const maxNamedHosts = 3
/** characters of the line that counts the unnamed alerts */
const roomForRest = 180

/** `and 109 more on docker-1, which later messages name`. */
export function moreText(left: Message['left']): string {
  const all = left.reduce((sum, { count }) => sum + count, 0)
  if (all === 0) return ''
  const hosts = left.filter(({ name }) => name !== '').slice(0, maxNamedHosts)
  const one = hosts.length === 1 && left.length === 1
  const named = one
    ? ` on ${clipped(oneLine(hosts[0]!.name), 60)}`
    : hosts.length > 0
      ? ` (${hosts.map(({ name, count }) => `${clipped(oneLine(name), 30)}: ${count}`).join(', ')})`
      : ''
  return `and ${all} more${named}, listed in later messages`
}

/** Cut before escaping, because half an escape has another meaning. */
function fitting(text: string, escape: (text: string) => string, max: number): string {
  let escaped = escape(clipped(text, max))
  for (let most = max; escaped.length > max; escaped = escape(clipped(text, most)))
    most = Math.min(most - 1, Math.floor((most * max) / escaped.length))
  return escaped
}
