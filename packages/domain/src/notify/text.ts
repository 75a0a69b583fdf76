import { type Alert, alertTypeOf } from '@pulse/contract'

/** Alerts as text in messages. */

function unitText({ type, metadata }: Alert): string {
  const known = alertTypeOf(type).unit
  if (known === '%' || known === '°C') return known
  const unit = known ?? metadata?.['unit']
  return typeof unit === 'string' && unit.length <= 20 ? ` ${unit}` : ''
}

/** Whether the alert is about a figure, and not about a state such as offline. */
export const hasFigure = ({ threshold }: Pick<Alert, 'threshold'>): boolean => threshold > 0

export const valueText = (alert: Alert): string =>
  `${fixed(alert.value, isMeasured(alert) ? 1 : 0)}${unitText(alert)}`
export const thresholdText = (alert: Alert): string => `${fixed(alert.threshold, 0)}${unitText(alert)}`

/** Counts and minutes have no fraction. */
function isMeasured({ type, value }: Alert): boolean {
  const { unit } = alertTypeOf(type)
  return (unit !== undefined && unit !== 'min') || !Number.isInteger(value)
}

/** A node or instance for display: the host of a URL. */
export const hostText = (name: string): string =>
  /^https?:\/\/(?:[^/@]*@)?(\[[^\]]+\]|[^/:?#]+)/i.exec(name)?.[1] ?? name.replace(/^Docker:/, '')

const isAddress = (name: string): boolean => /^https?:\/\//i.test(name)

/**
 * The name of an alert's node. For backup servers and mail gateways, the wire has the address instead
 * (facts/alerts 1).
 */
export function nodeText({ node, instance }: Pick<Alert, 'node' | 'instance'>): string {
  if (!isAddress(node)) return node
  return instance && !isAddress(instance) ? instance : hostText(node)
}

const fixed = (value: number, decimals: number): string => {
  const text = Number.isFinite(value) ? value.toFixed(decimals) : '0'
  return Number(text) === 0 ? (0).toFixed(decimals) : text
}

/** `Ns`, `Nm`, `Xh Ym`, `Xd Yh`. */
export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const [minutes, hours] = [Math.floor(seconds / 60), Math.floor(seconds / 3600)]
  if (minutes === 0) return `${seconds}s`
  if (hours === 0) return `${minutes}m`
  return hours < 24 ? `${hours}h ${minutes % 60}m` : `${Math.floor(hours / 24)}d ${hours % 24}h`
}

/** At most `max` characters; a cut text ends with an ellipsis. */
export function clipped(text: string, max: number): string {
  if (text.length <= max) return text
  const end = max - 1
  const isHalf = /[\ud800-\udbff]/.test(text[end - 1] ?? '')
  return `${text.slice(0, isHalf ? end - 1 : end)}…`
}

/** Without line ends and other control characters. */
export const oneLine = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()

const past: Readonly<Record<string, string>> = {
  is: 'was',
  are: 'were',
  has: 'had',
  have: 'had',
  uses: 'used',
  reports: 'reported',
  holds: 'held',
  cannot: 'could not',
  does: 'did',
}
const verb = /\b(is|are|has|have|uses|reports|holds|cannot|does)\b(?![-.])/

/**
 * The message of a resolved alert in the past tense. A name in it may look like a verb, so the search begins
 * after the name.
 */
export function pastText({ message, resourceName }: Pick<Alert, 'message' | 'resourceName'>): string {
  const at = resourceName === '' ? -1 : message.indexOf(resourceName)
  const from = at < 0 ? 0 : at + resourceName.length
  return message.slice(0, from) + message.slice(from).replace(verb, (word) => past[word]!)
}
