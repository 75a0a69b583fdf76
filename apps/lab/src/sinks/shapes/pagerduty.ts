import { type Json, look, type Problems } from './look.ts'

/** An event: https://developer.pagerduty.com/docs/events-api-v2/trigger-events */
export function pagerdutyProblems(body: Json): Problems {
  const at = look()
  const fields = [
    'routing_key',
    'event_action',
    'dedup_key',
    'payload',
    'client',
    'client_url',
    'links',
    'images',
  ]
  at.only(body, 'the event', fields)
  if (!/^[0-9A-Za-z]{32}$/.test(String(body['routing_key'])))
    at.problems.push('routing_key must have 32 characters')
  at.oneOf(body['event_action'], 'event_action', ['trigger', 'acknowledge', 'resolve'])
  if (body['dedup_key'] !== undefined || body['event_action'] !== 'trigger')
    at.text(body['dedup_key'], 'dedup_key', 255)
  if (body['client_url'] !== undefined) at.link(body['client_url'], 'client_url')
  for (const link of at.list(body['links'] ?? [], 'links', 20)) {
    at.link(link['href'], 'links.href')
    at.text(link['text'], 'links.text', 255)
  }
  if (body['event_action'] !== 'trigger') return at.problems
  const payload = at.object(body['payload'], 'payload')
  at.text(payload['summary'], 'payload.summary', 1024)
  at.text(payload['source'], 'payload.source', 255)
  at.oneOf(payload['severity'], 'payload.severity', ['critical', 'error', 'warning', 'info'])
  at.time(payload['timestamp'], 'payload.timestamp')
  for (const name of ['component', 'group', 'class']) {
    if (payload[name] !== undefined) at.text(payload[name], `payload.${name}`, 255)
  }
  if (payload['custom_details'] !== undefined) at.object(payload['custom_details'], 'payload.custom_details')
  return at.problems
}
