import { once } from 'node:events'
import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { afterEach, expect, test } from 'vitest'
import { startAppriseSink } from './apprise.ts'
import { readMail } from './mime.ts'
import { openEntity } from './shapes/telegram.ts'
import { startSmtpSink } from './smtp.ts'
import { startWebhookSink } from './webhook.ts'

const opened: { close(): Promise<void> }[] = []
const keep = <S extends { close(): Promise<void> }>(sink: S): S => {
  opened.push(sink)
  return sink
}
afterEach(async () => {
  for (const sink of opened.splice(0)) await sink.close()
})

const post = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

test('a documented payload is accepted like by the service', async () => {
  const sink = keep(await startWebhookSink())
  const good: [string, unknown, number][] = [
    ['discord', { embeds: [{ title: 'a', description: 'b', color: 15_158_332 }] }, 204],
    [
      'slack',
      {
        text: 'a',
        blocks: [{ type: 'section', text: { type: 'mrkdwn', text: '<https://a.test|b> &amp;' } }],
      },
      200,
    ],
    [
      'telegram',
      { chat_id: -5, text: '*a* b\\_c', parse_mode: 'Markdown', disable_web_page_preview: true },
      400,
    ],
    ['pagerduty', { routing_key: 'k'.repeat(32), event_action: 'resolve', dedup_key: 'a' }, 202],
    [
      'pushover',
      { token: 't'.repeat(30), user: 'u'.repeat(30), message: 'a', timestamp: 1_700_000_000 },
      200,
    ],
    ['gotify', { title: 'a', message: 'b', priority: 10 }, 200],
  ]
  for (const [service, body, status] of good) {
    expect((await post(sink.urls[service]!, body)).status, service).toBe(status)
  }
  // the URL still contains the chat id, which must be removed
  expect(sink.received().find(({ service }) => service === 'telegram')?.problems).toEqual([
    'parameters stand in the address too: ?chat_id=-1001234567890',
  ])
  const text = await fetch(sink.urls['ntfy']!, {
    method: 'POST',
    body: 'a',
    headers: { 'content-type': 'text/plain', priority: 'urgent' },
  })
  expect(text.status).toBe(200)
  expect((await post(`${sink.origin}/somewhere`, 'anything')).status).toBe(200)
})

test('an invalid payload is refused with all its problems', async () => {
  const sink = keep(await startWebhookSink())
  const bad: [string, unknown, RegExp][] = [
    ['discord', { embeds: [{ title: '', color: 'red' }] }, /title must be a text.*color must be a whole/],
    [
      'slack',
      { blocks: [{ type: 'section', text: { type: 'mrkdwn', text: 'a <!channel> & b' } }] },
      /unescaped/,
    ],
    ['teams', { '@type': 'Card' }, /@type must be MessageCard/],
    ['teams-adaptive', { type: 'message', attachments: [] }, /attachments must be a list/],
    ['pagerduty', { routing_key: 'short', event_action: 'fire' }, /routing_key must have 32.*event_action/],
    [
      'pushover',
      { token: 'a', user: 'b', message: 'c', timestamp: '2026-01-01T00:00:00Z' },
      /timestamp must be a whole/,
    ],
    ['generic', { alerts: [] }, /event must be.*alerts must be a list/],
    ['generic', '{', /no JSON/],
  ]
  for (const [service, body, problem] of bad) {
    const answer = await post(sink.urls[service]!, body)
    expect([answer.status, await answer.text()], service).toEqual([400, expect.stringMatching(problem)])
  }
})

test.each([
  ['a *b* c', undefined],
  ['a_b', '_'],
  ['a\\_b', undefined],
  ['[a](https://b.test)', undefined],
  ['[a', ']'],
  ['`a_b`', undefined],
])('the older Markdown of Telegram: %s', (text, open) => expect(openEntity(text)).toBe(open))

test('a sink answers, hangs, redirects and hangs up as configured, for one path or for all', async () => {
  const sink = keep(await startWebhookSink())
  const url = `${sink.origin}/a`
  sink.behave({ kind: 'status', status: 429, retryAfter: '7' }, { path: '/a', times: 1 })
  const limited = await post(url, '')
  expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '7'])
  expect((await post(url, '')).status).toBe(200)
  sink.behave({ kind: 'redirect', status: 307, location: '/b' })
  const away = await fetch(url, { method: 'POST', redirect: 'manual' })
  expect(away.headers.get('location')).toBe('/b')
  sink.behave({ kind: 'reset' })
  await expect(post(url, '')).rejects.toThrow(/fetch failed/)
  sink.behave({ kind: 'late', ms: 1 })
  expect((await post(url, '')).status).toBe(200)
  sink.behave({ kind: 'hang' })
  const gone = new AbortController()
  const hanging = post(url, '').catch(() => 'gave up')
  const stopped = fetch(url, { signal: gone.signal }).catch(() => 'gave up')
  gone.abort()
  expect(await stopped).toBe('gave up')
  opened.pop()
  await sink.close()
  expect(await hanging).toBe('gave up')
})

