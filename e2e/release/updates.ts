import type { Machine } from '@pulse/testkit/machine'
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type AboutLab, connectEstate } from '../../scripts/estate.mjs'
import { root } from '../../scripts/pinned-node.mjs'
import { within } from '../../scripts/test-limits.ts'
import type { GivenRelease } from './given.ts'
import { type Step, steered } from './steps.ts'
import { account, endOfUpdate, type Entry, falls, install, type Installed, renamed } from './updating.ts'

interface State {
  nodes: { name: string }[]
  vms: { id: string; vmid: number; status: string }[]
}
interface Status {
  status: string
  progress: number
  error?: string
}

export function updateTests(given: GivenRelease, machine: Machine | undefined): void {
  describe.skipIf(!machine)('[R13] an installed release is replaced by the next', () => {
    const on = machine as Machine
    const isLong = Number(process.env['PULSE_TEST_SCALE'] ?? 1) > 1
    let place: Installed
    let steer: Awaited<ReturnType<typeof steered>>
    let good: string
    let newer: string
    let later: string
    let cookie: string
    let before: { nodes: unknown; overrides: Record<string, object>; history: string[] }

    beforeAll(async () => {
      const [major, minor] = given.version.split('.').map(Number) as [number, number]
      ;[newer, later] = [`${major}.${minor + 1}.0`, `${major}.${minor + 2}.0`]
      good = await given.another(newer)
      place = await install(given, on)
      await writeData()
      steer = await steered(on)
    })
    afterAll(async () => {
      await place.close()
      await on.close()
    })

    beforeEach(({ onTestFailed }) =>
      onTestFailed(async () =>
        console.log(
          (await on.sh('tail -n 40 /run/log/* /var/lib/pulse/update/history.jsonl /run/calls')).stdout,
        ),
      ),
    )

    const call = (method: string, where: string, body?: unknown) => place.call(method, where, body)
    const history = async () => (await call('GET', '/api/updates/history')) as Entry[]
    const seen = () =>
      vi.waitUntil(
        async () => {
          const state = (await call('GET', '/api/state')) as State
          return state.nodes.length === 3 && state.vms.some(({ status }) => status === 'running') && state
        },
        { timeout: within(60_000), interval: 200 },
      )
    const alerts = async () =>
      ((await call('GET', '/api/alerts/history')) as { id: string; startTime: string }[]).map(
        ({ id, startTime }) => `${id} ${startTime}`,
      )

    /** A cluster that is watched, a threshold of one guest, what it led to, and somebody who is signed in. */
    async function writeData(): Promise<void> {
      const lab = path.join(on.folder, 'lab.json')
      const words = `${path.join(root, 'apps/lab/src/main.ts')} --json --nodes 3 --guests 20 --seed 1`
      await on.sh(`${process.execPath} ${words} >${lab} 2>&1 &`)
      const whole = () => fs.existsSync(lab) && fs.readFileSync(lab, 'utf8').endsWith('\n')
      await vi.waitUntil(whole, { timeout: within(60_000) })
      await connectEstate(place.url, JSON.parse(fs.readFileSync(lab, 'utf8')) as AboutLab, place.token)
      const { vms } = await seen()
      const off = { trigger: -1, clear: 0 }
      const guest = vms.find(({ status }) => status === 'running')!
      await call('PUT', '/api/alerts/config', {
        guestDefaults: { cpu: off, memory: off, disk: off },
        timeThresholds: { guest: 0 },
        overrides: { [guest.id]: { memory: { trigger: 1, clear: 0 } } },
      })
      const { overrides } = (await call('GET', '/api/alerts/config')) as { overrides: Record<string, object> }
      await call('POST', '/api/alerts/activate')
      await vi.waitUntil(async () => (await alerts()).length > 0, { timeout: within(60_000), interval: 200 })
      const headers = { 'content-type': 'application/json' }
      const signedIn = await fetch(`${place.url}/api/login`, {
        method: 'POST',
        headers,
        body: JSON.stringify(account),
      })
      cookie = signedIn.headers
        .getSetCookie()
        .map((line) => line.split(';')[0])
        .join('; ')
      before = { nodes: await call('GET', '/api/config/nodes'), overrides, history: await alerts() }
    }

    /** All of it is there, whichever version runs. */
    async function expectData(): Promise<void> {
      expect(await call('GET', '/api/config/nodes')).toEqual(before.nodes)
      expect(await call('GET', '/api/alerts/config')).toMatchObject({ overrides: before.overrides })
      expect(await alerts()).toEqual(expect.arrayContaining(before.history))
      const session = await fetch(`${place.url}/api/security/tokens`, { headers: { cookie } })
      expect(session.status).toBe(200)
      // with the secrets that it has kept
      await seen()
      // it is told before it is forgotten
      const left = () =>
        on.sh('ls /opt/pulse/switch.json /opt/pulse/incoming /var/lib/pulse/update/restoring')
      await vi.waitUntil(async () => (await left()).stdout === '', { timeout: within(30_000) })
    }

    async function applied(version = newer): Promise<Entry> {
      const [last] = await history()
      await call('POST', '/api/updates/apply', { version })
      return endOfUpdate(place, last?.event_id)
    }

    /** As if there had been no update yet. */
    async function putBack(): Promise<void> {
      await steer.systemctl('stop', 'pulse')
      await on.sh('ln -sfn slots/a /opt/pulse/current')
      await steer.systemctl('start', 'pulse')
      await on.sh('pulse health --wait 60')
    }

    test('it is offered with a plan, when the feed has it', async () => {
      place.feed.publish(good, { tampered: 'archive' })
      expect(await call('GET', '/api/updates/check')).toMatchObject({
        available: true,
        currentVersion: given.version,
        latestVersion: newer,
      })
      expect(await call('GET', `/api/updates/plan?version=${newer}`)).toMatchObject({
        canAutoUpdate: true,
        requiresRoot: true,
        rollbackSupport: true,
        downloadUrl: expect.stringContaining(newer),
      })
    })

    test('not when one bit of it is another: it is refused, and the history says so', async () => {
      expect(await applied()).toMatchObject({
        status: 'failed',
        version_from: given.version,
        version_to: newer,
        initiated_by: 'api',
        error: { code: 'checksum' },
      })
      expect(await call('GET', '/api/updates/status')).toMatchObject({
        status: 'error',
        error: expect.stringContaining('not the one that was published'),
      })
      expect(await place.running()).toBe(given.version)
      expect((await on.sh('ls -A /var/lib/pulse/update')).stdout).toBe('history.jsonl\n')
    })

    test('not when the server ends while it downloads: the next one says that it was interrupted', async () => {
      place.feed.clear()
      place.feed.publish(good)
      const archive = `/download/v${newer}/pulse-v`
      place.feed.behave({ kind: 'hang' }, { path: archive })
      await call('POST', '/api/updates/apply', { version: newer })
      await vi.waitUntil(() => place.feed.asked().some((one) => one.startsWith(archive)), {
        timeout: within(30_000),
      })
      await expect(call('POST', '/api/updates/apply', { version: newer })).rejects.toThrow('409')
      await on.sh('kill -9 $(systemctl-itself main-pid pulse)')
      place.feed.behave({ kind: 'take' }, { path: archive })
      expect(await endOfUpdate(place, (await history().catch(() => []))[0]?.event_id)).toMatchObject({
        status: 'failed',
        error: { code: 'interrupted' },
      })
      await expectData()
    })

    const some: Step[] = ['the data being kept aside', 'starting the new version']
    const all: Step[] = ['unpacking', 'unpacked, being written to the disk', 'stopping the service', ...some]
    test.each(isLong ? all : some)(
      'killed (%s), a version runs on whole data, and says which',
      async (step) => {
        const [last] = await history()
        await steer.killAt(step, () => call('POST', '/api/updates/apply', { version: newer }))
        const { status } = await endOfUpdate(place, last?.event_id)
        const isThere = step === 'starting the new version'
        expect([status, await place.running()]).toEqual(
          isThere ? ['success', newer] : ['failed', given.version],
        )
        await expectData()
        if (isThere) await putBack()
      },
    )

    test('and else it runs, with all that there was; how far it is is told to whoever looks', async () => {
      await steer.reset()
      const told: Status[] = []
      const socket = new WebSocket(`${place.url.replace('http', 'ws')}/ws?token=${place.token}`)
      socket.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
        if (typeof data !== 'string') return
        const message = JSON.parse(data) as { type: string; data: Status }
        if (message.type === 'update:progress') told.push(message.data)
      })
      await new Promise((resolve) => socket.addEventListener('open', resolve))
      const entry = await applied()
      socket.close()
      expect(entry).toMatchObject({ status: 'success', version_from: given.version, version_to: newer })
      expect((await call('GET', '/api/version')) as object).toMatchObject({
        version: newer,
        deploymentType: 'systemd',
      })
      expect(await call('GET', '/api/updates/status')).toMatchObject({ status: 'completed', progress: 100 })
      const figures = told.map(({ progress }) => progress)
      expect(figures).toEqual(figures.toSorted((a, b) => a - b))
      expect(told.map(({ status }) => status)).toEqual(expect.arrayContaining(['downloading', 'verifying']))
      await expectData()
      const { stdout } = await on.sh(
        `readlink /opt/pulse/current; stat -c '%U %a' /opt/pulse/slots/b /opt/pulse/slots/b/server/dist/main.js ${entry.backup_path}
         find /opt/pulse ! -user root; find /var/lib/pulse ! -user pulse; ls -A /var/lib/pulse/update`,
      )
      expect(stdout).toBe('slots/b\nroot 755\nroot 644\npulse 700\nhistory.jsonl\nprogress.json\n')
    })

    test('not by an older one that is called by a newer name', async () => {
      place.feed.publish(renamed(given, later), { tag: `v${later}` })
      await vi.waitUntil(
        async () => {
          const found = (await call('GET', '/api/updates/check?force=true')) as { latestVersion: string }
          return found.latestVersion === later
        },
        { timeout: within(90_000), interval: 1_000 },
      )
      expect(await applied(later)).toMatchObject({ status: 'failed', error: { code: 'downgrade' } })
      expect(await place.running()).toBe(newer)
    })

    test('one that falls is taken out again, and the data are those from before', async () => {
      place.feed.clear()
      place.feed.publish(await given.another(later, falls))
      expect(await applied(later)).toMatchObject({
        status: 'rolled_back',
        version_from: newer,
        version_to: later,
        error: { code: 'health', message: expect.stringContaining(`${newer} is put back`) },
      })
      expect(await place.running()).toBe(newer)
      await expectData()
      expect((await history()).slice(0, 3)).toMatchObject(
        [
          ['rolled_back', later],
          ['failed', later],
          ['success', newer],
        ].map(([status, version_to]) => ({ status, version_to })),
      )
    })
  })
}
