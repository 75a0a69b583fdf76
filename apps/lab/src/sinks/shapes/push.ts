import type { IncomingHttpHeaders } from 'node:http'
import { type Json, look, type Problems } from './look.ts'

/** A message: https://pushover.net/api#messages */
export function pushoverProblems(body: Json): Problems {
  const at = look()
  const fields = [
    'token',
    'user',
    'title',
    'message',
    'priority',
    'sound',
    'device',
    'timestamp',
    'url',
    'url_title',
    'html',
    'monospace',
    'ttl',
  ]
  at.only(body, 'the message', fields)
  for (const name of ['token', 'user']) {
    if (!/^[0-9A-Za-z]{30}$/.test(String(body[name]))) at.problems.push(`${name} must have 30 characters`)
  }
  at.text(body['message'], 'message', 1024)
  if (body['title'] !== undefined) at.text(body['title'], 'title', 250)
  if (body['url'] !== undefined) at.link(body['url'], 'url')
  at.integer(body['priority'] ?? 0, 'priority', -2, 1) // 2 needs retry and expire
  if (body['timestamp'] !== undefined)
    at.integer(body['timestamp'], 'timestamp', 1_000_000_000, 9_999_999_999)
  if (body['sound'] !== undefined) at.oneOf(body['sound'], 'sound', ['siren', 'tugboat', 'pushover', 'none'])
  if (body['device'] !== undefined && !/^[\w-]{1,25}$/.test(String(body['device'])))
    at.problems.push('device is not known')
  return at.problems
}

/** A message: https://gotify.net/api-docs */
export function gotifyProblems(body: Json, url: URL, headers: IncomingHttpHeaders): Problems {
  const at = look()
  const token = url.searchParams.get('token') ?? headers['x-gotify-key']
  if (!token) at.problems.push('you need to provide a valid access token')
  at.text(body['message'], 'message', 100_000)
  if (body['title'] !== undefined) at.text(body['title'], 'title', 1000, 0)
  if (body['priority'] !== undefined) at.integer(body['priority'], 'priority', 0, 10)
  if (body['extras'] !== undefined) {
    for (const [name, value] of Object.entries(at.object(body['extras'], 'extras'))) {
      if (!/^[\w-]+::[\w-]+$/.test(name)) at.problems.push(`extras.${name} must be named like topic::name`)
      at.object(value, `extras.${name}`)
    }
  }
  return at.problems
}

/** A message: https://docs.ntfy.sh/publish */
export function ntfyProblems(text: string, url: URL, headers: IncomingHttpHeaders): Problems {
  const at = look()
  if (!/^(\/ntfy)?\/[-\w]{1,64}$/.test(url.pathname))
    at.problems.push('page not found: the address must end in a topic')
  at.text(text, 'the body', 4096)
  if (Buffer.byteLength(text) > 4096)
    at.problems.push('the body is longer than 4096 bytes and would become an attachment')
  const priorities = ['1', '2', '3', '4', '5', 'min', 'low', 'default', 'high', 'urgent', 'max']
  if (headers['priority'] !== undefined) at.oneOf(headers['priority'], 'Priority', priorities)
  if (!/^text\/plain\b/.test(headers['content-type'] ?? ''))
    at.problems.push('Content-Type must be text/plain')
  for (const name of ['title', 'tags', 'click']) {
    const value = headers[name]
    if (value !== undefined && !/^[ -~]+$/.test(String(value)))
      at.problems.push(`${name} must be ASCII, or encoded by RFC 2047`)
  }
  return at.problems
}
