import { type Endpoint, type VersionInfo } from '@pulse/contract'
import { type AnyAbout, chapters } from '@pulse/contract/reference'
import {
  type Lab,
  type OidcProvider,
  type ReleaseFeed,
  type SmtpSink,
  startLab,
  startOidcProvider,
  startReleaseFeed,
  startSmtpSink,
  startWebhookSink,
  type WebhookSink,
} from '@pulse/lab'
import { acceleratedClock } from '@pulse/testkit'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect } from 'vitest'
import * as contract from '@pulse/contract'
import { product } from '../../server.ts'
import { readVersion } from '../../start/version.ts'
import { quickHashing } from '../../testing/quick-hashing.ts'
import { type Answer, startTestServer, type TestServer } from '../../testing/server.ts'
import { aKey } from '../../updates/fixtures.ts'
import type { Replacements } from './example.ts'
import { anInstalled, pemOf, publishedRelease } from '../../updates/fixtures-releases.ts'

/** A request's differences from the documented one. */
export interface Request {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: unknown
  /** instead of the administrator's session */
  as?: Record<string, string>
}

/** A real server with its sources and destinations. Makes one request of each documented call. */
export interface Estate {
  server: TestServer
  lab: Lab
  hooks: WebhookSink
  mail: SmtpSink
  provider: OidcProvider
  /** the administrator's session, which the first calls start */
  session: Record<string, string>
  /** Makes the call with the given parts; the reference supplies the others. */
  call(name: string, request?: Request): Promise<Answer>
  /** Uses real time during the work, for calls with a timeout of one second. */
  inRealTime(work: () => Promise<unknown>): Promise<void>
  /** the first answer of every call */
  answers: Map<string, Answer>
  /** replacements for values that differ in each run */
  replacements(): Replacements
  /** secrets that were entered or generated */
  secrets(): string[]
  close(): Promise<void>
}

export const calls = new Map(
  Object.entries(contract as Record<string, unknown>).filter(
    (entry): entry is [string, Endpoint] =>
      typeof entry[1] === 'object' && entry[1] !== null && 'path' in entry[1] && 'method' in entry[1],
  ),
)
const about = new Map<string, AnyAbout>(chapters.flatMap((chapter) => Object.entries(chapter.calls)))

/** Each call has its own client address, so that no call reaches a rate limit. */
const trusted = { PULSE_TRUSTED_PROXIES: '127.0.0.1' }
const installed: VersionInfo = anInstalled('1.2.3')
const minuteMs = 60_000
const hourMs = 60 * minuteMs
const clientSecret = 'a secret of the provider'

