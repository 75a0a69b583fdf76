import { emailProviders, type Notice, Secret } from '@pulse/domain'
import { startSmtpSink, type SmtpSink, type SmtpSinkOptions } from '@pulse/lab'
import { createServer, type Server, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { anAlert, aNotice, sendersFor, email, many, never } from '../fixtures.ts'
import type { EmailSettings } from './settings.ts'
import { emailUsername } from '@pulse/domain'
import { mailboxOf } from './mailbox.ts'
import { encryptionOf } from './transport.ts'

const opened: { close(): unknown }[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
})
async function aSink(options: SmtpSinkOptions = {}): Promise<SmtpSink> {
  const sink = await startSmtpSink(options)
  opened.push(sink)
  return sink
}
const account = { username: 'alice', password: 'canary-password' }
const signedIn = { username: 'alice', password: new Secret('canary-password') }
const to = (sink: SmtpSink, change: Partial<EmailSettings> = {}) => email({ port: sink.port, ...change })
const send = (settings: EmailSettings, notice: Notice = aNotice(), ca?: string) =>
  sendersFor(ca === undefined ? {} : { ca }).email.send(settings, notice, never)
const reasonOf = (outcome: { delivered: boolean; reason?: string }) => outcome.reason ?? 'delivered'

describe('[facts/alerts 10.1] the modes of encryption mean what they say', () => {
  test('STARTTLS and a sign-in by LOGIN, which is all that some offer', async () => {
    const sink = await aSink({ security: 'starttls', account, methods: ['LOGIN'] })
    const outcome = await send(to(sink, { startTLS: true, ...signedIn }), aNotice(), sink.certPem)
    expect(outcome).toMatchObject({ delivered: true, response: expect.stringContaining('queued by the lab') })
    expect(sink.received()).toMatchObject([
      { secure: true, method: 'LOGIN', user: 'alice', to: ['ops@example.test'] },
    ])
  })

  test('TLS from the first byte and a sign-in by PLAIN', async () => {
    const sink = await aSink({ security: 'tls', account, methods: ['PLAIN'] })
    expect(await send(to(sink, { tls: true, ...signedIn }), aNotice(), sink.certPem)).toMatchObject({
      delivered: true,
    })
    expect(sink.received()).toMatchObject([{ secure: true, method: 'PLAIN' }])
  })

  test('neither: in clear, even where STARTTLS is offered', async () => {
    const sink = await aSink({ security: 'starttls' })
    expect(await send(to(sink))).toMatchObject({ delivered: true })
    expect(sink.received()).toMatchObject([{ secure: false, method: undefined }])
  })

  test('a server without STARTTLS gets nothing, above all no password', async () => {
    const sink = await aSink({ account })
    const outcome = await send(to(sink, { startTLS: true, ...signedIn }))
    expect(reasonOf(outcome)).toMatch(/does not offer STARTTLS, so nothing was sent/)
    expect([sink.signIns(), sink.received()]).toEqual([[], []])
  })

  test('a server that does not speak TLS from the start, and one that speaks nothing else', async () => {
    const sink = await aSink({ security: 'starttls' })
    expect(reasonOf(await send(to(sink, { tls: true }), aNotice(), sink.certPem))).toMatch(
      /does not support TLS from the start on this port\. Use STARTTLS/,
    )
    expect(sink.received()).toEqual([])
  })

  test.each(['starttls', 'tls'] as const)(
    '[S18] an untrusted certificate (%s): no password leaves',
    async (security) => {
      const sink = await aSink({ security, account })
      const outcome = await send(
        to(sink, { tls: security === 'tls', startTLS: security === 'starttls', ...signedIn }),
      )
      expect(outcome).toMatchObject({ delivered: false, retry: 'later' })
      expect(reasonOf(outcome)).toMatch(/certificate of 127\.0\.0\.1:\d+ is not trusted.*NODE_EXTRA_CA_CERTS/)
      expect(sink.signIns()).toEqual([])
    },
  )

  test('older settings with both mean one of them, by the port, and never none', async () => {
    expect(encryptionOf({ tls: true, startTLS: true, port: 465 })).toBe('tls')
    expect(encryptionOf({ tls: true, startTLS: true, port: 587 })).toBe('starttls')
    const sink = await aSink({ security: 'starttls' })
    expect(await send(to(sink, { tls: true, startTLS: true }), aNotice(), sink.certPem)).toMatchObject({
      delivered: true,
    })
    expect(sink.received()).toMatchObject([{ secure: true }])
  })
})

