import type { Alert } from '@pulse/contract'
import type { ToldNotice } from './notice.ts'
import { clipped, durationText, hasFigure, oneLine, thresholdText, typeText, valueText } from './text.ts'

/** How loud it is; `resolved` is over. */
export type Tone = 'critical' | 'warning' | 'resolved'

/** A notice in words, for whoever lays it out. Foreign text in it is not escaped yet. */
export interface Message {
  notice: ToldNotice
  tone: Tone
  isTest: boolean
  /** one line */
  title: string
  /** about the first alert */
  text: string
  /** one line for each further alert, of many the first */
  others: readonly string[]
  /** of alerts that have no line */
  unnamed: number
  /** the first, the most severe */
  first: ToldAlert
  /** epoch s */
  timestamp: number
}

/** What is said of one alert. */
export interface ToldAlert {
  alert: Alert
  resolvedAt: string | undefined
  duration: string
  /** name and value, for tables; absent parts are left out */
  facts: readonly (readonly [string, string])[]
}

const named = 20

export function toMessage(notice: ToldNotice): Message {
  const sorted = notice.alerts.toSorted((a, b) => rank(a.alert) - rank(b.alert))
  const told = sorted.map(({ alert, resolvedAt }) => toldAlert(alert, resolvedAt, notice.at))
  const [first] = told as [ToldAlert]
  const isOver = notice.kind === 'resolved'
  const isCritical = told.some(({ alert }) => alert.level === 'critical')
  const rest = told.slice(1)
  return {
    notice,
    tone: isOver ? 'resolved' : isCritical ? 'critical' : 'warning',
    isTest: notice.kind === 'test',
    title: titleOf(
      notice,
      told.map(({ alert }) => alert),
    ),
    text: clipped(isOver ? endText(first) : first.alert.message, 2000),
    others: rest.slice(0, named).map((one) => lineOf(one, isOver)),
    unnamed: Math.max(0, rest.length - named),
    first,
    timestamp: Math.floor(Date.parse(notice.at) / 1000),
  }
}

const rank = ({ level }: Alert): number => (level === 'critical' ? 0 : 1)

function toldAlert(alert: Alert, resolvedAt: string | undefined, at: string): ToldAlert {
  const duration = durationText(Date.parse(resolvedAt ?? at) - Date.parse(alert.startTime))
  const facts: [string, string][] = [['Resource', alert.resourceName]]
  if (alert.node && alert.node !== alert.resourceName) facts.push(['Node', alert.node])
  facts.push(['Type', typeText(alert.type)])
  if (hasFigure(alert)) facts.push(['Value', valueText(alert)], ['Threshold', thresholdText(alert)])
  facts.push(['Duration', duration])
  return {
    alert,
    resolvedAt,
    duration,
    facts: facts.map(([name, value]) => [name, clipped(oneLine(value) || '–', 200)]),
  }
}

function lineOf({ alert, duration }: ToldAlert, isOver: boolean): string {
  const name = clipped(oneLine(alert.resourceName), 80)
  const what = hasFigure(alert)
    ? `${typeText(alert.type)} ${valueText(alert)}`
    : clipped(oneLine(alert.message), 160)
  return isOver ? `${name}: ${what}, ${endWord(alert).toLowerCase()} after ${duration}` : `${name}: ${what}`
}

const endWords = {
  condition: 'Resolved',
  unwatched: 'No longer watched',
  gone: 'No longer there',
  cleared: 'Cleared',
} as const

/** What did not end by its condition is not resolved. */
const endWord = ({ endReason = 'condition' }: Alert): string => endWords[endReason]

const endText = ({ alert, duration }: ToldAlert): string =>
  `${endWord(alert)} after ${duration}${alert.endNote ? ` (${alert.endNote})` : ''}: ${alert.message}`

const openings: Record<ToldNotice['kind'], string> = {
  raised: '',
  repeated: 'Still ',
  escalated: 'Escalated: ',
  resolved: 'Resolved: ',
  test: 'Test: ',
}

function titleOf({ kind }: ToldNotice, alerts: readonly Alert[]): string {
  const [alert] = alerts as [Alert]
  if (alerts.length === 1) {
    const what = `${typeText(alert.type)} on ${clipped(oneLine(alert.resourceName), 80)}`
    if (kind === 'resolved') return `${endWord(alert)}: ${what}`
    const level = alert.level === 'critical' ? 'critical' : 'warning'
    return `${openings[kind]}${kind === 'repeated' ? level : capital(level)}: ${what}`
  }
  if (kind === 'resolved') {
    const [word, ...others] = new Set(alerts.map(endWord))
    return `${alerts.length} alerts ${others.length > 0 ? 'ended' : word!.toLowerCase()}`
  }
  const critical = alerts.filter(({ level }) => level === 'critical').length
  const counts = [
    critical > 0 && `${critical} critical`,
    critical < alerts.length && `${alerts.length - critical} warning`,
  ]
  const opening = kind === 'repeated' ? 'Still open: ' : openings[kind]
  return `${opening}${alerts.length} alerts (${counts.filter(Boolean).join(', ')})`
}

const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1)

/** The first alert, then a line for each of the others. */
export function bulleted(
  { text, others, unnamed }: Message,
  escape: (text: string) => string,
  max: number,
): string {
  const lines = [fitting(oneLine(text), escape, max)]
  let length = lines[0]!.length
  let left = unnamed + others.length
  for (const other of others) {
    const line = `• ${escape(other)}`
    if (length + line.length + 60 > max) break
    lines.push(line)
    length += line.length + 1
    left--
  }
  if (left > 0) lines.push(`… and ${left} more`)
  return length <= max ? lines.join('\n') : lines[0]!
}

/** Cut before it is escaped: half an escape means something else. */
function fitting(text: string, escape: (text: string) => string, max: number): string {
  let escaped = escape(clipped(text, max))
  for (let most = max; escaped.length > max; escaped = escape(clipped(text, most)))
    most = Math.min(most - 1, Math.floor((most * max) / escaped.length))
  return escaped
}
