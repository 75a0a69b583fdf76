import type { AuditRecord, TemperatureNode } from '@pulse/contract'
import { type Lab, startLab } from '@pulse/lab'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { steppedClock } from '../testing/people.ts'
import { adminToken, startTestServer, type TestServer } from '../testing/server.ts'
import { within } from '../../../../scripts/test-limits.ts'

const clock = steppedClock()
let lab: Lab
let folder: string
let server: TestServer
let one: string
let two: string
beforeAll(async () => {
  lab = await startLab({ nodes: 2, guests: 2, authDelayMs: 0, loadPeriodMs: 0 })
  ;[one, two] = lab.clusters[0]!.nodes.map(({ name }) => name) as [string, string]
})
afterAll(() => lab.close())
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-switches-'))
})
afterEach(async () => {
  await server.stop()
  fs.rmSync(folder, { recursive: true })
})

const input = () => {
  const { tokenId: tokenName, tokenSecret: tokenValue } = lab.credentials
  const { url: host, fingerprint } = lab.clusters[0]!.nodes[0]!
  return { type: 'pve', name: 'lab', host, tokenName, tokenValue, fingerprint }
}
const env = (nodes?: string) => ({
  API_TOKENS: adminToken,
  PULSE_CONFIG_FILE: path.join(folder, 'pulse.yaml'),
  ...(nodes !== undefined && { TEMPERATURE_NODES: nodes }),
})
/** JSON is valid YAML. */
const declare = (temperatures?: Record<string, boolean | number>) => {
  const node = { ...input(), ...(temperatures && { temperatures }) }
  fs.writeFileSync(path.join(folder, 'pulse.yaml'), JSON.stringify({ nodes: [node] }))
}
const shown = async () => {
  clock.pass(7_000)
  const { body } = await server.call('GET', '/api/temperature/nodes')
  const { nodes } = body as { nodes: TemperatureNode[] }
  return nodes.map(({ node, enabled, port, lockedBy }) => [node, enabled, port, lockedBy])
}
const shows = (...wanted: unknown[]) => expect.poll(shown, { timeout: within(30_000) }).toEqual(wanted)
const put = (node: string, body: object) => {
  clock.pass(7_000)
  const [{ id }] = connections as [{ id: string }]
  return server.call('PUT', `/api/temperature/nodes/${id}/${node}`, body)
}
let connections: unknown
const readConnections = async () => (connections = (await server.call('GET', '/api/config/nodes')).body)

describe('[spec 2 §6] temperature switches', () => {
  test('of pulse.yaml are on, locked with the reason, and recorded; off the file they stay and are free', async () => {
    declare({ [one]: true, [two]: 2222 })
    server = await startTestServer(clock, env())
    await shows([one, true, 22, 'pulse.yaml'], [two, true, 2222, 'pulse.yaml'])
    await readConnections()
    for (const body of [{ enabled: false }, { enabled: true, port: 23 }]) {
      expect(await put(one, body)).toMatchObject({
        status: 409,
        body: {
          code: 'locked_by_environment',
          error: `The temperature of ${one} is fixed by pulse.yaml. Change it there and restart Pulse.`,
        },
      })
    }
    const { body } = await server.call('GET', '/api/security/audit?event=temperature_changed')
    expect((body as { events: AuditRecord[] }).events.filter(({ success }) => success)).toMatchObject([
      { actor: 'pulse.yaml', method: 'console', target: two, details: 'on' },
      { actor: 'pulse.yaml', method: 'console', target: one, details: 'on' },
    ])
    declare({ [one]: false })
    await server.restart(env())
    await shows([one, false, 22, 'pulse.yaml'], [two, true, 2222, undefined])
    expect((await put(two, { enabled: false })).status).toBe(200)
  })

  test('of the environment count before those of pulse.yaml, and those of the page last', async () => {
    declare({ [one]: true })
    server = await startTestServer(clock, env(`LAB/${one}=off`))
    await shows([one, false, 22, 'TEMPERATURE_NODES'], [two, false, 22, undefined])
    await readConnections()
    expect((await put(one, { enabled: true })).text).toContain('fixed by TEMPERATURE_NODES')
    expect((await put(two, { enabled: true })).status).toBe(200)
    await server.restart(env(`lab/${two}=2222`))
    await shows([one, true, 22, 'pulse.yaml'], [two, true, 2222, 'TEMPERATURE_NODES'])
  })

  test('of a connection that is added later hold from then on', async () => {
    server = await startTestServer(clock, { API_TOKENS: adminToken, TEMPERATURE_NODES: `lab/${two}` })
    expect((await server.call('POST', '/api/config/nodes', input())).status).toBe(201)
    await shows([one, false, 22, undefined], [two, true, 22, 'TEMPERATURE_NODES'])
  })

  test('of a backup go on through the page’s own gate: no host key comes along', async () => {
    declare()
    server = await startTestServer(clock, env())
    await shows([one, false, 22, undefined], [two, false, 22, undefined])
    await readConnections()
    expect((await put(one, { enabled: true, port: 2222 })).status).toBe(200)
    const passphrase = 'a passphrase of some length'
    const { data } = (await server.call('POST', '/api/config/export', { passphrase })).body as {
      data: string
    }
    await put(one, { enabled: false })
    clock.pass(61_000)
    const answer = await server.call('POST', '/api/config/import', { passphrase, data })
    expect(answer.text).toContain('Set up the temperature helper again')
    await shows([one, true, 2222, undefined], [two, false, 22, undefined])
    const { body } = await server.call('GET', '/api/temperature/nodes')
    expect((body as { nodes: TemperatureNode[] }).nodes[0]).toMatchObject({ status: 'not_set_up' })
  })
})
