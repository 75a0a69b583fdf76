import type { Machine } from '@pulse/testkit/machine'
import fs from 'node:fs'
import path from 'node:path'
import { expect, vi } from 'vitest'
import { type AboutLab, connectEstate } from '../../scripts/estate.mjs'
import { root } from '../../scripts/pinned-node.mjs'
import { within } from '../../scripts/test-limits.ts'
import { account, type Installed } from './updating.ts'

interface State {
  nodes: { name: string }[]
  vms: { id: string; status: string }[]
}

export interface Kept {
  /** All data exist, and the secrets still work. */
  expectThere(): Promise<void>
}

const limit = () => ({ timeout: within(60_000), interval: 200 })

/** Sets up a watched cluster, a threshold for one guest, the alert that it fires, and a session. */
export async function writeData({ call, url, token }: Installed, on: Machine): Promise<Kept> {
  const seen = () =>
    vi.waitUntil(async () => {
      const state = (await call('GET', '/api/state')) as State
      return state.nodes.length === 3 && state.vms.some(({ status }) => status === 'running') && state
    }, limit())
  const read = async () => ({
    nodes: await call('GET', '/api/config/nodes'),
    thresholds: ((await call('GET', '/api/alerts/config')) as { overrides: object }).overrides,
  })
  const episodes = async () =>
    ((await call('GET', '/api/alerts/history')) as { id: string; startTime: string }[]).map(
      ({ id, startTime }) => `${id} ${startTime}`,
    )

  await connectEstate(url, await labInside(on), token)
  const { vms } = await seen()
  const guest = vms.find(({ status }) => status === 'running')!
  const off = { trigger: -1, clear: 0 }
  await call('PUT', '/api/alerts/config', {
    guestDefaults: { cpu: off, memory: off, disk: off },
    timeThresholds: { guest: 0 },
    overrides: { [guest.id]: { memory: { trigger: 1, clear: 0 } } },
  })
  await call('POST', '/api/alerts/activate')
  await vi.waitUntil(async () => (await episodes()).length > 0, limit())
  const cookie = await signIn(url)
  const before = { ...(await read()), episodes: await episodes() }
  expect(Object.keys(before.thresholds)).toHaveLength(1)

  return {
    async expectThere() {
      const { episodes: then, ...configured } = before
      // right after a start, no connection was polled yet
      await vi.waitFor(async () => expect(await read()).toEqual(configured), limit())
      expect(await episodes()).toEqual(expect.arrayContaining(then))
      expect((await fetch(`${url}/api/security/tokens`, { headers: { cookie } })).status).toBe(200)
      await seen()
    },
  }
}

/** Runs a simulated cluster in the machine's network. */
async function labInside(on: Machine): Promise<AboutLab> {
  const file = path.join(on.folder, 'lab.json')
  const words = `${path.join(root, 'apps/lab/src/main.ts')} --json --nodes 3 --guests 20 --seed 1`
  await on.sh(`${process.execPath} ${words} >${file} 2>&1 &`)
  await vi.waitUntil(() => fs.existsSync(file) && fs.readFileSync(file, 'utf8').endsWith('\n'), limit())
  return JSON.parse(fs.readFileSync(file, 'utf8')) as AboutLab
}

async function signIn(url: string): Promise<string> {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${url}/api/login`, { method: 'POST', headers, body: JSON.stringify(account) })
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
}
