import { type Json, look, type Problems } from './look.ts'

/** A generic receiver, with the payload that Pulse documents. */
export function genericProblems(body: Json): Problems {
  const at = look()
  at.oneOf(body['event'], 'event', ['raised', 'repeated', 'escalated', 'resolved', 'test'])
  at.text(body['eventId'], 'eventId', 200)
  at.integer(body['timestamp'], 'timestamp', 1_000_000_000, 9_999_999_999)
  at.text(body['source'], 'source', 100)
  at.oneOf(body['grouped'], 'grouped', [true, false])
  const alerts = at.list(body['alerts'], 'alerts', 1000, 1)
  at.integer(body['count'], 'count', alerts.length, 1_000_000)
  for (const [index, alert] of alerts.entries()) {
    const name = `alerts[${index}]`
    for (const field of ['id', 'type', 'level', 'resourceId', 'resourceName', 'message']) {
      at.text(alert[field], `${name}.${field}`, 10_000)
    }
    at.time(alert['startTime'], `${name}.startTime`)
    if (body['event'] === 'resolved') at.time(alert['resolvedAt'], `${name}.resolvedAt`)
    for (const field of ['value', 'threshold']) {
      if (typeof alert[field] !== 'number') at.problems.push(`${name}.${field} must be a number`)
    }
  }
  return at.problems
}
