import { hostileAgents } from '@pulse/lab'
import http from 'node:http'
import v8 from 'node:v8'
import vm from 'node:vm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { scale } from '../auth/fixtures.ts'
import { addToken, steppedClock } from '../testing/people.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'

/** 2,000 normally; the long tier sends five times as many. */
const REPORTS = scale > 1 ? 10_000 : 2_000
const SEED = 11

v8.setFlagsFromString('--expose-gc')
const collectGarbage = vm.runInNewContext('gc') as () => void

const clock = steppedClock()
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
let server: TestServer
beforeAll(async () => {
  server = await startTestServer(clock)
})
afterAll(async () => {
  agent.destroy()
  await server.stop()
})

interface Answer {
  status: number
  text: string
  /** seconds */
  retryAfter: number | undefined
}

function send(headers: Record<string, string>, body: Buffer): Promise<Answer> {
  const all = { ...headers, 'content-length': String(body.length) }
  return new Promise((resolve, reject) => {
    http
      .request(
        new URL('/api/agents/docker/report', server.url),
        { method: 'POST', agent, headers: all },
        (answer) => {
          let text = ''
          answer.setEncoding('utf8')
          answer.on('data', (piece: string) => (text += piece))
          const { statusCode, headers } = answer
          const retryAfter = headers['retry-after'] === undefined ? undefined : Number(headers['retry-after'])
          answer.once('end', () => resolve({ status: statusCode!, text, retryAfter }))
        },
      )
      .on('error', reject)
      .end(body)
  })
}

function heldBytes() {
  collectGarbage()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

test('[S13] hostile reports are refused or stored as text, touch no other host, and leave memory as it was', async () => {
  console.log(`${REPORTS} hostile reports, seed ${SEED}`)
  const { own, other, reports } = hostileAgents({ seed: SEED, atMs: clock.now() })
  const tokens = [own, other].map(() => addToken(server.call, { scopes: ['docker:report'], oneHost: true }))
  const [mine, theirs] = await Promise.all(tokens)
  const honest = (report: object, headers: Record<string, string>) =>
    send({ ...headers, 'content-type': 'application/json' }, Buffer.from(JSON.stringify(report)))
  expect((await honest(other, theirs!.headers)).status).toBe(200)
  expect((await honest(own, mine!.headers)).status).toBe(200)

  const otherId = other.agent.id
  const shown = async () => {
    const { body } = await server.call('GET', '/api/state')
    const { dockerHosts } = body as { dockerHosts: { id: string; containers: object[] }[] }
    const { containers } = dockerHosts.find(({ id }) => id === otherId)!
    return containers.map((container) => ({ ...container, uptimeSeconds: 0 }))
  }
  const before = await shown()
  let held = 0
  const wrong: string[] = []
  const answers = new Map<number, number>()
  let n = 0
  for (const { name, headers, body, mustBeRefused, claimsOther } of reports(REPORTS)) {
    // a host that reports too often gets status 429, so the clock advances here
    clock.pass(600)
    const sent = () => send({ ...headers, ...mine!.headers }, body)
    let { status, text, retryAfter } = await sent()
    if (retryAfter !== undefined) {
      clock.pass(retryAfter * 1_000)
      ;({ status, text } = await sent())
    }
    answers.set(status, (answers.get(status) ?? 0) + 1)
    if (status >= 500 || status === 429) wrong.push(`${name}: ${status} ${text.slice(0, 200)}`)
    if (status < 300 && (mustBeRefused || claimsOther)) wrong.push(`${name}: taken`)
    if (++n === Math.floor(REPORTS / 4)) held = heldBytes()
  }
  console.log(Object.fromEntries(answers))
  expect(wrong).toEqual([])
  expect(heldBytes() - held).toBeLessThan(50_000_000)
  expect(await shown()).toEqual(before)
  expect(answers.get(200)).toBeGreaterThan(0)
  // the clock of the test leaps: the lease of the process that leads ends, and the database has another time
  const errors = server.logLines.filter(
    (line) => /"level":(50|60)/.test(line) && !/"trouble":"(lead|clock)"/.test(line),
  )
  expect(errors).toEqual([])
})
