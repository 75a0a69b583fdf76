import type { NodeTest, SourceKind, SourceState } from '@pulse/contract'
import { type Connection, type Observation, Secret } from '@pulse/domain'
// For tests only, like the two packages that it needs.
import { createSelfSigned, startLab, type Lab, type LabOptions } from '@pulse/lab'
import { acceleratedClock, type SteppedClock } from '@pulse/testkit'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { expect, type TestContext } from 'vitest'
import { normalFingerprint } from '../certificate.ts'
import { passingBetweenCalls } from '../../testing/calls-under-way.ts'
import { aShownSource, type ShownSource } from '../fixtures.ts'
import { collectors } from '../index.ts'
import type { RunningCollector } from '../source.ts'

type Auth = Connection['auth']

export interface WatchedSource {
  running: RunningCollector
  /** as published, before the state adds health and age */
  seen: Observation[]
  shown: ShownSource
}

/** A lab with one host of every product, and helpers to watch each in accelerated time. */
export interface GivenHosts {
  lab: Lab
  clock: SteppedClock
  logLines: string[]
  /** The usual account of that product: a token if the product has tokens. */
  connection(kind: SourceKind, change?: Partial<Connection>): Connection
  test(kind: SourceKind, change?: Partial<Connection>): Promise<NodeTest>
  start(
    kind: SourceKind,
    change?: Partial<Connection>,
    onObserve?: (observation: Observation) => void,
  ): WatchedSource
  pass(seconds: number): Promise<void>
  until(what: string, isSo: () => boolean, withinSeconds?: number): Promise<void>
}

export const token = (tokenId: string, secret: string): Auth => ({
  type: 'token',
  tokenId,
  secret: new Secret(secret),
})
export const password = (user: string, text: string): Auth => ({
  type: 'password',
  user,
  password: new Secret(text),
})
export const stateOf = ({ shown }: Pick<WatchedSource, 'shown'>): Partial<SourceState> => shown.source() ?? {}

export async function givenHosts(
  context: Pick<TestContext, 'onTestFinished'>,
  { factor = 20, ...options }: LabOptions & { factor?: number } = {},
): Promise<GivenHosts> {
  const addresses = new Set<string>()
  let waiting = 0
  const clock = acceleratedClock(
    factor,
    undefined,
    passingBetweenCalls(context, addresses, () => waiting > 0),
  )
  const labStartedAt = clock.now()
  const authDelayMs = Math.round(3_000 / factor)
  const lab = await startLab({
    nodes: 1,
    guests: 0,
    standalone: true,
    pbs: 1,
    pmg: 1,
    authDelayMs,
    now: () => labStartedAt + clock.monotonic(), // the lab's own clock is never set
    ...options,
  })
  const [pbs] = lab.pbs
  const [pmg] = lab.pmg
  const hosts = { pve: lab.clusters[0]!.nodes[0]!, pbs: pbs!, pmg: pmg! }
  for (const { address } of Object.values(hosts)) addresses.add(address)
  const { tokenId, tokenSecret } = lab.credentials
  const accounts: Record<SourceKind, Auth> = {
    pve: token(tokenId, tokenSecret),
    pbs: token(pbs!.credentials.tokenId, pbs!.credentials.tokenSecret),
    pmg: password(pmg!.credentials.auditor.user, pmg!.credentials.auditor.password),
  }
  const logLines: string[] = []
  const log = pino({ level: 'debug' }, { write: (line: string) => void logLines.push(line) })
  const started: RunningCollector[] = []
  const shownSources: ShownSource[] = []
  context.onTestFinished(async () => {
    await Promise.all(started.map((collector) => collector.stop()))
    for (const { state } of shownSources) state.stop()
    await lab.close()
    for (const secret of [tokenSecret, pbs!.credentials.tokenSecret, pmg!.credentials.auditor.password]) {
      expect(logLines.join('')).not.toContain(secret)
    }
  })

  const connection: GivenHosts['connection'] = (kind, change = {}) => ({
    id: 'c1',
    kind,
    name: 'main',
    host: hosts[kind].url,
    auth: accounts[kind],
    fingerprint: normalFingerprint(hosts[kind].fingerprint),
    verifySSL: true,
    flags: {},
    ...change,
  })
  const pass = async (seconds: number) => {
    waiting++
    await new Promise<void>((resolve) => void clock.after(seconds * 1000, resolve))
    waiting--
  }
  return {
    lab,
    clock,
    logLines,
    connection,
    test: (kind, change) => collectors[kind].test(connection(kind, change), { clock, log }),
    start(kind, change, onObserve) {
      const seen: Observation[] = []
      const shown = aShownSource(clock, log)
      shownSources.push(shown)
      const observe = (one: Observation) => {
        seen.push(one)
        shown.observe(one)
        onObserve?.(one)
      }
      const edges = { clock, log, observe, learned: () => {} }
      const running = collectors[kind].start(connection(kind, change), edges)
      started.push(running)
      return { running, seen, shown }
    },
    pass,
    async until(what, isSo, withinSeconds = 120) {
      const deadline = clock.monotonic() + withinSeconds * 1000
      while (!isSo()) {
        if (clock.monotonic() > deadline) expect.fail(`${what}: not so after ${withinSeconds} s`)
        await pass(0.5)
      }
    },
  }
}

/** An internal server that is not a Proxmox host. Its answers must not leak. */
export async function anInternalService(
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
) {
  const certificate = await createSelfSigned('house', '127.0.0.1', 'House', Date.now())
  const { fingerprint, keyPem: key, certPem: cert } = certificate
  const server = createServer({ key, cert }, answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { host: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, fingerprint }
}
