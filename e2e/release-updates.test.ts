import { type Machine, openMachine } from '@pulse/testkit/machine'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { within } from '../scripts/test-limits.ts'
import { releaseFixture } from './release/fixtures.ts'
import { type Kept, writeData } from './release/kept-data.ts'
import { type Step, steered } from './release/steps.ts'
import { endOfUpdate, type Entry, falls, install, type Installed, renamed } from './release/updating.ts'

interface Status {
  status: string
  progress: number
  error?: string
}

const given = releaseFixture()
const machine = await openMachine()

describe.skipIf(!machine)('[R13] an installed release is replaced by the next', () => {
  const on = machine as Machine
  const isLong = Number(process.env['PULSE_TEST_SCALE'] ?? 1) > 1
  let installed: Installed
  let steer: Awaited<ReturnType<typeof steered>>
  let good: string
  let newer: string
  let later: string
  let data: Kept

  beforeAll(async () => {
    const [major, minor] = given.version.split('.').map(Number) as [number, number]
    ;[newer, later] = [`${major}.${minor + 1}.0`, `${major}.${minor + 2}.0`]
    const setUp = async () => {
      installed = await install(given, on)
      return writeData(installed, on)
    }
    ;[good, data] = await Promise.all([given.another(newer), setUp()])
    steer = await steered(on)
  })
  afterAll(async () => {
    await installed.close()
    await on.close()
  })

  beforeEach(({ onTestFailed }) =>
    onTestFailed(async () =>
      console.log(
        (await on.sh('tail -n 40 /run/log/* /var/lib/pulse/update/history.jsonl /run/calls')).stdout,
      ),
    ),
  )

  const call = (method: string, where: string, body?: unknown) => installed.call(method, where, body)
  /** of the newest three entries */
  const statusOf = (entries: Entry[]) =>
    entries.slice(0, 3).map(({ status, version_to }) => `${status} ${version_to}`)
  const history = async () => (await call('GET', '/api/updates/history')) as Entry[]
  /** All data exist in whichever version runs, and the update has left no files behind. */
  async function expectWhole(): Promise<void> {
    await data.expectThere()
    // the update records its result before it deletes these files
    const left = () => on.sh('ls /opt/pulse/switch.json /opt/pulse/incoming /var/lib/pulse/update/restoring')
    await vi.waitUntil(async () => (await left()).stdout === '', { timeout: within(30_000) })
  }

  async function applied(version = newer): Promise<Entry> {
    const [last] = await history()
    await call('POST', '/api/updates/apply', { version })
    return endOfUpdate(installed, last?.event_id)
  }

  /** Restores the state before any update. */
  async function putBack(): Promise<void> {
    await steer.systemctl('stop', 'pulse')
    await on.sh('ln -sfn slots/a /opt/pulse/current')
    await steer.systemctl('start', 'pulse')
    await on.sh('pulse health --wait 60')
  }

  test('an update in the feed is offered with its plan', async () => {
    installed.feed.publish(good, { tampered: 'archive' })
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

  test('an archive with one flipped bit is refused, and the history says so', async () => {
    expect(await applied()).toMatchObject({
      status: 'failed',
      version_from: given.version,
      version_to: newer,
      initiated_by: 'api',
      error: { code: 'checksum' },
    })
    expect(await call('GET', '/api/updates/status')).toMatchObject({
      status: 'error',
      error: expect.stringContaining('does not match the published one'),
    })
    expect(await installed.running()).toBe(given.version)
    expect((await on.sh('ls -A /var/lib/pulse/update')).stdout).toBe('history.jsonl\nlogs\n')
  })

  test('when the disk is full, the running version continues and no space is lost', async () => {
    installed.feed.clear()
    installed.feed.publish(good)
    const disk = `${on.folder}.layers`
    const used = async () => Number((await on.sh(`df --output=used -BM ${disk} | tr -dc 0-9`)).stdout)
    const before = await used()
    // enough to download and copy the release, but not to unpack it
    await on.sh(`mount -o remount,size=$((${before} + 160))M ${disk}`)
    const entry = await applied()
    expect(await used()).toBeLessThan(before + 10)
    await on.sh(`mount -o remount,size=50% ${disk}`)
    expect(entry).toMatchObject({ status: 'failed', error: { code: 'space' } })
    expect((await on.sh('ls /opt/pulse/slots')).stdout).toBe('a\n')
    await expectWhole()
  })

  test('when the server stops during the download, its successor reports an interrupted update', async () => {
    const archive = `/download/v${newer}/pulse-v`
    installed.feed.behave({ kind: 'hang' }, { path: archive })
    await call('POST', '/api/updates/apply', { version: newer })
    await vi.waitUntil(() => installed.feed.asked().some((one) => one.startsWith(archive)), {
      timeout: within(30_000),
    })
    await expect(call('POST', '/api/updates/apply', { version: newer })).rejects.toThrow('409')
    await on.sh('kill -9 $(systemctl-itself main-pid pulse)')
    installed.feed.behave({ kind: 'take' }, { path: archive })
    expect(await endOfUpdate(installed, (await history().catch(() => []))[0]?.event_id)).toMatchObject({
      status: 'failed',
      error: { code: 'interrupted' },
    })
    await expectWhole()
  })

  const some: Step[] = ['the data being kept aside', 'starting the new version']
  const all: Step[] = ['unpacking', 'unpacked, being written to the disk', 'stopping the service', ...some]
  test.each(isLong ? all : some)(
    'killed (%s), a version runs on whole data, and says which',
    async (step) => {
      const [last] = await history()
      await steer.killAt(step, () => call('POST', '/api/updates/apply', { version: newer }))
      const { status } = await endOfUpdate(installed, last?.event_id)
      const isThere = step === 'starting the new version'
      expect([status, await installed.running()]).toEqual(
        isThere ? ['success', newer] : ['failed', given.version],
      )
      await expectWhole()
      if (isThere) await putBack()
    },
  )

  test('the next version runs with all data, and clients receive the progress', async () => {
    await steer.reset()
    const received: Status[] = []
    const socket = new WebSocket(`${installed.url.replace('http', 'ws')}/ws?token=${installed.token}`)
    socket.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      if (typeof data !== 'string') return
      const message = JSON.parse(data) as { type: string; data: Status }
      if (message.type === 'update:progress') received.push(message.data)
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
    const figures = received.map(({ progress }) => progress)
    expect(figures).toEqual(figures.toSorted((a, b) => a - b))
    expect(received.map(({ status }) => status)).toEqual(expect.arrayContaining(['downloading', 'verifying']))
    await expectWhole()
    const { stdout } = await on.sh(
      `readlink /opt/pulse/current; stat -c '%U %a' /opt/pulse/slots/b /opt/pulse/slots/b/server/dist/main.js ${entry.backup_path}
         find /opt/pulse ! -user root; find /var/lib/pulse ! -user pulse; ls -A /var/lib/pulse/update`,
    )
    expect(stdout).toBe('slots/b\nroot 755\nroot 644\npulse 700\nhistory.jsonl\nlogs\nprogress.json\n')
  })

  test('an older release under a newer name is refused', async () => {
    installed.feed.publish(renamed(given, later), { tag: `v${later}` })
    await vi.waitUntil(
      async () => {
        const found = (await call('GET', '/api/updates/check?force=true')) as { latestVersion: string }
        return found.latestVersion === later
      },
      { timeout: within(90_000), interval: 1_000 },
    )
    expect(await applied(later)).toMatchObject({ status: 'failed', error: { code: 'downgrade' } })
    expect(await installed.running()).toBe(newer)
  })

  test('a version that crashes is rolled back, with the previous data', async () => {
    installed.feed.clear()
    installed.feed.publish(await given.another(later, falls))
    expect(await applied(later)).toMatchObject({
      status: 'rolled_back',
      version_from: newer,
      version_to: later,
      error: { code: 'health', message: expect.stringContaining(`${newer} is restored`) },
    })
    expect(await installed.running()).toBe(newer)
    await expectWhole()
    expect(statusOf(await history())).toEqual([`rolled_back ${later}`, `failed ${later}`, `success ${newer}`])
  })

  const returning: Step[] = [
    'the new version is stopped',
    'the data being put back',
    'starting the old version',
  ]
  test.each(isLong ? returning : [])('a rollback that is killed (%s) continues', async (step) => {
    const [last] = await history()
    await steer.killAt(step, () => call('POST', '/api/updates/apply', { version: later }))
    expect(await endOfUpdate(installed, last?.event_id)).toMatchObject({ status: 'rolled_back' })
    expect(await installed.running()).toBe(newer)
    await expectWhole()
  })
})
