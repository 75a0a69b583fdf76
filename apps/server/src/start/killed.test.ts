import { startLab, type Lab } from '@pulse/lab'
import type { NodeConfig, SystemSettings } from '@pulse/contract'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { within } from '../../../../scripts/test-limits.ts'
import { scale } from '../auth/fixtures.ts'
import { randomFrom } from '../testing/data-folder.ts'
import { startMain } from '../testing/main-process.ts'
import { asAdmin } from '../testing/server.ts'

let dir: string
let lab: Lab
beforeAll(async () => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-killed-'))
  lab = await startLab({ nodes: 2, guests: 4, authDelayMs: 0 })
})
afterAll(async () => {
  await lab.close()
  fs.rmSync(dir, { recursive: true, force: true })
})

async function call<T>(url: string, where: string, body?: unknown): Promise<T> {
  const answer = await fetch(url + where, {
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    headers: { ...asAdmin, ...(body !== undefined && { 'content-type': 'application/json' }) },
  })
  if (!answer.ok) throw new Error(`${where}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as T
}

function watchedNode() {
  const { tokenId, tokenSecret } = lab.credentials
  const { url: host, fingerprint } = lab.clusters[0]!.nodes[0]!
  return { type: 'pve', name: 'lab', host, fingerprint, tokenName: tokenId, tokenValue: tokenSecret }
}
const deadNode = (n: number) => ({
  type: 'pbs',
  name: `dead ${n}`,
  host: `https://127.255.1.${n}:8007`,
  tokenName: 'a@pbs!b',
  tokenValue: 'c',
})

const kills = scale > 1 ? 50 : 3

test(`[R8] ${kills} kills while sources are polled and nodes and settings are written: what was acknowledged stays, and is polled again`, async () => {
  const random = randomFrom(9)
  let added = 0
  let theme: SystemSettings['theme'] = ''
  for (let kill = 0; kill <= kills; kill++) {
    const { child, url, ended } = await startMain(dir)
    const names = (await call<NodeConfig[]>(url, '/api/config/nodes')).map(({ name }) => name)
    const wanted = Array.from({ length: added }, (_, n) => `dead ${n + 1}`)
    expect(names, `after kill ${kill}`).toEqual(expect.arrayContaining(kill === 0 ? [] : ['lab', ...wanted]))
    expect(names.length).toBeLessThanOrEqual(1 + added + 1)
    const settings = await call<SystemSettings>(url, '/api/system/settings')
    if (kill > 0) expect(settings.theme).toBe(theme)
    if (kill === 0) await call(url, '/api/config/nodes', watchedNode())
    await expect
      .poll(async () => (await call<{ vms: unknown[] }>(url, '/api/state')).vms.length, {
        timeout: within(20_000),
      })
      .toBeGreaterThan(0)
    added = names.filter((name) => name.startsWith('dead')).length
    const last = added + 1 + Math.floor(random() * 3)
    while (added < last) {
      await call(url, '/api/config/nodes', deadNode(added + 1))
      added++
      theme = added % 2 ? 'dark' : 'light'
      await call(url, '/api/system/settings/update', { theme })
    }
    // Another request is in progress.
    const lost = call(url, '/api/config/nodes', deadNode(added + 1)).catch(() => {})
    child.kill('SIGKILL')
    expect((await ended).signal).toBe('SIGKILL')
    await lost
  }
})