export async function openEstate(): Promise<Estate> {
  let isSlow = false
  let ticks = 0
  // Early in an hour: with its end, the history of the hour moves into blocks, which the stored examples do not have.
  const startMs = Math.floor(Date.now() / hourMs) * hourMs + minuteMs
  const clock = acceleratedClock(20, startMs, () => (isSlow && ++ticks % 20 > 0 ? 'stands' : 'flows'))
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-reference-'))
  const feed = await startReleaseFeed()
  const lab = await startLab({
    nodes: 2,
    guests: 12,
    pbs: 1,
    pmg: 1,
    ceph: true,
    base: '127.31.77',
    authDelayMs: 0,
    loadPeriodMs: 0,
    now: () => clock.now(),
  })
  const hooks = await startWebhookSink()
  const mail = await startSmtpSink()
  const env = { ...trusted, ...layDown(folder, feed) }
  const server = await startTestServer(clock, env, undefined, quickHashing, (base) =>
    product({ ...base, version: installed }),
  )
  const provider = await startOidcProvider({
    clientId: 'pulse',
    clientSecret,
    redirectUris: [`${server.url}/api/oidc/callback`],
    users: [{ sub: 'u-1', preferred_username: 'alice', password: 'alice-password' }],
  })
  const answers = new Map<string, Answer>()
  let asked = 0

  const estate: Estate = {
    server,
    lab,
    hooks,
    mail,
    provider,
    session: {},
    answers,
    async call(name, request = {}) {
      const endpoint = calls.get(name)!
      const shown = about.get(name)!
      const { params = shown.params, query = shown.query, as = estate.session } = request
      const where = endpoint.path.replace(/:(\w+)/g, (_, key: string) =>
        encodeURIComponent((params as Record<string, string>)[key]!),
      )
      const search = query ? `?${new URLSearchParams(query as Record<string, string>)}` : ''
      const body = 'body' in request ? request.body : shown.body
      asked++
      const from = { 'x-forwarded-for': `192.0.2.${asked % 200}` }
      const answer = await server.as({ ...as, ...from })(endpoint.method, where + search, body)
      expect(answer.status, `${name}: ${answer.text.slice(0, 400)}`).toBe(
        endpoint.media === 'redirect' ? 302 : (endpoint.status ?? 200),
      )
      if (!answers.has(name)) answers.set(name, answer)
      return answer
    },
    async inRealTime(work) {
      isSlow = true
      await work()
      isSlow = false
    },
    replacements() {
      const shown = 'https://pulse.example.com'
      const release = path.join(folder, 'pulse')
      return {
        startedMs: startMs,
        texts: [
          [server.url, shown],
          [new URL(server.url).host, new URL(shown).host],
          [hooks.origin, 'https://hooks.example.com'],
          [new URL(hooks.origin).host, 'hooks.example.com'],
          [new URL(feed.url).origin, 'https://releases.example.com'],
          [provider.issuer, 'https://id.example.com'],
          [`${mail.host}:${mail.port}`, 'smtp.example.com:587'],
          [server.dataDir, '/etc/pulse'],
          [release, '/opt/pulse'],
          [folder, '/opt'],
          [readVersion({}).version, installed.version],
        ],
        figures: new Map([[mail.port, 587]]),
      }
    },
    secrets() {
      const made = ['postToken', 'postPrepareDockerToken', 'postRegenerateToken'].map(
        (name) => (answers.get(name)!.body as { token: string }).token,
      )
      const { setupCode } = answers.get('postSetupScriptUrl')!.body as { setupCode: string }
      const { data } = answers.get('postConfigExport')!.body as { data: string }
      const { credentials } = lab
      const ofHosts = [credentials, lab.pbs[0]!.credentials].map(({ tokenSecret }) => tokenSecret)
      return [...made, setupCode, data, ...ofHosts, lab.pmg[0]!.credentials.password, clientSecret]
    },
    async close() {
      await server.stop()
      await Promise.all([lab.close(), hooks.close(), mail.close(), provider.close(), feed.close()])
      fs.rmSync(folder, { recursive: true })
    },
  }
  return estate
}

/** Creates the folder of an installed release with its agents, and offers a newer release. */
function layDown(folder: string, feed: ReleaseFeed) {
  const key = aKey()
  const slot = path.join(folder, 'pulse/slots/a')
  const agents = path.join(folder, 'agents')
  fs.mkdirSync(slot, { recursive: true })
  fs.mkdirSync(agents)
  fs.symlinkSync('slots/a', path.join(folder, 'pulse/current'))
  fs.writeFileSync(path.join(slot, 'release-key.pem'), pemOf(key))
  fs.writeFileSync(path.join(agents, 'VERSION'), '1.2.3\n')
  fs.writeFileSync(path.join(agents, 'pulse-docker-agent-linux-amd64'), 'the agent')
  const notes = '## What is new\n\nA longer history.'
  feed.publish(publishedRelease(folder, { version: '1.3.0', key }), { notes, publishedAt: Date.now() })
  return { PULSE_UPDATE_SERVER: feed.url, PULSE_RELEASE_DIR: slot, PULSE_AGENT_DIR: agents }
}

/** The settings of single sign-on. */
export const oidcClient = { enabled: true, clientId: 'pulse', clientSecret }