describe('[facts/alerts 10.1] presets', () => {
  test('eleven of them, port 587 with STARTTLS each', () => {
    expect(emailProviders.map(({ name }) => name)).toEqual([
      'Gmail / Google Workspace',
      'SendGrid',
      'Mailgun',
      'Amazon SES (US East)',
      'Microsoft 365 / Outlook',
      'Brevo (formerly Sendinblue)',
      'Postmark',
      'SparkPost',
      'Resend',
      'SMTP2GO',
      'Custom SMTP Server',
    ])
    for (const one of emailProviders) {
      expect(one).toMatchObject({ smtpPort: 587, tls: false, startTLS: true, authRequired: true })
      expect(one.instructions).not.toBe('')
    }
  })

  test.each([
    ['SendGrid', '', '', 'apikey'],
    ['', 'smtp.sendgrid.net', '', 'apikey'],
    ['Postmark', '', '', 'token'],
    ['SparkPost', '', '', 'SMTP_Injection'],
    ['Resend', '', '', 'resend'],
    ['SendGrid', '', 'mine', 'mine'],
    ['Custom SMTP Server', '', '', ''],
    ['', 'mail.lan', '', ''],
  ])('provider %j, server %j, user %j signs in as %j', (provider, server, username, expected) =>
    expect(emailUsername({ provider, server, username }, 'token')).toBe(expected),
  )

  test('no name and no password: no sign-in', async () => {
    const sink = await aSink()
    await send(to(sink, { password: new Secret('canary') }))
    expect(sink.received()).toHaveLength(1)
    expect(sink.signIns()).toEqual([])
  })
})

