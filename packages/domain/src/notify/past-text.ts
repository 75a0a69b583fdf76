import type { Alert } from '@pulse/contract'

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

/** What was wrong, of an alert that is over. A name in it may read like a verb: what follows the name decides. */
export function pastText({ message, resourceName }: Pick<Alert, 'message' | 'resourceName'>): string {
  const at = resourceName === '' ? -1 : message.indexOf(resourceName)
  const from = at < 0 ? 0 : at + resourceName.length
  return message.slice(0, from) + message.slice(from).replace(verb, (word) => past[word]!)
}
