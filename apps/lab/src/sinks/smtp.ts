import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { SMTPServerOptions } from 'smtp-server'
import { type Certificate, createSelfSigned } from '../certificate.ts'
import { type ReadMail, readMail } from './mime.ts'

export interface SmtpSinkOptions {
  port?: number
  /** `plain` by default; `tls` encrypts from the first byte */
  security?: 'plain' | 'starttls' | 'tls'
  /** the account that may send; without it, no login is required */
  account?: { username: string; password: string }
  /** accepted authentication methods; PLAIN and LOGIN by default */
  methods?: readonly ('PLAIN' | 'LOGIN' | 'CRAM-MD5')[]
}

/** How the next mails are handled; `hang` accepts them without an answer. */
export type SmtpBehaviour =
  | { kind: 'take' }
  | {
      kind: 'refuse'
      at: 'connect' | 'from' | 'recipient' | 'data'
      code: number
      text: string
      only?: string
    }
  | { kind: 'hang' }

export interface ReceivedMail extends ReadMail {
  from: string
  to: readonly string[]
  /** whether the connection was encrypted */
  secure: boolean
  user: string | undefined
  /** the authentication method of the client */
  method: string | undefined
  raw: string
}

export interface SmtpSink {
  host: string
  port: number
  /** the certificate authority that clients must trust */
  certPem: string
  behave(behaviour: SmtpBehaviour): void
  /** oldest first */
  received(): readonly ReceivedMail[]
  /** connections so far */
  connections(): number
  /** credentials of all attempts, right or wrong, with the method */
  signIns(): readonly { method: string; username: string; password: string; secure: boolean }[]
  clear(): void
  close(): Promise<void>
}

const refused = (code: number, text: string) => Object.assign(new Error(text), { responseCode: code })

/** A mail server on 127.0.0.1 that stores all mails. */
export async function startSmtpSink(options: SmtpSinkOptions = {}): Promise<SmtpSink> {
  const { SMTPServer } = await import('smtp-server') // most users of the lab do not need it
  const { security = 'plain', account, methods = ['PLAIN', 'LOGIN'] } = options
  const certificate = await certificateFor(security)
  let behaviour: SmtpBehaviour = { kind: 'take' }
  let received: ReceivedMail[] = []
  let signIns: { method: string; username: string; password: string; secure: boolean }[] = []
  let connections = 0
  const how = new Map<string, string>()
  const objection = (at: string, to?: string) =>
    behaviour.kind === 'refuse' && behaviour.at === at && (behaviour.only ?? to) === to
      ? refused(behaviour.code, behaviour.text)
      : undefined

  const settings: SMTPServerOptions = {
    secure: security === 'tls',
    ...(certificate && { cert: certificate.certPem, key: certificate.keyPem }),
    disabledCommands: [...(security === 'plain' ? ['STARTTLS'] : []), ...(account ? [] : ['AUTH'])],
    authOptional: !account,
    authMethods: [...methods],
    allowInsecureAuth: security === 'plain',
    disableReverseLookup: true,
    logger: false,
    onConnect(_session, done) {
      connections++
      done(objection('connect'))
    },
    onAuth(auth, session, done) {
      const { method } = auth
      const [username, password] = [auth.username ?? '', auth.password ?? '']
      signIns.push({ method, username, password, secure: session.secure })
      const isRight =
        username === account?.username &&
        (method === 'CRAM-MD5' ? auth.validatePassword(account.password) : password === account.password)
      how.set(session.id, method)
      if (isRight) done(null, { user: username })
      else done(refused(535, 'Authentication credentials invalid'))
    },
    onMailFrom: (_address, _session, done) => done(objection('from')),
    onRcptTo: ({ address }, _session, done) =>
      done(objection('recipient', address ?? '') ?? objection('recipient')),
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        if (behaviour.kind === 'hang') return
        const objected = objection('data')
        if (objected) return done(objected)
        const raw = Buffer.concat(chunks).toString()
        const { mailFrom, rcptTo } = session.envelope
        received.push({
          ...readMail(raw),
          from: (mailFrom && mailFrom.address) || '',
          to: rcptTo.map(({ address }) => address ?? ''),
          secure: session.secure,
          user: typeof session.user === 'string' ? session.user : undefined,
          method: how.get(session.id),
          raw,
        })
        done(null, 'queued by the lab')
      })
    },
  }
  const server = new SMTPServer(settings)
  server.on('error', () => {}) // clients that refuse the certificate or disconnect early
  const listener = server.listen(options.port ?? 0, '127.0.0.1')
  await once(listener, 'listening')
  return {
    host: '127.0.0.1',
    port: (listener.address() as AddressInfo).port,
    certPem: certificate?.certPem ?? '',
    behave(next) {
      behaviour = next
    },
    received: () => received,
    connections: () => connections,
    signIns: () => signIns,
    clear() {
      received = []
      signIns = []
    },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(resolve))
      for (const connection of server.connections) connection.close()
      await closed
    },
  }
}

const certificateFor = (security: SmtpSinkOptions['security']): Promise<Certificate | undefined> =>
  security === 'plain' || security === undefined
    ? Promise.resolve(undefined)
    : createSelfSigned('mail', '127.0.0.1', 'Lab Mail', Date.now())