describe('[facts/alerts 10.1] a mail', () => {
  const only = async (notice: Notice, change: Partial<EmailSettings> = {}) => {
    const sink = await aSink()
    expect(await send(to(sink, change), notice)).toMatchObject({ delivered: true })
    return sink.received()[0]!
  }

  test('is text and a page, says when and by whom, and has the id of its event', async () => {
    const mail = await only(aNotice())
    expect(mail.headers.get('content-type')).toMatch(/^multipart\/alternative/)
    expect(mail.headers.get('subject')).toBe('[Pulse] Critical: CPU on web-1')
    expect(mail.headers.get('date')).toBe('Thu, 01 Jan 2026 12:00:00 +0000')
    expect(mail.headers.get('x-mailer')).toBe('Pulse')
    expect(mail.headers.get('x-pulse-event-id')).toBe('event-0001')
    expect(mail.text).toContain('  Value: 93.4%')
    expect(mail.text).toContain('  Threshold: 80%')
    expect(mail.html).toContain('CPU of web-1 is at 93.4% (threshold 80%)')
  })

  test('[S14] names in it are text: in the page, in headers, in lines', async () => {
    const name = 'web"><script>a()</script>\r\nBcc: mallory@example.test\r\n\r\n.\r\nÜmläut'
    const alert = anAlert({ resourceName: name, node: name, message: `${name} is hot` })
    const mail = await only(aNotice({ alerts: [{ alert }] }))
    expect(mail.html).toContain('&lt;script&gt;')
    expect(mail.html).not.toMatch(/<script|"><s/)
    expect(mail.headers.has('bcc')).toBe(false)
    expect(mail.headers.get('subject')).toMatch(
      /^\[Pulse\] Critical: CPU on web"><script>.* Bcc: mallory@example\.test/,
    )
    expect(mail.to).toEqual(['ops@example.test'])
    expect(mail.raw.split('\r\n\r\n')[0]).toMatch(/^[ -~\r\n\t]*$/) // other characters are encoded
  })

  test('[S14] a name that looks like an encoded word is read as it is written', async () => {
    const name = '=?utf-8?Q?all_is_well?= =?utf-8?Q?nothing_to_do?='
    const alert = anAlert({ resourceName: name })
    const mail = await only(aNotice({ alerts: [{ alert }] }))
    const subject = /^subject:\s*(.*(?:\r?\n[ \t].*)*)/im.exec(mail.raw)![1]!
    const words = subject.split(/\s+/)
    for (const word of words) expect(word).toMatch(/^=\?UTF-8\?B\?[A-Za-z0-9+/=]{1,60}\?=$/)
    const read = words.map((word) => Buffer.from(word.split('?')[3]!, 'base64').toString()).join('')
    expect(read).toBe(`[Pulse] Critical: CPU on ${name}`)
  })

  test('without recipients goes to the sender; replies go to the reply-to address', async () => {
    const mail = await only(aNotice(), {
      to: [],
      replyTo: 'Team <team@example.test>',
      from: 'pülse@example.test'.replace('ü', 'u'),
    })
    expect(mail.to).toEqual(['pulse@example.test'])
    expect(mail.headers.get('reply-to')).toContain('team@example.test')
  })

  test('of several alerts says how many of which, the most severe first; of 5,000 not all', async () => {
    const mail = await only(aNotice({ alerts: many(5000) }))
    expect(mail.headers.get('subject')).toBe('[Pulse] 5000 alerts (1667 critical, 3333 warning)')
    expect(mail.text).toContain('… and 4950 more')
    expect(mail.raw.length).toBeLessThan(150_000)
  })

  test('the all-clear answers the first mail about the alert, in whatever group that was', async () => {
    const sink = await aSink()
    const [a, b] = many(2)
    await send(to(sink), aNotice({ eventId: 'e1', alerts: [a!, b!] }))
    await send(to(sink), aNotice({ eventId: 'e2', kind: 'repeated', alerts: [a!] }))
    await send(to(sink), aNotice({ eventId: 'e3', kind: 'resolved', alerts: [b!] }))
    await send(to(sink), aNotice({ eventId: 'e3', kind: 'resolved', alerts: [b!] }))
    const [raised, repeated, resolved, copy] = sink.received().map(({ headers }) => ({
      id: headers.get('message-id'),
      answers: headers.get('in-reply-to'),
      thread: headers.get('references')!.split(' '),
    }))
    expect(raised!.answers).toBeUndefined()
    expect(raised!.thread).toEqual([repeated!.answers, resolved!.answers])
    expect(resolved!.thread).toEqual([resolved!.answers])
    expect(copy).toEqual(resolved) // the same mail again, with the same id
    expect(new Set([raised, repeated, resolved].map((mail) => mail!.id)).size).toBe(3)
  })

  test('another episode of the same alert is another thread', async () => {
    const sink = await aSink()
    for (const startTime of ['2026-01-01T11:00:00.000Z', '2026-01-01T11:30:00.000Z']) {
      await send(to(sink), aNotice({ kind: 'resolved', alerts: [{ alert: anAlert({ startTime }) }] }))
    }
    expect(new Set(sink.received().map(({ headers }) => headers.get('in-reply-to'))).size).toBe(2)
  })
})

describe('addresses', () => {
  test.each([
    ['ops@example.org', { name: '', address: 'ops@example.org' }],
    [' Ops Team <ops+x@mail.example.org> ', { name: 'Ops Team', address: 'ops+x@mail.example.org' }],
    ['"Ops, Team" <ops@example.org>', { name: 'Ops, Team', address: 'ops@example.org' }],
    ['root@localhost', { name: '', address: 'root@localhost' }],
    ['ops@example.org\r\nBcc: x@y.z', undefined],
    ['ops@example.org, x@y.z', undefined],
    ['a <b@c.d> <e@f.g>', undefined],
    ['ops@example.org>\n', undefined],
    ['-oQ/tmp@example.org', undefined],
    ['ops', undefined],
    ['@example.org', undefined],
    ['ops@', undefined],
    ['a b@example.org', undefined],
    ['ops@exa mple.org', undefined],
    ['<>', undefined],
  ])('%j', (text, expected) => expect(mailboxOf(text)).toEqual(expected))

  test('problems are reported by field', () => {
    const { email: sender } = sendersFor({ allowed: [] })
    expect(sender.problems(email({ server: '', from: '' }))).toEqual({
      server: 'Enter the mail server.',
      from: 'Enter the sender address.',
    })
    expect(sender.problems(email({ enabled: false, server: '', from: '', to: [] }))).toEqual({})
    const wrong = email({
      server: 'http://mail',
      from: 'x',
      to: ['a@b.c', 'no address'],
      replyTo: '-',
      tls: true,
      startTLS: true,
    })
    expect(Object.keys(sender.problems(wrong))).toEqual(['server', 'from', 'to', 'replyTo', 'startTLS'])
    expect(sender.problems(email())['server']).toMatch(
      /127\.0\.0\.1 is this machine itself; an administrator can allow 127\.0\.0\.1:25 under Allowed hosts\.$/,
    )
    expect(sender.problems(email({ server: 'mail.lan' }))).toEqual({})
  })
})

describe('the outcome of a mail, with what to do about it', () => {
  test('a wrong password: reported without it, and not retried', async () => {
    const sink = await aSink({ account })
    const outcome = await send(to(sink, { username: 'alice', password: new Secret('canary-wrong') }))
    expect(outcome).toMatchObject({ delivered: false, retry: 'never', status: 535 })
    expect(reasonOf(outcome)).toMatch(/did not accept the sign-in.*app password or an API key/)
    expect(JSON.stringify(outcome)).not.toContain('canary')
  })

  test.each([
    ['connect', 554, 'never', /refused the connection/],
    ['connect', 421, 'later', /refused the connection/],
    ['from', 550, 'never', /refused the sender or a recipient: 550 not you/],
    ['recipient', 550, 'never', /refused the sender or a recipient/],
    ['recipient', 450, 'later', /refused the sender or a recipient/],
    ['data', 554, 'never', /refused the mail: 554 not you/],
    ['data', 451, 'later', /refused the mail/],
  ] as const)('refused at %s with %d: %s', async (at, code, retry, words) => {
    const sink = await aSink()
    sink.behave({ kind: 'refuse', at, code, text: 'not you' })
    const outcome = await send(to(sink))
    expect(reasonOf(outcome)).toMatch(words)
    expect(outcome).toMatchObject({ delivered: false, retry })
  })

  test('[S16] a mail that was taken by a server that quotes the password', async () => {
    const sink = await aSink({ account })
    const text = `taken from alice canary-password ${Buffer.from('canary-password').toString('base64')}`
    sink.behave({ kind: 'refuse', at: 'data', code: 250, text })
    expect(await send(to(sink, signedIn))).toMatchObject({
      delivered: true,
      response: '250 taken from alice *** ***',
    })
  })

  test('a recipient that is refused among others is named, and the others get it', async () => {
    const sink = await aSink()
    sink.behave({ kind: 'refuse', at: 'recipient', code: 550, text: 'not here', only: 'gone@example.test' })
    const outcome = await send(to(sink, { to: ['ops@example.test', 'gone@example.test'] }))
    expect(outcome).toMatchObject({
      delivered: true,
      response: expect.stringContaining('refused for gone@example.test'),
    })
    expect(sink.received()[0]!.to).toEqual(['ops@example.test'])
  })

  test('no server at that address', async () => {
    const sink = await aSink()
    opened.pop()
    await sink.close()
    const outcome = await send(to(sink, { tls: true }))
    expect(outcome).toMatchObject({ delivered: false, retry: 'later' })
    expect(reasonOf(outcome)).toMatch(
      /127\.0\.0\.1:\d+: no answer \(ECONNREFUSED\)\. Check server and port: TLS is usual at port 465/,
    )
  })

  test('[S11] a server that may not be called is not', async () => {
    const sink = await aSink()
    const { email: sender } = sendersFor({ allowed: [] })
    const outcome = await sender.send(to(sink), aNotice(), never)
    expect(outcome).toMatchObject({
      delivered: false,
      retry: 'never',
      reason: expect.stringContaining('this machine itself'),
    })
    expect(sink.connections()).toBe(0)
  })

  test('who takes everything and says nothing is given up after 30 s, and hung up on', async () => {
    const sockets: Socket[] = []
    const silent: Server = createServer((socket) => void sockets.push(socket))
    opened.push(silent)
    await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done))
    const channels = sendersFor()
    const outcome = channels.email.send(
      email({ port: (silent.address() as { port: number }).port }),
      aNotice(),
      never,
    )
    await expect.poll(() => sockets.length).toBe(1)
    await channels.clock.advance(30_000)
    expect(await outcome).toMatchObject({
      delivered: false,
      retry: 'later',
      reason: expect.stringContaining('did not answer in time'),
    })
    await expect
      .poll(() => sockets[0]!.closed || sockets[0]!.readableEnded || sockets[0]!.destroyed)
      .toBe(true)
  })

  test('no more mails a minute than are set, for the whole process', async () => {
    const sink = await aSink()
    const channels = sendersFor()
    const outcomes: unknown[] = []
    for (let sent = 0; sent < 3; sent++)
      outcomes.push(await channels.email.send(to(sink, { rateLimit: 2 }), aNotice(), never))
    expect(outcomes[1]).toMatchObject({ delivered: true })
    expect(outcomes[2]).toMatchObject({ delivered: false, retry: 'later', retryAfterMs: 60_000 })
    expect(sink.received()).toHaveLength(2)
  })
})