test('the Apprise server accepts messages with addresses, or for a stored configuration', async () => {
  const sink = keep(await startAppriseSink({ keys: ['ops'], apiKey: 'canary' }))
  const body = { title: 'a', body: 'b', type: 'warning', urls: 'json://127.0.0.1' }
  const to = async (path: string, sent: unknown, key = 'canary') =>
    (await post(`${sink.origin}${path}`, sent, { 'x-api-key': key })).status
  expect(await to('/notify/', body)).toBe(200)
  expect(await to('/notify/ops', { ...body, urls: undefined })).toBe(200)
  expect(await to('/notify/unknown', body)).toBe(204)
  expect(await to('/notify/', { ...body, urls: '' })).toBe(204)
  expect(await to('/notify/', { ...body, type: 'loud' })).toBe(400)
  expect(await to('/notify/', body, 'wrong')).toBe(401)
  expect(await to('/elsewhere', body)).toBe(404)
  expect(sink.received()).toHaveLength(4)
})

/** Sends lines to a server, each after the reply to the previous one. */
async function smtp(port: number, ...lines: string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let said = ''
  for (const line of ['', ...lines]) {
    if (line) socket.write(`${line}\r\n`)
    let answer = ''
    while (!/^\d{3} .*\r\n$/m.test(answer)) answer += String((await once(socket, 'data'))[0])
    said += answer
  }
  socket.destroy()
  return said
}
const plainLogin = Buffer.from('\0alice\0right').toString('base64')

test('a mail server accepts mails and sign-ins as configured', async () => {
  const account = { username: 'alice', password: 'right' }
  const sink = keep(await startSmtpSink({ account }))
  const mail = ['MAIL FROM:<a@example.test>', 'RCPT TO:<b@example.test>', 'DATA']
  const text = 'Subject: =?UTF-8?Q?=C3=A4?=\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n=C3=B6\r\n.'
  const said = await smtp(sink.port, 'EHLO lab', `AUTH PLAIN ${plainLogin}`, ...mail, text)
  expect(said).toMatch(/AUTH PLAIN LOGIN[\s\S]*235[\s\S]*354[\s\S]*250/)
  const [received] = sink.received()
  expect(received).toMatchObject({
    from: 'a@example.test',
    to: ['b@example.test'],
    user: 'alice',
    method: 'PLAIN',
    secure: false,
  })
  expect([received!.headers.get('subject'), received!.text.trim()]).toEqual(['ä', 'ö'])
  expect(await smtp(sink.port, 'EHLO lab', mail[0]!)).toMatch(/530/)
  sink.behave({ kind: 'refuse', at: 'recipient', code: 550, text: 'no such user', only: 'b@example.test' })
  expect(await smtp(sink.port, 'EHLO lab', `AUTH PLAIN ${plainLogin}`, ...mail.slice(0, 2))).toMatch(
    /550 .*no such user/,
  )
})

test('a server with encryption has its own certificate, with implicit TLS or STARTTLS', async () => {
  const late = keep(await startSmtpSink({ security: 'starttls' }))
  expect(await smtp(late.port, 'EHLO lab')).toContain('STARTTLS')
  const sink = keep(await startSmtpSink({ security: 'tls' }))
  const socket = connectTls({ port: sink.port, host: '127.0.0.1', ca: sink.certPem })
  await once(socket, 'secureConnect')
  expect(socket.authorized).toBe(true)
  socket.destroy()
})

test('a mail of two parts is decoded', () => {
  const mail = readMail(
    [
      'Subject: =?UTF-8?B?w6Q=?=',
      ' =?UTF-8?Q?_b?=',
      'Content-Type: multipart/alternative; boundary="x"',
      '',
      '--x',
      'Content-Type: text/plain',
      '',
      'plain',
      '--x',
      'Content-Type: text/html',
      'Content-Transfer-Encoding: base64',
      '',
      Buffer.from('<b>ä</b>').toString('base64'),
      '--x--',
    ].join('\r\n'),
  )
  expect([mail.headers.get('subject'), mail.text.trim(), mail.html]).toEqual(['ä b', 'plain', '<b>ä</b>'])
})
